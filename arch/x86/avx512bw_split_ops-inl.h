// AVX-512's copies and non-temporal stores; the byte shuffle stays AVX2's, since without VBMI it too works on 16 bytes.

#ifndef TOPSPLIT_ARCH_X86_AVX512BW_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_X86_AVX512BW_SPLIT_OPS_INL_H

#include <immintrin.h>

#include <cstddef>

#include "arch/x86/avx2_split_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct avx512bw_split_ops : avx2_split_ops {
  static constexpr std::size_t widest = 64;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == 64) {
      _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    } else {
      avx2_split_ops::copy<Bytes>(to, from);
    }
  }

  template <std::size_t Bytes>
  static void copy_joined(std::byte* to, const std::byte* from, std::size_t pitch) {
    const __m512i low = _mm512_castsi256_si512(load_joined_32<Bytes>(from, pitch));
    const __m256i high = load_joined_32<Bytes>(from + 32 / Bytes * pitch, pitch);
    _mm512_storeu_si512(to, _mm512_maskz_inserti64x4(0xff, low, high, 1));
  }

  static void stream_line(std::byte* to, const std::byte* from) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
  }
  static void stream_joined(std::byte* to, const std::byte* first, const std::byte* rest, std::size_t bytes) {
    const __mmask64 is_first = (__mmask64{1} << bytes) - 1;
    const __m512i line = _mm512_mask_loadu_epi8(_mm512_loadu_si512(rest), is_first, first);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), line);
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
