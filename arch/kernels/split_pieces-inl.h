// Split: each piece (one part in one row) copied by vectors, the last one overlapping the one before it.
//
// The pieces are taken in the order of the input, so it is read once from front to back whatever the parts are. An
// overlapping last vector writes bytes of its own piece again, with the same contents, and never one beyond: a range of the
// work may begin and end inside a piece, and the neighbour belongs to another task.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_PIECES_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_PIECES_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernel_table.h"

namespace topsplit::TOPSPLIT_KERNELS {

// bytes >= sizeof(Word): words from the front, then one that ends where the piece ends.
template <class Word>
inline void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  Word word;
  for (std::size_t i = 0; bytes - i > sizeof(Word); i += sizeof(Word)) {
    std::memcpy(&word, from + i, sizeof(Word));
    std::memcpy(to + i, &word, sizeof(Word));
  }
  std::memcpy(&word, from + bytes - sizeof(Word), sizeof(Word));
  std::memcpy(to + bytes - sizeof(Word), &word, sizeof(Word));
}

template <class Isa>
inline void copy_vectors(std::byte* to, const std::byte* from, std::size_t bytes) {
  using lane = std::int8_t;
  constexpr std::size_t step = Isa::template lanes<lane>;
  for (std::size_t i = 0; bytes - i > step; i += step)
    Isa::template store<lane>(to + i, Isa::template load<lane>(from + i));
  Isa::template store<lane>(to + bytes - step, Isa::template load<lane>(from + bytes - step));
}

template <class Isa>
inline void copy_piece(std::byte* to, const std::byte* from, std::size_t bytes) {
  // From here on the C library's copy, with its choice of streaming stores, costs less than its call.
  constexpr std::size_t long_piece = 2048;
  constexpr std::size_t vector = Isa::template lanes<std::int8_t>;
  if (bytes >= long_piece) {
    std::memcpy(to, from, bytes);
  } else if (vector > sizeof(std::uint64_t) && bytes >= vector) {
    copy_vectors<Isa>(to, from, bytes);
  } else if (bytes >= sizeof(std::uint64_t)) {
    copy_words<std::uint64_t>(to, from, bytes);
  } else if (bytes >= sizeof(std::uint32_t)) {
    copy_words<std::uint32_t>(to, from, bytes);
  } else if (bytes >= sizeof(std::uint16_t)) {
    copy_words<std::uint16_t>(to, from, bytes);
  } else if (bytes != 0) {
    *to = *from;
  }
}

template <class Isa>
void split_pieces(const kernels::split_call& call, std::size_t begin, std::size_t end) noexcept {
  std::size_t row = begin / call.span_bytes;
  std::size_t skip = begin % call.span_bytes;  // bytes of the current piece that are not ours
  std::size_t p = 0;
  while (skip >= call.parts[p].bytes) skip -= call.parts[p++].bytes;
  for (std::size_t left = end - begin; left != 0;) {
    const kernels::split_part& part = call.parts[p];
    const std::size_t rest = part.bytes - skip;
    const std::size_t bytes = rest < left ? rest : left;
    copy_piece<Isa>(part.data + row * part.bytes + skip, call.input + row * call.row_bytes + part.offset_bytes + skip,
                    bytes);
    left -= bytes;
    skip = 0;
    if (++p == call.part_count) p = 0, ++row;
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
