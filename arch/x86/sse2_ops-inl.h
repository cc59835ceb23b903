// SSE2's own forms of sign and bits.

#ifndef TOPSPLIT_ARCH_X86_SSE2_OPS_INL_H
#define TOPSPLIT_ARCH_X86_SSE2_OPS_INL_H

#include <emmintrin.h>

#include <cstdint>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct sse2_ops : generic_ops<xsimd::sse2> {
  static batch<std::int16_t> sign(batch<std::int16_t> a) { return _mm_srai_epi16(a, 15); }
  static batch<std::int32_t> sign(batch<std::int32_t> a) { return _mm_srai_epi32(a, 31); }
  // No 64-bit arithmetic shift: the upper halves' signs, copied to the lower.
  static batch<std::int64_t> sign(batch<std::int64_t> a) {
    return _mm_shuffle_epi32(_mm_srai_epi32(a, 31), _MM_SHUFFLE(3, 3, 1, 1));
  }

  static std::uint64_t bits(mask<std::int8_t> m) { return static_cast<std::uint32_t>(_mm_movemask_epi8(m)); }
  // Saturation keeps -1 and 0, so two 16-bit lanes pack to two bytes.
  static std::uint64_t bits(mask<std::int16_t> m) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(m, _mm_setzero_si128())));
  }
  static std::uint64_t bits(mask<std::int32_t> m) {
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(m)));
  }
  static std::uint64_t bits(mask<std::int64_t> m) {
    return static_cast<std::uint32_t>(_mm_movemask_pd(_mm_castsi128_pd(m)));
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
