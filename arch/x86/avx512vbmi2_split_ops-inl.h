// The byte shuffle of AVX-512 VBMI: any of 64 bytes to any place, merged under a mask.

#ifndef TOPSPLIT_ARCH_X86_AVX512VBMI2_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_X86_AVX512VBMI2_SPLIT_OPS_INL_H

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "arch/x86/avx512bw_split_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct avx512vbmi2_split_ops : avx512bw_split_ops {
  static constexpr std::size_t shuffle_bytes = 64;
  static constexpr std::size_t shuffle_lanes = 1;

  using gathered = __m512i;
  struct shuffle {
    __m512i index;
    __mmask64 taken;
    void set(const std::uint8_t* bytes) {
      index = _mm512_loadu_si512(bytes);
      taken = ~_mm512_movepi8_mask(index);
    }
  };
  static gathered gather(const std::byte* from, std::size_t, const shuffle& s) {
    return _mm512_maskz_permutexvar_epi8(~__mmask64{0}, s.index, _mm512_loadu_si512(from));
  }
  static gathered gather_more(gathered sum, const std::byte* from, std::size_t, const shuffle& s) {
    return _mm512_mask_permutexvar_epi8(sum, s.taken, s.index, _mm512_loadu_si512(from));
  }
  static void store(std::byte* to, std::size_t, gathered result) { _mm512_storeu_si512(to, result); }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
