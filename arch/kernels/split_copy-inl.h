// Split: copies of one piece (one part in one row), exact to the byte, through the cache or past it.
//
// What is shorter than a loop is two copies of which the second one ends where the piece ends: it writes bytes of its
// own piece again, with the same contents, and never one beyond, for the neighbour may belong to another task.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_COPY_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_COPY_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernel_table.h"

namespace topsplit::TOPSPLIT_KERNELS {

inline constexpr std::size_t line_bytes = 64;

// bytes < 2 * Width.
template <class Ops, std::size_t Width>
inline void copy_short(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= Width) {
    Ops::template copy<Width>(to, from);
    Ops::template copy<Width>(to + bytes - Width, from + bytes - Width);
  } else if constexpr (Width > 1) {
    copy_short<Ops, Width / 2>(to, from, bytes);
  }
}

// bytes >= widest.
template <class Ops>
inline void copy_vectors(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t step = Ops::widest;
  std::size_t i = 0;
  for (; bytes - i > 4 * step; i += 4 * step) {
    Ops::template copy<step>(to + i, from + i);
    Ops::template copy<step>(to + i + step, from + i + step);
    Ops::template copy<step>(to + i + 2 * step, from + i + 2 * step);
    Ops::template copy<step>(to + i + 3 * step, from + i + 3 * step);
  }
  for (; bytes - i > step; i += step) Ops::template copy<step>(to + i, from + i);
  Ops::template copy<step>(to + bytes - step, from + bytes - step);
}

template <class Ops>
inline void copy_piece(std::byte* to, const std::byte* from, std::size_t bytes) {
  // From here on the C library's copy, made for each processor, costs less than its call.
  constexpr std::size_t long_piece = 2048;
  if (bytes >= long_piece) {
    std::memcpy(to, from, bytes);
  } else if (bytes >= Ops::widest) {
    copy_vectors<Ops>(to, from, bytes);
  } else {
    copy_short<Ops, Ops::widest / 2>(to, from, bytes);
  }
}

// Stores past the cache keep pace with memory only while enough reads are under way, and the processors' own read-ahead
// stops at a page: so far ahead of them the input is asked for.
inline constexpr std::size_t read_ahead_bytes = 8192;

template <class Ops>
inline void stream_line_ahead(std::byte* to, const std::byte* from) {
  __builtin_prefetch(from + read_ahead_bytes);
  Ops::stream_line(to, from);
}

// The whole lines among the bytes [begin, bytes), to + begin being at the start of one; returns where they end.
template <class Ops>
inline std::size_t stream_lines(std::byte* to, const std::byte* from, std::size_t begin, std::size_t bytes) {
  std::size_t i = begin;
  for (; i + 4 * line_bytes <= bytes; i += 4 * line_bytes) {
    for (std::size_t k = 0; k < 4; ++k) stream_line_ahead<Ops>(to + i + k * line_bytes, from + i + k * line_bytes);
  }
  for (; i + line_bytes <= bytes; i += line_bytes) stream_line_ahead<Ops>(to + i, from + i);
  return i;
}

// Whole lines past the cache, the rest of the first and of the last line through it. Needs a fence before others read.
template <class Ops>
inline void stream_piece(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::size_t head = (0 - reinterpret_cast<std::uintptr_t>(to)) % line_bytes;
  if (bytes < head + line_bytes) return copy_piece<Ops>(to, from, bytes);
  copy_piece<Ops>(to, from, head);
  const std::size_t done = stream_lines<Ops>(to, from, head, bytes);
  copy_piece<Ops>(to + done, from + done, bytes - done);
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
