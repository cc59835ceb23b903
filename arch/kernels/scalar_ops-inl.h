// The operations of an ISA without vectors: a batch is one element, a mask one bool.
//
// This is also the list of what a kernel may ask of an ISA:
//   batch<Lane>, lanes<Lane>          a vector of signed integers, and how many it holds
//   load, store, broadcast            at any address
//   greater(a, b)                     signed compare; masks combine with |
//   any(mask), bits(mask)             is a lane set; bit b is lane b
//   sign(a)                           all ones where a is negative, else 0
// and of a batch: ^ & - (wrapping).

#ifndef TOPSPLIT_ARCH_KERNELS_SCALAR_OPS_INL_H
#define TOPSPLIT_ARCH_KERNELS_SCALAR_OPS_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace topsplit::TOPSPLIT_KERNELS {

template <class Lane>
struct scalar_batch {
  Lane value;

  friend scalar_batch operator^(scalar_batch a, scalar_batch b) { return {static_cast<Lane>(a.value ^ b.value)}; }
  friend scalar_batch operator&(scalar_batch a, scalar_batch b) { return {static_cast<Lane>(a.value & b.value)}; }
  friend scalar_batch operator-(scalar_batch a, scalar_batch b) {
    return {static_cast<Lane>(static_cast<std::uint64_t>(a.value) - static_cast<std::uint64_t>(b.value))};
  }
};

struct scalar_ops {
  template <class Lane>
  using batch = scalar_batch<Lane>;
  template <class Lane>
  static constexpr std::size_t lanes = 1;

  template <class Lane>
  static scalar_batch<Lane> load(const void* from) {
    scalar_batch<Lane> batch;
    std::memcpy(&batch.value, from, sizeof(Lane));
    return batch;
  }
  template <class Lane>
  static void store(void* to, scalar_batch<Lane> batch) {
    std::memcpy(to, &batch.value, sizeof(Lane));
  }
  template <class Lane>
  static scalar_batch<Lane> broadcast(Lane value) {
    return {value};
  }
  template <class Lane>
  static bool greater(scalar_batch<Lane> a, scalar_batch<Lane> b) {
    return a.value > b.value;
  }
  static bool any(int mask) { return mask != 0; }  // bool | bool is an int
  static std::uint64_t bits(bool mask) { return mask; }
  template <class Lane>
  static scalar_batch<Lane> sign(scalar_batch<Lane> a) {
    return {static_cast<Lane>(a.value < 0 ? -1 : 0)};
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
