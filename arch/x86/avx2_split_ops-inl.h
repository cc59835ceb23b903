// AVX2's copies, non-temporal stores and byte shuffle, which works within each half of a vector: two shuffles of 16
// bytes.

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
  alignas(32) static constexpr signed char positions[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                            11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                            22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == 32) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    } else {
      sse2_split_ops::copy<Bytes>(to, from);
    }
  }

  template <std::size_t Bytes>
  static __m256i load_joined_32(const std::byte* from, std::size_t pitch) {
    if constexpr (Bytes == 32) return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load_joined_16<Bytes>(from, pitch)),
                                   load_joined_16<Bytes>(from + 16 / Bytes * pitch, pitch), 1);
  }
  template <std::size_t Bytes>
  static void copy_joined(std::byte* to, const std::byte* from, std::size_t pitch) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), load_joined_32<Bytes>(from, pitch));
  }

  static void stream_line(std::byte* to, const std::byte* from) {
    const auto* source = reinterpret_cast<const __m256i*>(from);
    const __m256i low = _mm256_loadu_si256(source), high = _mm256_loadu_si256(source + 1);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), low);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + 1, high);
  }

  static void stream_joined(std::byte* to, const std::byte* first, const std::byte* rest, std::size_t bytes) {
    for (std::size_t i = 0; i < 64; i += 32) {
      const auto left = static_cast<signed char>(bytes > i ? (bytes - i < 32 ? bytes - i : 32) : 0);
      const __m256i is_first =
          _mm256_cmpgt_epi8(_mm256_set1_epi8(left), _mm256_load_si256(reinterpret_cast<const __m256i*>(positions)));
      const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first + i));
      const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rest + i));
      _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i), _mm256_blendv_epi8(b, a, is_first));
    }
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

  template <std::size_t Ways>
  struct way_inputs {
    __m256i part[Ways];  // bytes 16 * i on of either lane's 16 * Ways
    void load(const std::byte* from) {
      for (std::size_t i = 0; i < Ways; ++i) {
        const auto* low = reinterpret_cast<const __m128i*>(from) + i;
        part[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(low + Ways), 1);
      }
    }
  };
  template <std::size_t Ways>
  struct way_taker {
    shuffle from[Ways];
    void set(const std::uint16_t* source) {
      for (std::size_t i = 0; i < Ways; ++i) {
        std::uint8_t index[16];
        for (std::size_t j = 0; j < 16; ++j) {
          index[j] = static_cast<std::uint8_t>(source[j] / 16 == i ? source[j] % 16 : 0x80);
        }
        from[i].set(index);
      }
    }
    gathered take(const way_inputs<Ways>& inputs) const {
      __m256i sum = _mm256_shuffle_epi8(inputs.part[0], from[0].index);
      for (std::size_t i = 1; i < Ways; ++i) {
        sum = _mm256_or_si256(sum, _mm256_shuffle_epi8(inputs.part[i], from[i].index));
      }
      return sum;
    }
  };
  static void store(std::byte* to, gathered result) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), result); }
  static void stream(std::byte* to, gathered result) { _mm256_stream_si256(reinterpret_cast<__m256i*>(to), result); }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
