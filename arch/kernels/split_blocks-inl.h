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

// Pieces of one part in neighbouring rows, adjacent in the output.
struct part_rows {
  std::byte* to;
  const std::byte* from;
  std::size_t rows;
  std::size_t bytes;
  std::size_t pitch;  // of the input
};

// The line that `to`, `before` bytes into it, shares with the row before: put together from the two places in the
// input.
template <class Ops>
inline void stream_shared_line(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t pitch,
                               std::size_t before) {
  __builtin_prefetch(from + read_ahead_bytes);
  Ops::stream_joined(to - before, from - pitch + bytes - before, from - before, before);
}

// Each row but for the line that it shares with the next one, which is left to that; there is a row before.
template <class Ops>
inline void stream_rows_of_any(const part_rows& run) {
  const auto [first_to, first_from, rows, bytes, pitch] = run;
  std::byte* to = first_to;
  const std::byte* from = first_from;
  for (std::size_t r = 0; r < rows; ++r, to += bytes, from += pitch) {
    const std::size_t before = reinterpret_cast<std::uintptr_t>(to) % line_bytes;
    if (before != 0) stream_shared_line<Ops>(to, from, bytes, pitch, before);
    stream_lines<Ops>(to, from, (line_bytes - before) % line_bytes, bytes);
  }
}

// The same where bytes = Lines * line_bytes, so that all rows are cut alike.
template <class Ops, std::size_t Lines, bool Shared>
inline void stream_rows_of(const part_rows& run) {
  const auto [first_to, first_from, rows, bytes, pitch] = run;
  const std::size_t before = reinterpret_cast<std::uintptr_t>(first_to) % line_bytes;
  std::byte* to = first_to;
  const std::byte* from = first_from;
  for (std::size_t r = 0; r < rows; ++r, to += bytes, from += pitch) {
    if (Shared) stream_shared_line<Ops>(to, from, bytes, pitch, before);
    for (std::size_t i = Shared ? line_bytes : 0; i < Lines * line_bytes; i += line_bytes) {
      stream_line_ahead<Ops>(to - before + i, from - before + i);
    }
  }
}

template <class Ops, bool Shared>
inline void stream_following_rows(const part_rows& run) {
  switch (run.bytes) {
    case line_bytes:
      return stream_rows_of<Ops, 1, Shared>(run);
    case 2 * line_bytes:
      return stream_rows_of<Ops, 2, Shared>(run);
    case 3 * line_bytes:
      return stream_rows_of<Ops, 3, Shared>(run);
    case 4 * line_bytes:
      return stream_rows_of<Ops, 4, Shared>(run);
    default:
      return stream_rows_of_any<Ops>(run);
  }
}

// begins: no row before has left its last line to the first one here; ends: no row follows that would take the last
// one's.
template <class Ops>
inline void stream_part_rows(part_rows run, bool begins, bool ends) {
  const std::size_t before = reinterpret_cast<std::uintptr_t>(run.to) % line_bytes;
  const std::size_t after = (reinterpret_cast<std::uintptr_t>(run.to) + run.rows * run.bytes) % line_bytes;
  const std::size_t last = (run.rows - 1) * run.pitch + run.bytes;
  if (ends) copy_piece<Ops>(run.to + run.rows * run.bytes - after, run.from + last - after, after);
  if (begins) {
    const std::size_t head = (line_bytes - before) % line_bytes;
    copy_piece<Ops>(run.to, run.from, head);
    stream_lines<Ops>(run.to, run.from, head, run.bytes);
    run.to += run.bytes;
    run.from += run.pitch;
    if (--run.rows == 0) return;
  }
  before != 0 ? stream_following_rows<Ops, true>(run) : stream_following_rows<Ops, false>(run);
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
      const part_rows run = {part.data + row * part.bytes, call.input + row * call.row_bytes + part.offset_bytes, rows,
                             part.bytes, call.row_bytes};
      if (part.bytes >= line_bytes) {
        stream_part_rows<Ops>(run, row == first, row + rows == last);
      } else {
        for (std::size_t r = 0; r < rows; ++r) {
          copy_piece<Ops>(run.to + r * run.bytes, run.from + r * run.pitch, run.bytes);
        }
      }
    }
  }
}

template <class Ops>
void split_blocks(const kernels::split_call& call, std::size_t begin, std::size_t end) noexcept {
  walk_pieces<Ops, false>(call, begin, end);
}

template <class Ops>
void split_streamed_blocks(const kernels::split_call& call, std::size_t begin, std::size_t end) noexcept {
  if constexpr (Ops::streams) {
    const std::size_t first = (begin + call.span_bytes - 1) / call.span_bytes, last = end / call.span_bytes;
    if (first < last) {
      walk_pieces<Ops, true>(call, begin, first * call.span_bytes);
      stream_rows<Ops>(call, first, last);
      begin = last * call.span_bytes;
    }
    walk_pieces<Ops, true>(call, begin, end);
    Ops::fence();
  } else {
    split_blocks<Ops>(call, begin, end);
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
