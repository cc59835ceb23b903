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

// One part's pieces in the rows [row, row + rows), past the cache. They are adjacent in the output, so that a line which holds the
// end of one and the beginning of the next is put together from the two places in the input. first: the row before has left its
// last line to this one; last: a row will follow that takes it.
template <class Ops>
inline void stream_part_rows(const kernels::split_call& call, const kernels::split_part& part, std::size_t row,
                             std::size_t rows, bool begins, bool ends) {
  const std::size_t bytes = part.bytes, pitch = call.row_bytes;
  std::byte* to = part.data + row * bytes;
  const std::byte* from = call.input + row * pitch + part.offset_bytes;
  for (std::size_t r = 0; r < rows; ++r, to += bytes, from += pitch) {
    const std::size_t before = reinterpret_cast<std::uintptr_t>(to) % line_bytes;  // of the line that `to` is in
    std::size_t i = before == 0 ? 0 : line_bytes - before;
    if (begins && r == 0) {
      copy_piece<Ops>(to, from, i);
    } else if (before != 0) {
      __builtin_prefetch(from + read_ahead_bytes);
      Ops::stream_joined(to - before, from - pitch + bytes - before, from - before, before);
    }
    i = stream_lines<Ops>(to, from, i, bytes);
    if (ends && r + 1 == rows) copy_piece<Ops>(to + i, from + i, bytes - i);
  }
}

// The rows [first, last). Pieces shorter than a line go through the cache.
template <class Ops>
inline void stream_rows(const kernels::split_call& call, std::size_t first, std::size_t last) {
  constexpr std::size_t run_bytes = 4096;  // so that an output gets several short pieces in a row
  const std::size_t block = call.span_bytes < run_bytes ? run_bytes / call.span_bytes : 1;
  for (std::size_t row = first; row < last; row += block) {
    const std::size_t rows = last - row < block ? last - row : block;
    for (std::size_t p = 0; p < call.part_count; ++p) {
      const kernels::split_part& part = call.parts[p];
      if (part.bytes >= line_bytes) {
        stream_part_rows<Ops>(call, part, row, rows, row == first, row + rows == last);
        continue;
      }
      const std::byte* from = call.input + row * call.row_bytes + part.offset_bytes;
      for (std::size_t r = 0; r < rows; ++r) {
        copy_piece<Ops>(part.data + (row + r) * part.bytes, from + r * call.row_bytes, part.bytes);
      }
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
