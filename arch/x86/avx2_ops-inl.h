// AVX2's own forms of sign and bits.

#ifndef TOPSPLIT_ARCH_X86_AVX2_OPS_INL_H
#define TOPSPLIT_ARCH_X86_AVX2_OPS_INL_H

#include <immintrin.h>

#include <cstdint>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct avx2_ops : generic_ops<xsimd::avx2> {
  static batch<std::int16_t> sign(batch<std::int16_t> a) { return _mm256_srai_epi16(a, 15); }
  static batch<std::int32_t> sign(batch<std::int32_t> a) { return _mm256_srai_epi32(a, 31); }
  // No 64-bit arithmetic shift, but a 64-bit compare.
  static batch<std::int64_t> sign(batch<std::int64_t> a) { return _mm256_cmpgt_epi64(_mm256_setzero_si256(), a); }

  static std::uint64_t bits(mask<std::int8_t> m) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(m)); }
  // Packing works within each half, so the halves are packed with each other.
  static std::uint64_t bits(mask<std::int16_t> m) {
    const __m128i low = _mm256_castsi256_si128(m), high = _mm256_extracti128_si256(m, 1);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  }
  static std::uint64_t bits(mask<std::int32_t> m) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(m)));
  }
  static std::uint64_t bits(mask<std::int64_t> m) {
    return static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(m)));
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
