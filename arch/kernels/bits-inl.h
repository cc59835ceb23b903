// Masks of lanes as bits; and what must not become a call, as vectors would go through memory.

#ifndef TOPSPLIT_ARCH_KERNELS_BITS_INL_H
#define TOPSPLIT_ARCH_KERNELS_BITS_INL_H

#include <cstddef>
#include <cstdint>

#define TOPSPLIT_INLINE inline __attribute__((always_inline))

namespace topsplit::TOPSPLIT_KERNELS {

// The lowest `count` <= 64 bits.
constexpr std::uint64_t low_bits(std::size_t count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// The bits of a mask of so many lanes. Not every ISA has a population count.
template <std::size_t Lanes>
inline std::size_t count_bits(std::uint64_t bits) {
  if constexpr (Lanes <= 2) return static_cast<std::size_t>((bits & 1) + (bits >> 1));
  return static_cast<std::size_t>(__builtin_popcountll(bits));
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
