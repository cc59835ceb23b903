// NEON's own forms of sign and bits.

#ifndef TOPSPLIT_ARCH_ARM_NEON64_OPS_INL_H
#define TOPSPLIT_ARCH_ARM_NEON64_OPS_INL_H

#include <arm_neon.h>

#include <cstdint>

#include "arch/kernels/generic_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct neon64_ops : generic_ops<xsimd::neon64> {
  static batch<std::int16_t> sign(batch<std::int16_t> a) { return vshrq_n_s16(a, 15); }
  static batch<std::int32_t> sign(batch<std::int32_t> a) { return vshrq_n_s32(a, 31); }
  static batch<std::int64_t> sign(batch<std::int64_t> a) { return vshrq_n_s64(a, 63); }

  // There is no movemask: each lane keeps the bit of its own place, and the sum over the lanes is the mask.
  static std::uint64_t bits(mask<std::int8_t> m) {
    const uint8x8_t place = vcreate_u8(0x8040201008040201);
    const uint8x16_t placed = vandq_u8(m, vcombine_u8(place, place));
    return vaddv_u8(vget_low_u8(placed)) | static_cast<std::uint64_t>(vaddv_u8(vget_high_u8(placed))) << 8;
  }
  static std::uint64_t bits(mask<std::int16_t> m) {
    const uint16x8_t place = vcombine_u16(vcreate_u16(0x0008000400020001), vcreate_u16(0x0080004000200010));
    return vaddvq_u16(vandq_u16(m, place));
  }
  static std::uint64_t bits(mask<std::int32_t> m) {
    const uint32x4_t place = vcombine_u32(vcreate_u32(0x0000000200000001), vcreate_u32(0x0000000800000004));
    return vaddvq_u32(vandq_u32(m, place));
  }
  static std::uint64_t bits(mask<std::int64_t> m) { return (vgetq_lane_u64(m, 0) & 1) | (vgetq_lane_u64(m, 1) & 2); }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
