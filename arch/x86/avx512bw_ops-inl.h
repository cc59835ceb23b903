// AVX-512's own forms of sign and bits: a mask is a register already.

#ifndef TOPSPLIT_ARCH_X86_AVX512BW_OPS_INL_H
#define TOPSPLIT_ARCH_X86_AVX512BW_OPS_INL_H

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// For each mask of eight lanes their order.
struct eight_lanes_orders {
  std::uint8_t order[256][8];
  constexpr eight_lanes_orders() : order() {
    for (unsigned bits = 0; bits < 256; ++bits) {
      unsigned count = 0;
      for (unsigned wanted = 2; wanted-- > 0;)
        for (unsigned i = 0; i < 8; ++i)
          if ((bits >> i & 1) == wanted) order[bits][count++] = static_cast<std::uint8_t>(i);
    }
  }
};
inline constexpr eight_lanes_orders eight_lanes{};

struct avx512bw_ops : generic_ops<xsimd::avx512bw> {
  template <class Lane>
  static batch<Lane> load_once(const void* from) {
    batch<Lane> a = load<Lane>(from);
    __asm__("" : "+v"(a.data));
    return a;
  }

  // Masked forms with every lane on: the plain ones start from an undefined register, of which g++ warns once inlined.
  static batch<std::int16_t> sign(batch<std::int16_t> a) { return _mm512_srai_epi16(a, 15); }
  static batch<std::int32_t> sign(batch<std::int32_t> a) { return _mm512_maskz_srai_epi32(0xffff, a, 31); }
  static batch<std::int64_t> sign(batch<std::int64_t> a) { return _mm512_maskz_srai_epi64(0xff, a, 63); }

  // xsimd 8.1's own does not compile unoptimized.
  template <class Lane>
  static batch<Lane> select(mask<Lane> m, batch<Lane> a, batch<Lane> b) {
    const __m512i set = a, unset = b;
    if constexpr (sizeof(Lane) == 1) return _mm512_mask_blend_epi8(m.data, unset, set);
    if constexpr (sizeof(Lane) == 2) return _mm512_mask_blend_epi16(m.data, unset, set);
    if constexpr (sizeof(Lane) == 4) return _mm512_mask_blend_epi32(m.data, unset, set);
    if constexpr (sizeof(Lane) == 8) return _mm512_mask_blend_epi64(m.data, unset, set);
  }

  template <class Lane>
  static batch<Lane> max(batch<Lane> a, batch<Lane> b) {
    if constexpr (sizeof(Lane) == 1) return _mm512_maskz_max_epi8(~0ull, a, b);
    if constexpr (sizeof(Lane) == 2) return _mm512_maskz_max_epi16(~0u, a, b);
    if constexpr (sizeof(Lane) == 4) return _mm512_maskz_max_epi32(0xffff, a, b);
    if constexpr (sizeof(Lane) == 8) return _mm512_maskz_max_epi64(0xff, a, b);
  }
  template <class Lane>
  static batch<Lane> min(batch<Lane> a, batch<Lane> b) {
    if constexpr (sizeof(Lane) == 1) return _mm512_maskz_min_epi8(~0ull, a, b);
    if constexpr (sizeof(Lane) == 2) return _mm512_maskz_min_epi16(~0u, a, b);
    if constexpr (sizeof(Lane) == 4) return _mm512_maskz_min_epi32(0xffff, a, b);
    if constexpr (sizeof(Lane) == 8) return _mm512_maskz_min_epi64(0xff, a, b);
  }

  template <class Lane>
  static std::uint64_t bits(mask<Lane> m) {
    return m.data;
  }

