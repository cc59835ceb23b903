// SSE2's copies and non-temporal stores. It has no byte shuffle.

#ifndef TOPSPLIT_ARCH_X86_SSE2_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_X86_SSE2_SPLIT_OPS_INL_H

#include <emmintrin.h>

#include <cstddef>

#include "arch/kernels/scalar_split_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct sse2_split_ops : scalar_split_ops {
  static constexpr std::size_t widest = 16;
  static constexpr bool streams = true;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == 16) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    } else {
      scalar_split_ops::copy<Bytes>(to, from);
    }
  }

  static void stream_line(std::byte* to, const std::byte* from) {
    const auto* source = reinterpret_cast<const __m128i*>(from);
    const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
    auto* line = reinterpret_cast<__m128i*>(to);
    _mm_stream_si128(line, a);
    _mm_stream_si128(line + 1, b);
    _mm_stream_si128(line + 2, c);
    _mm_stream_si128(line + 3, d);
  }
  static void fence() { _mm_sfence(); }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
