// SSE2's own forms of sign and bits.

#ifndef TOPSPLIT_ARCH_X86_SSE2_OPS_INL_H
#define TOPSPLIT_ARCH_X86_SSE2_OPS_INL_H

#include <emmintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct sse2_ops : generic_ops<xsimd::sse2> {
  template <class Lane>
  static batch<Lane> load_once(const void* from) {
    batch<Lane> a = load<Lane>(from);
    __asm__("" : "+x"(a.data));
    return a;
  }

  static batch<std::int16_t> sign(batch<std::int16_t> a) { return _mm_srai_epi16(a, 15); }
  static batch<std::int32_t> sign(batch<std::int32_t> a) { return _mm_srai_epi32(a, 31); }
  template <class Lane>
  static mask<Lane> greater(batch<Lane> a, batch<Lane> b) {
    if constexpr (sizeof(Lane) < 8) {
      return a > b;
    } else {
      // No 64-bit compare: the upper halves decide, and where they are equal the borrow of b - a.
      const __m128i borrow = _mm_and_si128(_mm_cmpeq_epi32(a, b), _mm_sub_epi64(b, a));
      const __m128i upper = _mm_or_si128(borrow, _mm_cmpgt_epi32(a, b));
      return _mm_shuffle_epi32(_mm_srai_epi32(upper, 31), _MM_SHUFFLE(3, 3, 1, 1));
    }
  }
  template <class Lane>
  static batch<Lane> max(batch<Lane> a, batch<Lane> b) {
    if constexpr (sizeof(Lane) == 2) return _mm_max_epi16(a, b);
    return select<Lane>(greater<Lane>(a, b), a, b);
  }
  template <class Lane>
  static batch<Lane> min(batch<Lane> a, batch<Lane> b) {
    if constexpr (sizeof(Lane) == 2) return _mm_min_epi16(a, b);
    return select<Lane>(greater<Lane>(a, b), b, a);
  }

  // No 64-bit arithmetic shift: the upper halves' signs, copied to the lower.
  static batch<std::int64_t> sign(batch<std::int64_t> a) {
    return _mm_shuffle_epi32(_mm_srai_epi32(a, 31), _MM_SHUFFLE(3, 3, 1, 1));
  }

  static std::uint64_t bits(mask<std::int8_t> m) { return static_cast<std::uint32_t>(_mm_movemask_epi8(m)); }
  // Saturation keeps -1 and 0, so two 16-bit lanes pack to two bytes.
  static std::uint64_t bits(mask<std::int16_t> m) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(m, _mm_setzero_si128())));
  }
  static std::uint64_t bits(mask<std::int32_t> m) {
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(m)));
  }
  static std::uint64_t bits(mask<std::int64_t> m) {
    return static_cast<std::uint32_t>(_mm_movemask_pd(_mm_castsi128_pd(m)));
  }

  // Interleaving zeros below the elements doubles their size, once to three times.
  static wide iota() { return _mm_set_epi64x(1, 0); }
  template <class Lane>
  static wide load_high(const void* from) {
    const __m128i zero = _mm_setzero_si128();
    if constexpr (sizeof(Lane) == 8) {
      return load<std::int64_t>(from);
    } else if constexpr (sizeof(Lane) == 4) {
      return _mm_unpacklo_epi32(zero, _mm_loadl_epi64(static_cast<const __m128i*>(from)));
    } else if constexpr (sizeof(Lane) == 2) {
      std::int32_t pair;
      std::memcpy(&pair, from, sizeof pair);
      return _mm_unpacklo_epi32(zero, _mm_unpacklo_epi16(zero, _mm_cvtsi32_si128(pair)));
    } else {
      std::uint16_t pair;
      std::memcpy(&pair, from, sizeof pair);
      return _mm_unpacklo_epi32(zero, _mm_unpacklo_epi16(zero, _mm_unpacklo_epi8(zero, _mm_cvtsi32_si128(pair))));
    }
  }
  template <std::size_t W>
  static wide reverse(wide a) {
    return _mm_shuffle_epi32(a, _MM_SHUFFLE(1, 0, 3, 2));
  }
  template <std::size_t W>
  static wide swap_halves(wide a) {
    return reverse<2>(a);
  }
  template <std::size_t>
  static wide first_halves(wide a, wide b) {
    return _mm_unpacklo_epi64(a, b);
  }
  template <std::size_t>
  static wide second_halves(wide a, wide b) {
    return _mm_unpackhi_epi64(a, b);
  }
  template <std::size_t W>
  static wide join(wide a, wide b) {
    return _mm_castpd_si128(_mm_move_sd(_mm_castsi128_pd(b), _mm_castsi128_pd(a)));
  }
  // Swapped where only the second lane is set.
  static wide partition(wide a, std::uint64_t bits) {
    const __m128i swap = _mm_set1_epi32(-static_cast<std::int32_t>(bits == 2));
    return _mm_xor_si128(a, _mm_and_si128(swap, _mm_xor_si128(a, reverse<2>(a))));
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
