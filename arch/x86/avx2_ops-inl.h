// AVX2's own forms of sign and bits.

#ifndef TOPSPLIT_ARCH_X86_AVX2_OPS_INL_H
#define TOPSPLIT_ARCH_X86_AVX2_OPS_INL_H

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// For each mask of four lanes the order of their 32-bit halves.
struct four_lanes_orders {
  std::uint8_t order[16][8];
  constexpr four_lanes_orders() : order() {
    for (unsigned bits = 0; bits < 16; ++bits) {
      unsigned count = 0;
      for (unsigned wanted = 2; wanted-- > 0;) {
        for (unsigned i = 0; i < 4; ++i) {
          if ((bits >> i & 1) != wanted) continue;
          order[bits][2 * count] = static_cast<std::uint8_t>(2 * i);
          order[bits][2 * count + 1] = static_cast<std::uint8_t>(2 * i + 1);
          ++count;
        }
      }
    }
  }
};
inline constexpr four_lanes_orders four_lanes{};

struct avx2_ops : generic_ops<xsimd::avx2> {
  template <class Lane>
  static batch<Lane> load_once(const void* from) {
    batch<Lane> a = load<Lane>(from);
    __asm__("" : "+x"(a.data));
    return a;
  }

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

  static wide iota() { return _mm256_set_epi64x(3, 2, 1, 0); }
  template <class Lane>
  static wide load_high(const void* from) {
    if constexpr (sizeof(Lane) == 8) {
      return load<std::int64_t>(from);
    } else if constexpr (sizeof(Lane) == 4) {
      return _mm256_slli_epi64(_mm256_cvtepu32_epi64(_mm_loadu_si128(static_cast<const __m128i*>(from))), 32);
    } else if constexpr (sizeof(Lane) == 2) {
      return _mm256_slli_epi64(_mm256_cvtepu16_epi64(_mm_loadl_epi64(static_cast<const __m128i*>(from))), 48);
    } else {
      std::int32_t four;
      std::memcpy(&four, from, sizeof four);
      return _mm256_slli_epi64(_mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four)), 56);
    }
  }
  template <class Lane>
  static void store_high(void* to, wide a) {
    if constexpr (sizeof(Lane) == 4) {
      const __m256i odd = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(1, 3, 5, 7, 1, 3, 5, 7));
      _mm_storeu_si128(static_cast<__m128i*>(to), _mm256_castsi256_si128(odd));
    } else {
      generic_ops::store_high<Lane>(to, a);
    }
  }
  template <std::size_t W>
  static wide reverse(wide a) {
    return W == 2 ? _mm256_shuffle_epi32(a, _MM_SHUFFLE(1, 0, 3, 2))
                  : _mm256_permute4x64_epi64(a, _MM_SHUFFLE(0, 1, 2, 3));
  }
  template <std::size_t W>
  static wide swap_halves(wide a) {
    return W == 2 ? reverse<2>(a) : wide(_mm256_permute4x64_epi64(a, _MM_SHUFFLE(1, 0, 3, 2)));
  }
  template <std::size_t W>
  static wide first_halves(wide a, wide b) {
    if constexpr (W == 2) return _mm256_unpacklo_epi64(a, b);
    if constexpr (W == 4) return _mm256_permute2x128_si256(a, b, 0x20);
  }
  template <std::size_t W>
  static wide second_halves(wide a, wide b) {
    if constexpr (W == 2) return _mm256_unpackhi_epi64(a, b);
    if constexpr (W == 4) return _mm256_permute2x128_si256(a, b, 0x31);
  }
  template <std::size_t W>
  static wide join(wide a, wide b) {
    return _mm256_blend_epi32(a, b, W == 2 ? 0xcc : 0xf0);
  }
  static wide partition(wide a, std::uint64_t bits) {
    const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(four_lanes.order[bits]));
    return _mm256_permutevar8x32_epi32(a, _mm256_cvtepu8_epi32(order));
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
