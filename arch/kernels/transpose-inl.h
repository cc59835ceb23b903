// A square of 64-bit lanes, as many vectors as each has lanes, with rows for columns.
//
// One step for each bit of a lane's number: it exchanges this bit with the same bit of the vector's number. With halves of
// every W lanes, a pair of vectors [a b] [c d] becomes [a c] [b d].

#ifndef TOPSPLIT_ARCH_KERNELS_TRANSPOSE_INL_H
#define TOPSPLIT_ARCH_KERNELS_TRANSPOSE_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernels/bits-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa, std::size_t W = 2>
TOPSPLIT_INLINE void transpose(typename Isa::template batch<std::int64_t> (&rows)[Isa::template lanes<std::int64_t>]) {
  constexpr std::size_t lanes = Isa::template lanes<std::int64_t>;
  if constexpr (W <= lanes) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < lanes; ++i) {
      if ((i & W / 2) != 0) continue;
      const auto first = rows[i], second = rows[i + W / 2];
      rows[i] = Isa::template first_halves<W>(first, second);
      rows[i + W / 2] = Isa::template second_halves<W>(first, second);
    }
    transpose<Isa, 2 * W>(rows);
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
