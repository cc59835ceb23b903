// NEON's own forms of what xsimd has none of, or takes apart lane by lane: masks as bits, 64-bit minimum and maximum, and all
// that moves 64-bit lanes.

#ifndef TOPSPLIT_ARCH_ARM_NEON64_OPS_INL_H
#define TOPSPLIT_ARCH_ARM_NEON64_OPS_INL_H

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// For each mask of two lanes the order of their bytes: only where the second lane alone is set it comes first.
alignas(16) inline constexpr std::uint8_t two_lanes_orders[4][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

struct neon64_ops : generic_ops<xsimd::neon64> {
  static batch<std::int16_t> sign(batch<std::int16_t> a) { return vshrq_n_s16(a, 15); }
  static batch<std::int32_t> sign(batch<std::int32_t> a) { return vshrq_n_s32(a, 31); }
  static batch<std::int64_t> sign(batch<std::int64_t> a) { return vshrq_n_s64(a, 63); }

  template <class Lane>
  static batch<Lane> max(batch<Lane> a, batch<Lane> b) {
    if constexpr (sizeof(Lane) == 8) return vbslq_s64(vcgtq_s64(a, b), a, b);
    return xsimd::max(a, b);
  }
  template <class Lane>
  static batch<Lane> min(batch<Lane> a, batch<Lane> b) {
    if constexpr (sizeof(Lane) == 8) return vbslq_s64(vcgtq_s64(a, b), b, a);
    return xsimd::min(a, b);
  }

  // There is no movemask: each lane keeps the bit of its own place, and the sum over the lanes is the mask. Bytes have eight
  // places, so those of the upper half go to the upper bytes of 16-bit lanes.
  static std::uint64_t bits(mask<std::int8_t> m) {
    const uint8x8_t place = vcreate_u8(0x8040201008040201);
    const uint8x16_t placed = vandq_u8(m, vcombine_u8(place, place));
    return vaddvq_u16(vreinterpretq_u16_u8(vzip1q_u8(placed, vextq_u8(placed, placed, 8))));
  }
  static std::uint64_t bits(mask<std::int16_t> m) {
    const uint16x8_t place = vcombine_u16(vcreate_u16(0x0008000400020001), vcreate_u16(0x0080004000200010));
    return vaddvq_u16(vandq_u16(m, place));
  }
  static std::uint64_t bits(mask<std::int32_t> m) {
    const uint32x4_t place = vcombine_u32(vcreate_u32(0x0000000200000001), vcreate_u32(0x0000000800000004));
    return vaddvq_u32(vandq_u32(m, place));
  }
  static std::uint64_t bits(mask<std::int64_t> m) {
    return vaddvq_u64(vandq_u64(m, vcombine_u64(vcreate_u64(1), vcreate_u64(2))));
  }

  static wide iota() { return vcombine_s64(vcreate_s64(0), vcreate_s64(1)); }
  // Short elements come in one scalar load, and a table look-up puts their bytes to the top of each lane.
  template <class Lane>
  static wide load_high(const void* from) {
    if constexpr (sizeof(Lane) == 8) {
      return load<std::int64_t>(from);
    } else if constexpr (sizeof(Lane) == 4) {
      const uint32x4_t two = vcombine_u32(vcreate_u32(load_pair<std::uint64_t>(from)), vcreate_u32(0));
      return vreinterpretq_s64_u32(vzip1q_u32(vdupq_n_u32(0), two));
    } else if constexpr (sizeof(Lane) == 2) {
      return take_bytes(load_pair<std::uint32_t>(from), 0x0100808080808080, 0x0302808080808080);
    } else {
      return take_bytes(load_pair<std::uint16_t>(from), 0x0080808080808080, 0x0180808080808080);
    }
  }
  template <class Lane>
  static void store_high(void* to, wide a) {
    if constexpr (sizeof(Lane) == 8) {
      store<std::int64_t>(to, a);
    } else if constexpr (sizeof(Lane) == 4) {
      const int32x2_t two = vshrn_n_s64(a, 32);
      std::memcpy(to, &two, sizeof two);
    } else {
      const uint8x8_t order = vcreate_u8(sizeof(Lane) == 2 ? 0x0f0e0706 : 0x0f07);
      const uint8x8_t two = vqtbl1_u8(vreinterpretq_u8_s64(a), order);
      if constexpr (sizeof(Lane) == 2) {
        const std::uint32_t pair = vget_lane_u32(vreinterpret_u32_u8(two), 0);
        std::memcpy(to, &pair, sizeof pair);
      } else {
        const std::uint16_t pair = vget_lane_u16(vreinterpret_u16_u8(two), 0);
        std::memcpy(to, &pair, sizeof pair);
      }
    }
  }
  template <std::size_t W>
  static wide reverse(wide a) {
    return vextq_s64(a, a, 1);
  }
  template <std::size_t W>
  static wide swap_halves(wide a) {
    return reverse<2>(a);
  }
  template <std::size_t W>
  static wide join(wide a, wide b) {
    return vcopyq_laneq_s64(a, 1, b, 1);
  }
  template <std::size_t W>
  static wide first_halves(wide a, wide b) {
    return vzip1q_s64(a, b);
  }
  template <std::size_t W>
  static wide second_halves(wide a, wide b) {
    return vzip2q_s64(a, b);
  }
  static wide partition(wide a, std::uint64_t bits) {
    return vreinterpretq_s64_u8(vqtbl1q_u8(vreinterpretq_u8_s64(a), vld1q_u8(two_lanes_orders[bits])));
  }

 private:
  template <class Pair>
  static Pair load_pair(const void* from) {
    Pair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
  }
  // An index beyond 15 gives zero.
  static wide take_bytes(std::uint64_t from, std::uint64_t low, std::uint64_t high) {
    const uint8x16_t bytes = vcombine_u8(vcreate_u8(from), vcreate_u8(0));
    return vreinterpretq_s64_u8(vqtbl1q_u8(bytes, vcombine_u8(vcreate_u8(low), vcreate_u8(high))));
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