  static wide iota() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
  template <class Lane>
  static wide load_high(const void* from) {
    if constexpr (sizeof(Lane) == 8) {
      return load<std::int64_t>(from);
    } else if constexpr (sizeof(Lane) == 4) {
      const __m256i eight = _mm256_loadu_si256(static_cast<const __m256i*>(from));
      return _mm512_maskz_slli_epi64(0xff, _mm512_maskz_cvtepu32_epi64(0xff, eight), 32);
    } else if constexpr (sizeof(Lane) == 2) {
      const __m128i eight = _mm_loadu_si128(static_cast<const __m128i*>(from));
      return _mm512_maskz_slli_epi64(0xff, _mm512_maskz_cvtepu16_epi64(0xff, eight), 48);
    } else {
      const __m128i eight = _mm_loadl_epi64(static_cast<const __m128i*>(from));
      return _mm512_maskz_slli_epi64(0xff, _mm512_maskz_cvtepu8_epi64(0xff, eight), 56);
    }
  }
  template <class Lane>
  static void store_high(void* to, wide a) {
    const __m512i low = _mm512_maskz_srli_epi64(0xff, a, 64 - 8 * sizeof(Lane));
    if constexpr (sizeof(Lane) == 8) {
      store<std::int64_t>(to, a);
    } else if constexpr (sizeof(Lane) == 4) {
      _mm256_storeu_si256(static_cast<__m256i*>(to), _mm512_maskz_cvtepi64_epi32(0xff, low));
    } else if constexpr (sizeof(Lane) == 2) {
      _mm_storeu_si128(static_cast<__m128i*>(to), _mm512_maskz_cvtepi64_epi16(0xff, low));
    } else {
      _mm_storel_epi64(static_cast<__m128i*>(to), _mm512_maskz_cvtepi64_epi8(0xff, low));
    }
  }
  template <std::size_t W>
  static wide reverse(wide a) {
    if constexpr (W == 2) {
      return _mm512_maskz_shuffle_epi32(0xffff, a, _MM_PERM_BADC);
    } else if constexpr (W == 4) {
      return _mm512_maskz_permutex_epi64(0xff, a, _MM_SHUFFLE(0, 1, 2, 3));
    } else {
      return _mm512_maskz_permutexvar_epi64(0xff, _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), a);
    }
  }
  template <std::size_t W>
  static wide swap_halves(wide a) {
    if constexpr (W == 2) return reverse<2>(a);
    if constexpr (W == 4) return _mm512_maskz_permutex_epi64(0xff, a, _MM_SHUFFLE(1, 0, 3, 2));
    if constexpr (W == 8) return _mm512_maskz_shuffle_i64x2(0xff, a, a, _MM_SHUFFLE(1, 0, 3, 2));
  }
  template <std::size_t W>
  static wide first_halves(wide a, wide b) {
    if constexpr (W == 2) return _mm512_maskz_unpacklo_epi64(0xff, a, b);
    if constexpr (W == 4) return _mm512_permutex2var_epi64(a, _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), b);
    if constexpr (W == 8) return _mm512_maskz_shuffle_i64x2(0xff, a, b, _MM_SHUFFLE(1, 0, 1, 0));
  }
  template <std::size_t W>
  static wide second_halves(wide a, wide b) {
    if constexpr (W == 2) return _mm512_maskz_unpackhi_epi64(0xff, a, b);
    if constexpr (W == 4) return _mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2), b);
    if constexpr (W == 8) return _mm512_maskz_shuffle_i64x2(0xff, a, b, _MM_SHUFFLE(3, 2, 3, 2));
  }
  template <std::size_t W>
  static wide join(wide a, wide b) {
    return _mm512_mask_blend_epi64(W == 2 ? 0xaa : W == 4 ? 0xcc : 0xf0, a, b);
  }
  // A permute by a table of 2 KiB: a compress to memory, the shorter way, is microcoded on some CPUs.
  static wide partition(wide a, std::uint64_t bits) {
    const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(eight_lanes.order[bits]));
    return _mm512_maskz_permutexvar_epi64(0xff, _mm512_maskz_cvtepu8_epi64(0xff, order), a);
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
