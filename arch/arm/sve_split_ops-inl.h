// SVE's copies of a whole vector, its byte shuffle over a whole vector and its deinterleaving loads.

#ifndef TOPSPLIT_ARCH_ARM_SVE_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_ARM_SVE_SPLIT_OPS_INL_H

#include <arm_sve.h>

#include <cstddef>
#include <cstdint>

#include "arch/arm/neon64_split_ops-inl.h"
#include "arch/arm/sve_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct sve_split_ops : neon64_split_ops {
  static constexpr std::size_t widest = sve_bytes;
  static constexpr std::size_t least_joined = widest;
  static constexpr std::size_t shuffle_bytes = sve_bytes;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == sve_bytes) {
      store(to, load(from));
    } else if constexpr (Bytes == 32) {
      const svbool_t half = svptrue_pat_b8(SV_VL32);
      svst1_u8(half, reinterpret_cast<std::uint8_t*>(to), svld1_u8(half, reinterpret_cast<const std::uint8_t*>(from)));
    } else {
      neon64_split_ops::copy<Bytes>(to, from);
    }
  }

  using gathered = sve_u8;
  struct shuffle {
    sve_u8 index;  // beyond the vector: zero
    void set(const std::uint8_t* bytes) { index = svld1_u8(svptrue_b8(), bytes); }
  };
  static gathered gather(const std::byte* from, std::size_t, const shuffle& s) { return svtbl_u8(load(from), s.index); }
  static gathered gather_more(gathered sum, const std::byte* from, std::size_t, const shuffle& s) {
    return svorr_u8_x(svptrue_b8(), sum, svtbl_u8(load(from), s.index));
  }
  static void store(std::byte* to, std::size_t, gathered result) { store(to, result); }

  template <std::size_t Piece, std::size_t Ways>
  static void deinterleave(const std::byte* from, gathered (&result)[Ways]) {
    if constexpr (Ways > 4) {
      deinterleave_pairs<sve_split_ops, Piece>(from, result);
    } else {
      if constexpr (Piece == 1)
        take(load_ways<Ways>(svptrue_b8(), reinterpret_cast<const std::uint8_t*>(from)), result);
      if constexpr (Piece == 2)
        take(load_ways<Ways>(svptrue_b16(), reinterpret_cast<const std::uint16_t*>(from)), result);
      if constexpr (Piece == 4)
        take(load_ways<Ways>(svptrue_b32(), reinterpret_cast<const std::uint32_t*>(from)), result);
      if constexpr (Piece == 8)
        take(load_ways<Ways>(svptrue_b64(), reinterpret_cast<const std::uint64_t*>(from)), result);
    }
  }

  template <std::size_t Piece>
  static gathered first_of_pairs(gathered a, gathered b) {
    if constexpr (Piece == 1) return svuzp1_u8(a, b);
    if constexpr (Piece == 2) return svreinterpret_u8(svuzp1(svreinterpret_u16(a), svreinterpret_u16(b)));
    if constexpr (Piece == 4) return svreinterpret_u8(svuzp1(svreinterpret_u32(a), svreinterpret_u32(b)));
  }
  template <std::size_t Piece>
  static gathered second_of_pairs(gathered a, gathered b) {
    if constexpr (Piece == 1) return svuzp2_u8(a, b);
    if constexpr (Piece == 2) return svreinterpret_u8(svuzp2(svreinterpret_u16(a), svreinterpret_u16(b)));
    if constexpr (Piece == 4) return svreinterpret_u8(svuzp2(svreinterpret_u32(a), svreinterpret_u32(b)));
  }

  template <std::size_t Ways>
  struct way_inputs {
    sve_u8 part[Ways];
    void load(const std::byte* from) {
      for (std::size_t i = 0; i < Ways; ++i) part[i] = sve_split_ops::load(from + sve_bytes * i);
    }
  };
  template <std::size_t Ways>
  struct way_taker {
    shuffle from[Ways];
    void set(const std::uint16_t* source) {
      for (std::size_t i = 0; i < Ways; ++i) {
        std::uint8_t index[sve_bytes];
        for (std::size_t j = 0; j < sve_bytes; ++j) {
          index[j] = static_cast<std::uint8_t>(source[j] / sve_bytes == i ? source[j] % sve_bytes : 0x80);
        }
        from[i].set(index);
      }
    }
    gathered take(const way_inputs<Ways>& inputs) const {
      svuint8_t sum = svtbl_u8(inputs.part[0], from[0].index);
      for (std::size_t i = 1; i < Ways; ++i) {
        sum = svorr_u8_x(svptrue_b8(), sum, svtbl_u8(inputs.part[i], from[i].index));
      }
      return sum;
    }
  };
  static void store(std::byte* to, gathered result) {
    svst1_u8(svptrue_b8(), reinterpret_cast<std::uint8_t*>(to), result);
  }

 private:
  static svuint8_t load(const std::byte* from) {
    return svld1_u8(svptrue_b8(), reinterpret_cast<const std::uint8_t*>(from));
  }
  template <std::size_t Ways, class Unsigned>
  static auto load_ways(svbool_t all, const Unsigned* from) {
    if constexpr (Ways == 2) return svld2(all, from);
    if constexpr (Ways == 3) return svld3(all, from);
    if constexpr (Ways == 4) return svld4(all, from);
  }
  template <class Tuple, std::size_t Ways>
  static void take(Tuple loaded, gathered (&result)[Ways]) {
    if constexpr (Ways == 2) {
      result[0] = svreinterpret_u8(svget2(loaded, 0));
      result[1] = svreinterpret_u8(svget2(loaded, 1));
    } else if constexpr (Ways == 3) {
      result[0] = svreinterpret_u8(svget3(loaded, 0));
      result[1] = svreinterpret_u8(svget3(loaded, 1));
      result[2] = svreinterpret_u8(svget3(loaded, 2));
    } else {
      result[0] = svreinterpret_u8(svget4(loaded, 0));
      result[1] = svreinterpret_u8(svget4(loaded, 1));
      result[2] = svreinterpret_u8(svget4(loaded, 2));
      result[3] = svreinterpret_u8(svget4(loaded, 3));
    }
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
