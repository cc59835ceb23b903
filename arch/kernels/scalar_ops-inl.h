// The operations of an ISA without vectors: a batch is one element, a mask an int, 0 or 1.
//
// This is also the list of what a kernel may ask of an ISA:
//   batch<Lane>, lanes<Lane>          a vector of signed integers, and how many it holds
//   load, store, broadcast            at any address
//   load_once                         a load that no compiler does again for a second use: the filter is bound by loads
//   greater(a, b), equal(a, b)        signed compare; masks combine with |, & and ~
//   any(mask), all(mask), bits(mask)  is a lane set, are all; bit b is lane b
//   select(mask, a, b)                a where the mask is set, else b
//   max(a, b), min(a, b)
//   sign(a)                           all ones where a is negative, else 0
// and of a batch: ^ & | + - (wrapping). For vectors of 64-bit lanes, W a power of two up to their number:
//   iota()                            0, 1, 2, ...
//   load_high<Lane>(from)             consecutive elements of a narrower type, each in the high bits of its lane, zeros below
//   store_high<Lane>(to, a)           the inverse: the high bits, narrowed
//   reverse<W>(a)                     every W neighbouring lanes in reverse order
//   swap_halves<W>(a)                 of every W neighbouring lanes the second half before the first
//   join<W>(a, b)                     of every W neighbouring lanes the first half from a, the second from b
//   first_halves<W>(a, b)             of every W neighbouring lanes the first half from a, then that of b
//   second_halves<W>(a, b)            likewise
//   partition(a, bits)                the lanes whose bit is set, in their order, then the others, in theirs

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
  friend scalar_batch operator|(scalar_batch a, scalar_batch b) { return {static_cast<Lane>(a.value | b.value)}; }
  friend scalar_batch operator+(scalar_batch a, scalar_batch b) {
    return {static_cast<Lane>(static_cast<std::uint64_t>(a.value) + static_cast<std::uint64_t>(b.value))};
  }
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
  static scalar_batch<Lane> load_once(const void* from) {
    return load<Lane>(from);
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
  static int greater(scalar_batch<Lane> a, scalar_batch<Lane> b) {
    return a.value > b.value;
  }
  template <class Lane>
  static int equal(scalar_batch<Lane> a, scalar_batch<Lane> b) {
    return a.value == b.value;
  }
  template <class Lane>
  static scalar_batch<Lane> select(int mask, scalar_batch<Lane> a, scalar_batch<Lane> b) {
    return mask != 0 ? a : b;
  }
  template <class Lane>
  static scalar_batch<Lane> max(scalar_batch<Lane> a, scalar_batch<Lane> b) {
    return b.value > a.value ? b : a;
  }
  template <class Lane>
  static scalar_batch<Lane> min(scalar_batch<Lane> a, scalar_batch<Lane> b) {
    return b.value < a.value ? b : a;
  }
  static bool any(int mask) { return mask != 0; }
  static bool all(int mask) { return mask != 0; }
  static std::uint64_t bits(int mask) { return mask != 0; }
  template <class Lane>
  static scalar_batch<Lane> sign(scalar_batch<Lane> a) {
    return {static_cast<Lane>(a.value < 0 ? -1 : 0)};
  }

  static scalar_batch<std::int64_t> iota() { return {0}; }
  template <class Lane>
  static scalar_batch<std::int64_t> load_high(const void* from) {
    Lane value;
    std::memcpy(&value, from, sizeof(Lane));
    return {static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << (64 - 8 * sizeof(Lane)))};
  }
  template <class Lane>
  static void store_high(void* to, scalar_batch<std::int64_t> a) {
    const Lane value = static_cast<Lane>(a.value >> (64 - 8 * sizeof(Lane)));
    std::memcpy(to, &value, sizeof(Lane));
  }
  template <std::size_t W>
  static scalar_batch<std::int64_t> reverse(scalar_batch<std::int64_t> a) {
    return a;
  }
  template <std::size_t W>
  static scalar_batch<std::int64_t> swap_halves(scalar_batch<std::int64_t> a) {
    return a;
  }
  template <std::size_t W>
  static scalar_batch<std::int64_t> join(scalar_batch<std::int64_t> a, scalar_batch<std::int64_t>) {
    return a;
  }
  template <std::size_t W>
  static scalar_batch<std::int64_t> first_halves(scalar_batch<std::int64_t> a, scalar_batch<std::int64_t>) {
    return a;
  }
  template <std::size_t W>
  static scalar_batch<std::int64_t> second_halves(scalar_batch<std::int64_t>, scalar_batch<std::int64_t> b) {
    return b;
  }
  static scalar_batch<std::int64_t> partition(scalar_batch<std::int64_t> a, std::uint64_t) { return a; }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
