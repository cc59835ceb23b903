// Split: takes whole rows in blocks and each block part by part, with a copier that is told a part's rows at once.
//
// Past the cache only whole lines may go, while a part's rows end anywhere: they are gathered in a stage on the stack first,
// where lines are cut from them.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_ROW_BLOCKS_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_ROW_BLOCKS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/split_blocks-inl.h"
#include "arch/kernels/split_copy-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// Input of a block: with the lines that it is written to it leaves room in an L1 cache of 32 KiB; half as much costs rows of 128
// bytes in eight parts a third more, twice as much a tenth.
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

// What the pieces of some rows need on the stack to leave as lines.
class line_stage {
 public:
  template <class Ops, class Copier>
  void stream(const piece_rows& run, Copier& copier) {
    if (run.bytes > capacity) {
      for (std::size_t r = 0; r < run.rows; ++r) {
        stream_piece<Ops>(run.to + r * run.bytes, run.from + r * run.pitch, run.bytes);
      }
      return;
    }
    const std::size_t at_once = capacity / run.bytes;
    std::byte* to = run.to;
    std::size_t kept = 0;  // bytes before those of the rows to come, less than a line
    for (std::size_t r = 0; r < run.rows; r += at_once) {
      const std::size_t rows = run.rows - r < at_once ? run.rows - r : at_once;
      const bool is_last = rows == run.rows - r;
      const std::size_t lead = (reinterpret_cast<std::uintptr_t>(to)) % line_bytes;
      std::byte* begin = memory_ + lead;
      const std::size_t skipped = r * run.pitch;
      copier.copy({begin + kept, run.from + skipped, rows, run.bytes, run.pitch, sizeof memory_ - lead - kept,
                   run.from_room - skipped});
      const std::size_t filled = kept + rows * run.bytes;
      kept = is_last ? 0 : (lead + filled) % line_bytes;
      stream_piece<Ops>(to, begin, filled - kept);
      to += filled - kept;
      if (kept != 0) std::memcpy(memory_, begin + filled - kept, line_bytes);
    }
  }

 private:
  static constexpr std::size_t capacity = 4096;
  alignas(line_bytes) std::byte memory_[capacity + 4 * line_bytes];
};

// The rows [first, last), all of them ours.
template <class Ops, bool Streams, class Copier>
inline void copy_row_blocks(const kernels::split_call& call, std::size_t first, std::size_t last, Copier& copier) {
  std::size_t block = row_block_bytes / call.span_bytes;
  block = block >= line_bytes ? block / line_bytes * line_bytes : block + (block == 0);
  const kernels::split_part& last_part = call.parts[call.part_count - 1];
  const std::byte* from_end = call.input + (last - 1) * call.row_bytes + last_part.offset_bytes + last_part.bytes;
  [[maybe_unused]] line_stage stage;
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
      if constexpr (Streams && Ops::streams) {
        stage.stream<Ops>(run, copier);
      } else {
        copier.copy(run);
      }
    }
  }
}

template <class Ops, bool Streams, class Copier>
inline void split_row_blocks(const kernels::split_call& call, std::size_t begin, std::size_t end, Copier& copier) {
  const std::size_t first = (begin + call.span_bytes - 1) / call.span_bytes;
  const std::size_t last = end / call.span_bytes;
  if (first >= last) {
    walk_pieces<Ops, Streams>(call, begin, end);
  } else {
    walk_pieces<Ops, Streams>(call, begin, first * call.span_bytes);
    copy_row_blocks<Ops, Streams>(call, first, last, copier);
    walk_pieces<Ops, Streams>(call, last * call.span_bytes, end);
  }
  finish_stores<Ops, Streams>();
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
