// Split: takes whole rows in blocks and each block part by part, with a copier that is told a part's rows at once.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_ROW_BLOCKS_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_ROW_BLOCKS_INL_H

#include <cstddef>

#include "arch/kernel_table.h"
#include "arch/kernels/split_blocks-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// Input of a block: with the lines that it is written to it leaves room in an L1 cache of 32 KiB; half as much costs up
// to a third more, twice as much a tenth.
inline constexpr std::size_t row_block_bytes = 16 * 1024;

// One part's pieces in neighbouring rows: `bytes` each, `pitch` apart in the input, adjacent in the output.
struct piece_rows {
  std::byte* to;
  const std::byte* from;
  std::size_t rows;
  std::size_t bytes;
  std::size_t pitch;
  std::size_t to_room;    // bytes from `to` on that may be overwritten, with anything beyond the rows
  std::size_t from_room;  // bytes from `from` on that may be read
};

// The rows [first, last), all of them ours.
template <class Copier>
inline void copy_row_blocks(const kernels::split_call& call, std::size_t first, std::size_t last, Copier& copier) {
  std::size_t block = row_block_bytes / call.span_bytes;
  block = block >= 64 ? block / 64 * 64 : block + (block == 0);  // whole results of a shuffle, of up to 64 rows
  const kernels::split_part& last_part = call.parts[call.part_count - 1];
  const std::byte* from_end = call.input + (last - 1) * call.row_bytes + last_part.offset_bytes + last_part.bytes;
  for (std::size_t row = first; row < last; row += block) {
    const std::size_t rows = last - row < block ? last - row : block;
    for (std::size_t p = 0; p < call.part_count; ++p) {
      const kernels::split_part& part = call.parts[p];
      if (part.bytes == 0) continue;
      const std::byte* from = call.input + row * call.row_bytes + part.offset_bytes;
      const piece_rows run = {part.data + row * part.bytes,
                              from,
                              rows,
                              part.bytes,
                              call.row_bytes,
                              (last - row) * part.bytes,
                              static_cast<std::size_t>(from_end - from)};
      copier.copy(run);
    }
  }
}

template <class Ops, class Copier>
inline void split_row_blocks(const kernels::split_call& call, std::size_t begin, std::size_t end, Copier& copier) {
  const std::size_t first = (begin + call.span_bytes - 1) / call.span_bytes;
  const std::size_t last = end / call.span_bytes;
  if (first >= last) return walk_pieces<Ops, false>(call, begin, end);
  walk_pieces<Ops, false>(call, begin, first * call.span_bytes);
  copy_row_blocks(call, first, last, copier);
  walk_pieces<Ops, false>(call, last * call.span_bytes, end);
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
