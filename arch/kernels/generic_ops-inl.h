// The operations of an ISA on xsimd, whatever the ISA: what scalar_ops-inl.h lists, but for sign and bits.
//
// An ISA's own file (arch/x86, arch/arm) derives from this, gives sign and bits by its intrinsics, which xsimd 8.1 has no
// good form of (a mask goes through an array of bool there: 31 to 88 instructions instead of 1 to 3), and may replace
// others where that measurably wins.

#ifndef TOPSPLIT_ARCH_KERNELS_GENERIC_OPS_INL_H
#define TOPSPLIT_ARCH_KERNELS_GENERIC_OPS_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>
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
  static batch<Lane> load_once(const void* from) {
    return load<Lane>(from);
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
  static mask<Lane> equal(batch<Lane> a, batch<Lane> b) {
    return a == b;
  }
  template <class Lane>
  static batch<Lane> select(mask<Lane> m, batch<Lane> a, batch<Lane> b) {
    return xsimd::select(m, a, b);
  }
  template <class Lane>
  static batch<Lane> max(batch<Lane> a, batch<Lane> b) {
    return xsimd::max(a, b);
  }
  template <class Lane>
  static batch<Lane> min(batch<Lane> a, batch<Lane> b) {
    return xsimd::min(a, b);
  }
  template <class Lane>
  static bool any(mask<Lane> m) {
    return xsimd::any(m);
  }
  template <class Lane>
  static bool all(mask<Lane> m) {
    return xsimd::all(m);
  }

  // What moves 64-bit lanes goes through memory here: right on any ISA, and for each to replace by its shuffles.
  using wide = batch<std::int64_t>;
  static constexpr std::size_t wide_lanes = lanes<std::int64_t>;
  struct wide_array {
    alignas(64) std::int64_t lane[wide_lanes];
    wide_array() = default;
    explicit wide_array(wide a) { a.store_aligned(lane); }
    wide vector() const { return wide::load_aligned(lane); }
  };

  static wide iota() {
    wide_array result;
    for (std::size_t i = 0; i < wide_lanes; ++i) result.lane[i] = static_cast<std::int64_t>(i);
    return result.vector();
  }
  template <class Lane>
  static wide load_high(const void* from) {
    wide_array result;
    for (std::size_t i = 0; i < wide_lanes; ++i) {
      Lane value;
      std::memcpy(&value, static_cast<const char*>(from) + i * sizeof(Lane), sizeof(Lane));
      result.lane[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << (64 - 8 * sizeof(Lane)));
    }
    return result.vector();
  }
  template <class Lane>
  static void store_high(void* to, wide a) {
    const wide_array from(a);
    for (std::size_t i = 0; i < wide_lanes; ++i) {
      const Lane value = static_cast<Lane>(from.lane[i] >> (64 - 8 * sizeof(Lane)));
      std::memcpy(static_cast<char*>(to) + i * sizeof(Lane), &value, sizeof(Lane));
    }
  }
  template <std::size_t W>
  static wide reverse(wide a) {
    const wide_array from(a);
    wide_array result;
    for (std::size_t i = 0; i < wide_lanes; ++i) result.lane[i] = from.lane[i ^ (W - 1)];
    return result.vector();
  }
  template <std::size_t W>
  static wide swap_halves(wide a) {
    const wide_array from(a);
    wide_array result;
    for (std::size_t i = 0; i < wide_lanes; ++i) result.lane[i] = from.lane[i ^ W / 2];
    return result.vector();
  }
  template <std::size_t W>
  static wide join(wide a, wide b) {
    const wide_array first(a);
    wide_array result(b);
    for (std::size_t i = 0; i < wide_lanes; ++i)
      if ((i & (W / 2)) == 0) result.lane[i] = first.lane[i];
    return result.vector();
  }
  template <std::size_t W>
  static wide first_halves(wide a, wide b) {
    return join<W>(a, swap_halves<W>(b));
  }
  template <std::size_t W>
  static wide second_halves(wide a, wide b) {
    return join<W>(swap_halves<W>(a), b);
  }
  static wide partition(wide a, std::uint64_t bits) {
    const wide_array from(a);
    wide_array result;
    std::size_t count = 0;
    for (std::size_t i = 0; i < wide_lanes; ++i)
      if ((bits >> i & 1) != 0) result.lane[count++] = from.lane[i];
    for (std::size_t i = 0; i < wide_lanes; ++i)
      if ((bits >> i & 1) == 0) result.lane[count++] = from.lane[i];
    return result.vector();
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
