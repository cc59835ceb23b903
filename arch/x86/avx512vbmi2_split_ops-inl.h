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
  static void store(std::byte* to, std::size_t, gathered result) { store(to, result); }

  template <std::size_t Ways>
  struct way_inputs {
    __m512i part[Ways];
    void load(const std::byte* from) {
      for (std::size_t i = 0; i < Ways; ++i) part[i] = _mm512_loadu_si512(from + 64 * i);
    }
  };
  // A permute chooses from two inputs by seven bits, so each pair of inputs takes the same index and a mask.
  template <std::size_t Ways>
  struct way_taker {
    __m512i index;
    __mmask64 from[(Ways + 1) / 2];
    void set(const std::uint16_t* source) {
      const __m512i low = _mm512_loadu_si512(source), high = _mm512_loadu_si512(source + 32);
      index = _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(_mm512_maskz_cvtepi16_epi8(~0u, low)),
                                       _mm512_maskz_cvtepi16_epi8(~0u, high), 1);
      for (std::size_t i = 0; i < (Ways + 1) / 2; ++i) {
        const __m512i pair = _mm512_set1_epi16(static_cast<short>(i));
        const __mmask64 in_low = _mm512_cmpeq_epi16_mask(_mm512_srli_epi16(low, 7), pair);
        from[i] = static_cast<__mmask64>(_mm512_cmpeq_epi16_mask(_mm512_srli_epi16(high, 7), pair)) << 32 | in_low;
      }
    }
    gathered take(const way_inputs<Ways>& inputs) const {
      __m512i result = _mm512_permutex2var_epi8(inputs.part[0], index, inputs.part[1]);
      for (std::size_t i = 1; i < Ways / 2; ++i) {
        result = _mm512_mask_mov_epi8(result, from[i],
                                      _mm512_permutex2var_epi8(inputs.part[2 * i], index, inputs.part[2 * i + 1]));
      }
      if constexpr (Ways % 2 != 0) {
        result = _mm512_mask_permutexvar_epi8(result, from[Ways / 2], index, inputs.part[Ways - 1]);
      }
      return result;
    }
  };
  static void store(std::byte* to, gathered result) { _mm512_storeu_si512(to, result); }
  static void stream(std::byte* to, gathered result) { _mm512_stream_si512(reinterpret_cast<__m512i*>(to), result); }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
