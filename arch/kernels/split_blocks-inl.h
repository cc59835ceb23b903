// Split: long pieces, one after the other in the order of the input, so that it is read once from front to back.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_BLOCKS_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_BLOCKS_INL_H

#include <cstddef>

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

template <class Ops, bool Streams>
void split_blocks(const kernels::split_call& call, std::size_t begin, std::size_t end) noexcept {
  walk_pieces<Ops, Streams>(call, begin, end);
  finish_stores<Ops, Streams>();
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
