// The operator's order as integers: element -> signed key, larger is greater, equal is tied.
//
// Integers order themselves (unsigned ones with the top bit flipped). For the floats, with f32's numbers:
//
//   s(b) = b ^ (b < 0 ? 0x7fffffff : 0)   two's complement order of the bits; -0 is -1, +0 is 0
//   w(b) = s(b) - 0x007fffff              wraps, so that -inf is the least int32 and every NaN, of either
//                                         sign, lies at 0x7f000002 or above, past +inf at 0x7f000001
//
// w costs a vector four operations and is the order but for two seams: -0 stands one below +0, and NaNs differ among each
// other. key() closes both. A filter can leave w as it is if its threshold lies on the right side of the seam
// (threshold_greater, threshold_less), and is then exact: no element that the order keeps is lost, none is let through in vain.
// No float is ever compared, so neither NaN nor the thread's denormal and rounding modes can matter.

#ifndef TOPSPLIT_ARCH_KERNELS_TOTAL_ORDER_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOTAL_ORDER_INL_H

#include <cstdint>

namespace topsplit::TOPSPLIT_KERNELS {

// Signed integers of one size and the arithmetic that wraps.
template <class Lane>
struct lane_limits;
template <>
struct lane_limits<std::int8_t> {
  static constexpr std::int8_t least = INT8_MIN, greatest = INT8_MAX;
};
template <>
struct lane_limits<std::int16_t> {
  static constexpr std::int16_t least = INT16_MIN, greatest = INT16_MAX;
};
template <>
struct lane_limits<std::int32_t> {
  static constexpr std::int32_t least = INT32_MIN, greatest = INT32_MAX;
};
template <>
struct lane_limits<std::int64_t> {
  static constexpr std::int64_t least = INT64_MIN, greatest = INT64_MAX;
};

template <class Lane>
inline Lane wrapping_sub(Lane a, Lane b) {
  return static_cast<Lane>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

template <class Lane>
struct signed_order {
  using lane = Lane;
  static lane key(lane bits) { return bits; }
  static lane threshold_greater(lane key) { return key; }
  static lane threshold_less(lane key) { return key; }
  template <class Isa, class Batch>
  static Batch ordered(Batch bits) {
    return bits;
  }
};

template <class Lane>
struct unsigned_order : signed_order<Lane> {
  static Lane key(Lane bits) { return static_cast<Lane>(bits ^ lane_limits<Lane>::least); }
  template <class Isa, class Batch>
  static Batch ordered(Batch bits) {
    return bits ^ Isa::template broadcast<Lane>(lane_limits<Lane>::least);
  }
};

// Infinity: the bits of +inf; the number below it fills the mantissa, so w's offset is known from it.
template <class Lane, Lane Infinity>
struct float_order {
  using lane = Lane;
  static constexpr lane greatest = lane_limits<Lane>::greatest;
  static constexpr lane offset = static_cast<lane>(greatest - Infinity);  // 0x007fffff
  static constexpr lane zero = static_cast<lane>(-offset);                // w(+0)
  static constexpr lane nan = static_cast<lane>(Infinity - offset + 1);   // the least w of a NaN

  static lane key(lane bits) {
    const lane flipped = static_cast<lane>(bits < 0 ? bits ^ greatest : bits);
    const lane w = wrapping_sub(flipped, offset);
    return w > nan ? nan : w == zero - 1 ? zero : w;
  }

  // w(b) > threshold_greater(key(a)) exactly when b is greater than a: nothing is greater than NaN.
  static lane threshold_greater(lane key) { return key == nan ? greatest : key; }

  // threshold_less(key(a)) > w(b) exactly when b is less than a: -0 is not less than +0.
  static lane threshold_less(lane key) { return key == zero ? static_cast<lane>(zero - 1) : key; }

  template <class Isa, class Batch>
  static Batch ordered(Batch bits) {
    const Batch flipped = bits ^ (Isa::sign(bits) & Isa::template broadcast<Lane>(greatest));
    return flipped - Isa::template broadcast<Lane>(offset);
  }
};

using order_u8 = unsigned_order<std::int8_t>;
using order_u16 = unsigned_order<std::int16_t>;
using order_u32 = unsigned_order<std::int32_t>;
using order_u64 = unsigned_order<std::int64_t>;
using order_i8 = signed_order<std::int8_t>;
using order_i16 = signed_order<std::int16_t>;
using order_i32 = signed_order<std::int32_t>;
using order_i64 = signed_order<std::int64_t>;
using order_f16 = float_order<std::int16_t, 0x7c00>;
using order_bf16 = float_order<std::int16_t, 0x7f80>;
using order_f32 = float_order<std::int32_t, 0x7f800000>;
using order_f64 = float_order<std::int64_t, 0x7ff0000000000000>;

// The two directions of TopK. rank() turns a key into one for which larger is better, so that what keeps and sorts the
// chosen elements knows no direction; passes() is the vector filter against a threshold made from a rank.
struct largest {
  template <class Lane>
  static Lane rank(Lane key) {
    return key;
  }
  template <class Order>
  static typename Order::lane threshold(typename Order::lane rank) {
    return Order::threshold_greater(rank);
  }
  template <class Isa, class Batch>
  static auto passes(Batch ordered, Batch threshold) {
    return Isa::greater(ordered, threshold);
  }
};

struct smallest {
  template <class Lane>
  static Lane rank(Lane key) {
    return static_cast<Lane>(~key);
  }
  template <class Order>
  static typename Order::lane threshold(typename Order::lane rank) {
    return Order::threshold_less(static_cast<typename Order::lane>(~rank));
  }
  template <class Isa, class Batch>
  static auto passes(Batch ordered, Batch threshold) {
    return Isa::greater(threshold, ordered);
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
