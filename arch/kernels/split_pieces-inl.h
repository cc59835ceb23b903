// Split: pieces of up to some KiB. All pieces of a part have one length, so a block of rows that stays in the L1 cache
// is taken part by part: what a length needs is chosen once a block, and a piece costs its loads and stores.
//
// A piece of at most one vector is copied as a whole vector; what that writes beyond the piece is then overwritten by
// the next row's. A longer one is a fixed number of vectors, the last of which ends where the piece ends.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_PIECES_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_PIECES_INL_H

#include <cstddef>

#include "arch/kernel_table.h"
#include "arch/kernels/split_copy-inl.h"
#include "arch/kernels/split_row_blocks-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// Rows for which `width` bytes at a time stay within room bytes.
inline std::size_t rows_within(std::size_t room, std::size_t width, std::size_t pitch, std::size_t rows) {
  if (rows == 0 || width + (rows - 1) * pitch <= room) return rows;  // spares the division but at the end of the range
  return room < width ? 0 : (room - width) / pitch + 1;
}

// bytes <= Width.
template <class Ops, std::size_t Width>
void copy_rows_of_one(const piece_rows& run) {
  const auto [to, from, rows, bytes, pitch, to_room, from_room] = run;
  const std::size_t wide = rows_within(to_room, Width, bytes, rows_within(from_room, Width, pitch, rows));
  for (std::size_t r = 0; r < wide; ++r) Ops::template copy<Width>(to + r * bytes, from + r * pitch);
  for (std::size_t r = wide; r < rows; ++r) copy_short<Ops, Width>(to + r * bytes, from + r * pitch, bytes);
}

// bytes = Width, several pieces to a store.
template <class Ops, std::size_t Width>
void copy_rows_joined(const piece_rows& run) {
  constexpr std::size_t joined = Ops::widest / Width;
  std::byte* to = run.to;
  const std::byte* from = run.from;
  const std::size_t rows = run.rows, pitch = run.pitch;
  std::size_t r = 0;
  for (; r + joined <= rows; r += joined, to += Ops::widest, from += joined * pitch) {
    Ops::template copy_joined<Width>(to, from, pitch);
  }
  for (; r < rows; ++r, to += Width, from += pitch) Ops::template copy<Width>(to, from);
}

// (Count - 1) * widest < bytes <= Count * widest.
template <class Ops, std::size_t Count>
void copy_rows_of(const piece_rows& run) {
  constexpr std::size_t width = Ops::widest;
  std::byte* to = run.to;
  const std::byte* from = run.from;
  const std::size_t rows = run.rows, bytes = run.bytes, pitch = run.pitch, last = bytes - width;
  for (std::size_t r = 0; r < rows; ++r, to += bytes, from += pitch) {
    for (std::size_t i = 0; i + 1 < Count; ++i) Ops::template copy<width>(to + i * width, from + i * width);
    Ops::template copy<width>(to + last, from + last);
  }
}

template <class Ops>
void copy_rows_of_any(const piece_rows& run) {
  for (std::size_t r = 0; r < run.rows; ++r) {
    copy_piece<Ops>(run.to + r * run.bytes, run.from + r * run.pitch, run.bytes);
  }
}

template <class Ops, std::size_t Width>
inline void copy_narrow_rows(const piece_rows& run) {
  if constexpr (Width > 1) {
    if (run.bytes <= Width / 2) return copy_narrow_rows<Ops, Width / 2>(run);
  }
  if constexpr (Width >= Ops::least_joined && Width < Ops::widest) {
    if (run.bytes == Width) return copy_rows_joined<Ops, Width>(run);
  }
  copy_rows_of_one<Ops, Width>(run);
}

template <class Ops>
struct piece_copier {
  void copy(const piece_rows& run) {
    switch ((run.bytes + Ops::widest - 1) / Ops::widest) {
      case 1:
        return copy_narrow_rows<Ops, Ops::widest>(run);
      case 2:
        return copy_rows_of<Ops, 2>(run);
      case 3:
        return copy_rows_of<Ops, 3>(run);
      case 4:
        return copy_rows_of<Ops, 4>(run);
      case 5:
        return copy_rows_of<Ops, 5>(run);
      case 6:
        return copy_rows_of<Ops, 6>(run);
      case 7:
        return copy_rows_of<Ops, 7>(run);
      case 8:
        return copy_rows_of<Ops, 8>(run);
      default:
        return copy_rows_of_any<Ops>(run);
    }
  }
};

template <class Ops>
void split_pieces(const kernels::split_call& call, std::size_t begin, std::size_t end) noexcept {
  piece_copier<Ops> copier;
  split_row_blocks<Ops>(call, begin, end, copier);
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
