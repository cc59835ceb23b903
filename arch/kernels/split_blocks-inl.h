// Split: long pieces, one after the other in the order of the input, so that it is read once from front to back.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_BLOCKS_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_BLOCKS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/split_copy-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// The bytes [begin, end) of the spans, piece by piece: any range, however it cuts rows and pieces.
template <class Ops, bool Streams>
inline void walk_pieces(const kernels::split_call& call, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  std::size_t row = begin / call.span_bytes;
  std::size_t skip = begin % call.span_bytes;  // bytes of the current piece that are not ours
  std::size_t p = 0;
  while (skip >= call.parts[p].bytes) skip -= call.parts[p++].bytes;
  for (std::size_t left = end - begin; left != 0;) {
    const kernels::split_part& part = call.parts[p];
    const std::size_t rest = part.bytes - skip;
    const std::size_t bytes = rest < left ? rest : left;
    std::byte* to = part.data + row * part.bytes + skip;
    const std::byte* from = call.input + row * call.row_bytes + part.offset_bytes + skip;
    if constexpr (Streams) {
      stream_piece<Ops>(to, from, bytes);
    } else {
      copy_piece<Ops>(to, from, bytes);
    }
    left -= bytes;
    skip = 0;
    if (++p == call.part_count) p = 0, ++row;
  }
}

// The rows [first, last), past the cache. A part's pieces are adjacent in its output, so that a line which holds the end of one
// and the beginning of the next is put together from the two places in the input. Pieces shorter than a line go through the cache.
template <class Ops>
inline void stream_rows(const kernels::split_call& call, std::size_t first, std::size_t last) {
  for (std::size_t row = first; row < last; ++row) {
    for (std::size_t p = 0; p < call.part_count; ++p) {
      const std::size_t bytes = call.parts[p].bytes;
      std::byte* to = call.parts[p].data + row * bytes;
      const std::byte* from = call.input + row * call.row_bytes + call.parts[p].offset_bytes;
      if (bytes < line_bytes) {
        copy_piece<Ops>(to, from, bytes);
        continue;
      }
      const std::size_t before = reinterpret_cast<std::uintptr_t>(to) % line_bytes;  // of the line that `to` is in
      std::size_t i = before == 0 ? 0 : line_bytes - before;
      if (row == first) {
        copy_piece<Ops>(to, from, i);
      } else if (before != 0) {
        Ops::stream_joined(to - before, from - call.row_bytes + bytes - before, from - before, before);
      }
      i = stream_lines<Ops>(to, from, i, bytes);
      if (row + 1 == last) copy_piece<Ops>(to + i, from + i, bytes - i);
    }
  }
}

template <class Ops, bool Streams>
void split_blocks(const kernels::split_call& call, std::size_t begin, std::size_t end) noexcept {
  if constexpr (Streams && Ops::streams) {
    const std::size_t first = (begin + call.span_bytes - 1) / call.span_bytes, last = end / call.span_bytes;
    if (first < last) {
      walk_pieces<Ops, true>(call, begin, first * call.span_bytes);
      stream_rows<Ops>(call, first, last);
      begin = last * call.span_bytes;
    }
  }
  walk_pieces<Ops, Streams>(call, begin, end);
  finish_stores<Ops, Streams>();
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
