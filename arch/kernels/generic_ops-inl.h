// The operations of an ISA on xsimd, whatever the ISA: what scalar_ops-inl.h lists, but for sign and bits.
//
// An ISA's own file (arch/x86, arch/arm) derives from this, gives sign and bits by its intrinsics, which xsimd 8.1 has no
// good form of (a mask goes through an array of bool there: 31 to 88 instructions instead of 1 to 3), and may replace
// others where that measurably wins.

#ifndef TOPSPLIT_ARCH_KERNELS_GENERIC_OPS_INL_H
#define TOPSPLIT_ARCH_KERNELS_GENERIC_OPS_INL_H

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace topsplit::TOPSPLIT_KERNELS {

template <class Arch>
struct generic_ops {
  template <class Lane>
  using batch = xsimd::batch<Lane, Arch>;
  template <class Lane>
  using mask = xsimd::batch_bool<Lane, Arch>;
  template <class Lane>
  static constexpr std::size_t lanes = sizeof(batch<Lane>) / sizeof(Lane);

  template <class Lane>
  static batch<Lane> load(const void* from) {
    return batch<Lane>::load_unaligned(static_cast<const Lane*>(from));
  }
  template <class Lane>
  static void store(void* to, batch<Lane> vector) {
    vector.store_unaligned(static_cast<Lane*>(to));
  }
  template <class Lane>
  static batch<Lane> broadcast(Lane value) {
    return batch<Lane>(value);
  }
  template <class Lane>
  static mask<Lane> greater(batch<Lane> a, batch<Lane> b) {
    return a > b;
  }
  template <class Lane>
  static bool any(mask<Lane> m) {
    return xsimd::any(m);
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
