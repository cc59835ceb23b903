// SSE2's copies and non-temporal stores. It has no byte shuffle.

#ifndef TOPSPLIT_ARCH_X86_SSE2_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_X86_SSE2_SPLIT_OPS_INL_H

#include <emmintrin.h>

#include <cstddef>

#include "arch/kernels/scalar_split_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct sse2_split_ops : scalar_split_ops {
  static constexpr std::size_t widest = 16;
  static constexpr std::size_t least_joined = 8;
  static constexpr bool streams = true;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == 16) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    } else {
      scalar_split_ops::copy<Bytes>(to, from);
    }
  }

  // 16 bytes of pieces of 8 or 16.
  template <std::size_t Bytes>
  static __m128i load_joined_16(const std::byte* from, std::size_t pitch) {
    if constexpr (Bytes == 16) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return _mm_unpacklo_epi64(low, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + pitch)));
  }
  template <std::size_t Bytes>
  static void copy_joined(std::byte* to, const std::byte* from, std::size_t pitch) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), load_joined_16<Bytes>(from, pitch));
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
  // A line of which the first `bytes` (1 to 63) come from `first` and the rest from `rest` + bytes on; 64 bytes of each
  // are read.
  static void stream_joined(std::byte* to, const std::byte* first, const std::byte* rest, std::size_t bytes) {
    alignas(16) std::byte line[64];
    std::memcpy(line, rest, sizeof line);
    std::memcpy(line, first, bytes);
    stream_line(to, line);
  }
  static void fence() { _mm_sfence(); }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
