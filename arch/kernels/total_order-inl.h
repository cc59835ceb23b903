// The operator's order as integers: element -> signed rank, larger is better in the call's direction, equal is tied.
//
// Integers order themselves, but for bits to flip: the top one of unsigned, all for `smallest`. For the floats, with f32's
// numbers and `largest`:
//
//   s(b) = b ^ (b < 0 ? 0x7fffffff : 0)   two's complement order of the bits; -0 is -1, +0 is 0
//   w(b) = s(b) - 0x007fffff              wraps, so that -inf is the least int32 and every NaN, of either
//                                         sign, lies at 0x7f000002 or above, past +inf at 0x7f000001
//
// and ~w(b) for `smallest`, which is one subtraction, too. w costs a vector four operations and is the order but for two seams:
// -0 stands one below +0, and NaNs differ among each other. rank() closes both. A filter can leave w as it is if its
// threshold lies on the right side of the seam (threshold, floor), and is then exact: no element that the order keeps is lost,
// none is let through in vain. No float is ever compared: neither NaN nor the thread's denormal and rounding modes can matter.

#ifndef TOPSPLIT_ARCH_KERNELS_TOTAL_ORDER_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOTAL_ORDER_INL_H

#include <cstdint>

#include "arch/kernel_table.h"

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

// A lane's value in the high bits of a wider one, where the arithmetic of the lane wraps by itself.
template <class Wide, class Lane>
constexpr Wide in_high_bits(Lane value) {
  return static_cast<Wide>(static_cast<std::uint64_t>(value) << 8 * (sizeof(Wide) - sizeof(Lane)));
}

// An order is made for a call. ordered is w: a rank but for the seams; fold closes them, bits is the inverse of a rank but for
// what it folds together (is_folded). On vectors these work with lanes of Wide: the element's own, or wider ones that hold
// the element in their high bits with zeros below.
template <class Lane>
class integer_order {
 public:
  using lane = Lane;
  static constexpr bool folds = false;

  explicit integer_order(const kernels::topk_call& call) : integer_order(call.type, call.largest) {}
  integer_order(kernels::element type, bool largest)
      : flipped_(static_cast<lane>((type < kernels::element::i8 ? lane_limits<lane>::least : 0) ^ (largest ? 0 : -1))) {
  }

  lane rank(lane bits) const { return static_cast<lane>(bits ^ flipped_); }
  lane bits(lane rank) const { return this->rank(rank); }
  lane rank_of_ordered(lane ordered) const { return ordered; }
  bool is_folded(lane) const { return false; }

  // ordered > threshold(rank) exactly where better, floor(rank) > ordered exactly where worse.
  lane threshold(lane rank) const { return rank; }
  lane floor(lane rank) const { return rank; }

  template <class Isa, class Wide, class Batch>
  Batch ordered(Batch bits) const {
    return bits ^ Isa::template broadcast<Wide>(in_high_bits<Wide>(flipped_));
  }
  template <class Isa, class Wide, class Batch>
  Batch fold(Batch ordered) const {
    return ordered;
  }
  template <class Isa, class Wide, class Batch>
  Batch bits(Batch rank) const {
    return ordered<Isa, Wide>(rank);
  }

 private:
  lane flipped_;
};

template <class Lane, bool Largest>
class float_order {
 public:
  using lane = Lane;
  static constexpr bool folds = true;

  explicit float_order(const kernels::topk_call& call) : float_order(call.type, call.largest) {}
  float_order(kernels::element type, bool) : float_order(infinity(type)) {}

  lane rank(lane bits) const {
    const lane flipped = static_cast<lane>(bits < 0 ? bits ^ greatest : bits);
    return rank_of_ordered(turned(wrapping_sub(flipped, offset_)));
  }
  lane rank_of_ordered(lane ordered) const {
    const lane w = turned(ordered);
    return turned(w > nan_ ? nan_ : w == minus_zero() ? zero_ : w);
  }
  lane bits(lane rank) const {
    const lane flipped = wrapping_sub(turned(rank), static_cast<lane>(-offset_));
    return static_cast<lane>(flipped < 0 ? flipped ^ greatest : flipped);
  }
  bool is_folded(lane rank) const { return rank == zero_rank() || rank == nan_rank(); }
  lane zero_rank() const { return turned(zero_); }
  lane nan_rank() const { return turned(nan_); }

  // ordered > threshold(rank) exactly where better, floor(rank) > ordered exactly where worse: nothing is greater than NaN, and -0
  // is not less than +0.
  lane threshold(lane rank) const { return Largest ? above(rank) : turned(below(turned(rank))); }
  lane floor(lane rank) const { return Largest ? below(rank) : turned(above(turned(rank))); }

  template <class Isa, class Wide, class Batch>
  Batch ordered(Batch bits) const {
    if constexpr (Largest) return flip<Isa, Wide>(bits) - all<Isa, Wide>(offset_);
    return all<Isa, Wide>(static_cast<lane>(offset_ - 1)) - flip<Isa, Wide>(bits);
  }
  template <class Isa, class Wide, class Batch>
  Batch fold(Batch ordered) const {
    const Batch nan = all<Isa, Wide>(turned(nan_)), zero = all<Isa, Wide>(turned(zero_));
    const Batch one_nan = Largest ? Isa::template min<Wide>(ordered, nan) : Isa::template max<Wide>(ordered, nan);
    return Isa::template select<Wide>(Isa::template equal<Wide>(ordered, all<Isa, Wide>(turned(minus_zero()))), zero,
                                      one_nan);
  }
  template <class Isa, class Wide, class Batch>
  Batch bits(Batch rank) const {
    if constexpr (Largest) return flip<Isa, Wide>(Batch(rank + all<Isa, Wide>(offset_)));
    return flip<Isa, Wide>(Batch(all<Isa, Wide>(static_cast<lane>(offset_ - 1)) - rank));
  }

 private:
  static constexpr lane greatest = lane_limits<Lane>::greatest;

  static constexpr lane infinity(kernels::element type) {
    return static_cast<lane>(type == kernels::element::f16    ? 0x7c00
                             : type == kernels::element::bf16 ? 0x7f80
                             : type == kernels::element::f32  ? 0x7f800000
                                                              : 0x7ff0000000000000);
  }
  explicit float_order(lane infinity)
      : offset_(static_cast<lane>(greatest - infinity)),
        zero_(static_cast<lane>(-offset_)),
        nan_(static_cast<lane>(infinity - offset_ + 1)) {}

  static lane turned(lane w) { return static_cast<lane>(Largest ? w : ~w); }
  lane minus_zero() const { return static_cast<lane>(zero_ - 1); }
  lane above(lane key) const { return key == nan_ ? greatest : key; }
  lane below(lane key) const { return key == zero_ ? minus_zero() : key; }

  template <class Isa, class Wide>
  static auto all(lane value) {
    return Isa::template broadcast<Wide>(in_high_bits<Wide>(value));
  }
  // Its own inverse.
  template <class Isa, class Wide, class Batch>
  static Batch flip(Batch bits) {
    return bits ^ (Isa::sign(bits) & all<Isa, Wide>(greatest));
  }

  lane offset_;  // 0x007fffff: as many as there are NaNs of one sign
  lane zero_;    // w(+0)
  lane nan_;     // the least w of a NaN
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
