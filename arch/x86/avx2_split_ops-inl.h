// AVX2's copies, non-temporal stores and byte shuffle, which works within each half of a vector: two shuffles of 16 bytes.

#ifndef TOPSPLIT_ARCH_X86_AVX2_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_X86_AVX2_SPLIT_OPS_INL_H

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "arch/x86/sse2_split_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct avx2_split_ops : sse2_split_ops {
  static constexpr std::size_t widest = 32;
  static constexpr std::size_t shuffle_bytes = 16;
  static constexpr std::size_t shuffle_lanes = 2;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == 32) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    } else {
      sse2_split_ops::copy<Bytes>(to, from);
    }
  }

  static void stream_line(std::byte* to, const std::byte* from) {
    const auto* source = reinterpret_cast<const __m256i*>(from);
    const __m256i low = _mm256_loadu_si256(source), high = _mm256_loadu_si256(source + 1);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), low);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + 1, high);
  }

  using gathered = __m256i;
  struct shuffle {
    __m256i index;
    void set(const std::uint8_t* bytes) {
      index = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    }
  };
  static gathered gather(const std::byte* from, std::size_t lane_pitch, const shuffle& s) {
    const __m256i both =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))),
                                _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + lane_pitch)), 1);
    return _mm256_shuffle_epi8(both, s.index);
  }
  static gathered gather_more(gathered sum, const std::byte* from, std::size_t lane_pitch, const shuffle& s) {
    return _mm256_or_si256(sum, gather(from, lane_pitch, s));
  }
  static void store(std::byte* to, std::size_t step, gathered result) {
    if (step == 16) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), result);
    } else {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(result));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + step), _mm256_extracti128_si256(result, 1));
    }
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
