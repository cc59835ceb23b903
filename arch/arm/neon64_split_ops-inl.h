// NEON's copy of 16 bytes, its byte shuffle, a table of one to four registers, and its deinterleaving loads.

#ifndef TOPSPLIT_ARCH_ARM_NEON64_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_ARM_NEON64_SPLIT_OPS_INL_H

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "arch/kernels/scalar_split_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// Six and eight ways: as three and four of two pieces each from either half of the rows, and the pairs then parted.
template <class Ops, std::size_t Piece, std::size_t Ways>
inline void deinterleave_pairs(const std::byte* from, typename Ops::gathered (&result)[Ways]) {
  typename Ops::gathered low[Ways / 2], high[Ways / 2];
  Ops::template deinterleave<2 * Piece>(from, low);
  Ops::template deinterleave<2 * Piece>(from + Ways / 2 * Ops::shuffle_bytes, high);
  for (std::size_t p = 0; p < Ways / 2; ++p) {
    result[2 * p] = Ops::template first_of_pairs<Piece>(low[p], high[p]);
    result[2 * p + 1] = Ops::template second_of_pairs<Piece>(low[p], high[p]);
  }
}

struct neon64_split_ops : scalar_split_ops {
  static constexpr std::size_t widest = 16;
  static constexpr std::size_t shuffle_bytes = 16;
  static constexpr std::size_t shuffle_lanes = 1;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == 16) {
      vst1q_u8(reinterpret_cast<std::uint8_t*>(to), load(from));
    } else {
      scalar_split_ops::copy<Bytes>(to, from);
    }
  }

  // Two pieces of 8 bytes.
  static constexpr std::size_t least_joined = 8;
  template <std::size_t>
  static void copy_joined(std::byte* to, const std::byte* from, std::size_t pitch) {
    const uint8x8_t low = vld1_u8(reinterpret_cast<const std::uint8_t*>(from));
    const uint8x8_t high = vld1_u8(reinterpret_cast<const std::uint8_t*>(from + pitch));
    vst1q_u8(reinterpret_cast<std::uint8_t*>(to), vcombine_u8(low, high));
  }

  using gathered = uint8x16_t;
  struct shuffle {
    uint8x16_t index;  // beyond 15: zero
    void set(const std::uint8_t* bytes) { index = vld1q_u8(bytes); }
  };
  static gathered gather(const std::byte* from, std::size_t, const shuffle& s) {
    return vqtbl1q_u8(load(from), s.index);
  }
  static gathered gather_more(gathered sum, const std::byte* from, std::size_t, const shuffle& s) {
    return vorrq_u8(sum, vqtbl1q_u8(load(from), s.index));
  }
  static void store(std::byte* to, std::size_t, gathered result) { store(to, result); }

  template <std::size_t Ways, std::size_t Piece>
  static constexpr bool loads_ways = Piece <= (Ways <= 4 ? 8 : 4);
  template <std::size_t Piece, std::size_t Ways>
  static void deinterleave(const std::byte* from, gathered (&result)[Ways]) {
    if constexpr (Ways > 4) {
      deinterleave_pairs<neon64_split_ops, Piece>(from, result);
    } else {
      if constexpr (Piece == 1) take(load_ways<Ways>(reinterpret_cast<const std::uint8_t*>(from)), result);
      if constexpr (Piece == 2) take(load_ways<Ways>(reinterpret_cast<const std::uint16_t*>(from)), result);
      if constexpr (Piece == 4) take(load_ways<Ways>(reinterpret_cast<const std::uint32_t*>(from)), result);
      if constexpr (Piece == 8) take(load_ways<Ways>(reinterpret_cast<const std::uint64_t*>(from)), result);
    }
  }

  template <std::size_t Piece>
  static gathered first_of_pairs(gathered a, gathered b) {
    if constexpr (Piece == 1) return vuzp1q_u8(a, b);
    if constexpr (Piece == 2) return bytes(vuzp1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    if constexpr (Piece == 4) return bytes(vuzp1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }
  template <std::size_t Piece>
  static gathered second_of_pairs(gathered a, gathered b) {
    if constexpr (Piece == 1) return vuzp2q_u8(a, b);
    if constexpr (Piece == 2) return bytes(vuzp2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    if constexpr (Piece == 4) return bytes(vuzp2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }

  // The rest: a table of four registers, and one of the others for the bytes that are not in the first.
  template <std::size_t Ways>
  struct way_inputs {
    uint8x16_t part[Ways];
    void load(const std::byte* from) {
      for (std::size_t i = 0; i < Ways; ++i) part[i] = neon64_split_ops::load(from + 16 * i);
    }
  };
  template <std::size_t Ways>
  struct way_taker {
    uint8x16_t index;
    void set(const std::uint16_t* source) {
      std::uint8_t bytes[16];
      for (std::size_t j = 0; j < 16; ++j) bytes[j] = static_cast<std::uint8_t>(source[j]);
      index = vld1q_u8(bytes);
    }
    gathered take(const way_inputs<Ways>& inputs) const {
      const auto& part = inputs.part;
      if constexpr (Ways == 2) {
        return vqtbl2q_u8({{part[0], part[1]}}, index);
      } else if constexpr (Ways == 3) {
        return vqtbl3q_u8({{part[0], part[1], part[2]}}, index);
      } else {
        const uint8x16_t low = vqtbl4q_u8({{part[0], part[1], part[2], part[3]}}, index);
        const uint8x16_t beyond = vsubq_u8(index, vdupq_n_u8(64));
        if constexpr (Ways == 6) return vqtbx2q_u8(low, {{part[4], part[5]}}, beyond);
        if constexpr (Ways == 8) return vqtbx4q_u8(low, {{part[4], part[5], part[6], part[7]}}, beyond);
        return low;
      }
    }
  };
  static void store(std::byte* to, gathered result) { vst1q_u8(reinterpret_cast<std::uint8_t*>(to), result); }

 private:
  static uint8x16_t load(const std::byte* from) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from)); }

  static uint8x16_t bytes(uint8x16_t a) { return a; }
  static uint8x16_t bytes(uint16x8_t a) { return vreinterpretq_u8_u16(a); }
  static uint8x16_t bytes(uint32x4_t a) { return vreinterpretq_u8_u32(a); }
  static uint8x16_t bytes(uint64x2_t a) { return vreinterpretq_u8_u64(a); }
  template <class Tuple, std::size_t Ways>
  static void take(const Tuple& loaded, gathered (&result)[Ways]) {
    for (std::size_t p = 0; p < Ways; ++p) result[p] = bytes(loaded.val[p]);
  }
  template <std::size_t Ways>
  static auto load_ways(const std::uint8_t* from) {
    if constexpr (Ways == 2) return vld2q_u8(from);
    if constexpr (Ways == 3) return vld3q_u8(from);
    if constexpr (Ways == 4) return vld4q_u8(from);
  }
  template <std::size_t Ways>
  static auto load_ways(const std::uint16_t* from) {
    if constexpr (Ways == 2) return vld2q_u16(from);
    if constexpr (Ways == 3) return vld3q_u16(from);
    if constexpr (Ways == 4) return vld4q_u16(from);
  }
  template <std::size_t Ways>
  static auto load_ways(const std::uint32_t* from) {
    if constexpr (Ways == 2) return vld2q_u32(from);
    if constexpr (Ways == 3) return vld3q_u32(from);
    if constexpr (Ways == 4) return vld4q_u32(from);
  }
  template <std::size_t Ways>
  static auto load_ways(const std::uint64_t* from) {
    if constexpr (Ways == 2) return vld2q_u64(from);
    if constexpr (Ways == 3) return vld3q_u64(from);
    if constexpr (Ways == 4) return vld4q_u64(from);
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
