// AVX-512's own forms of sign and bits: a mask is a register already.

#ifndef TOPSPLIT_ARCH_X86_AVX512BW_OPS_INL_H
#define TOPSPLIT_ARCH_X86_AVX512BW_OPS_INL_H

#include <immintrin.h>

#include <cstdint>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct avx512bw_ops : generic_ops<xsimd::avx512bw> {
  // Masked forms with every lane on: the plain ones start from an undefined register, of which g++ warns once inlined.
  static batch<std::int16_t> sign(batch<std::int16_t> a) { return _mm512_srai_epi16(a, 15); }
  static batch<std::int32_t> sign(batch<std::int32_t> a) { return _mm512_maskz_srai_epi32(0xffff, a, 31); }
  static batch<std::int64_t> sign(batch<std::int64_t> a) { return _mm512_maskz_srai_epi64(0xff, a, 63); }

  template <class Lane>
  static std::uint64_t bits(mask<Lane> m) {
    return m.data;
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
