// TopK of 8-bit elements for large k: by counting, whatever the order of the elements.
//
//   counts <- how often each value is there; from the best value on, add up to k: the last value taken is taken in part
//   each value's elements have their places in the outputs by now: one pass puts the indices there, in ascending order

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_COUNT_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_COUNT_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernel_table.h"
#include "arch/kernels/filter-inl.h"
#include "arch/kernels/raw_memory-inl.h"
#include "arch/kernels/slices-inl.h"
#include "arch/kernels/topk_select-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa, class Order>
class byte_counter {
 public:
  byte_counter(const Order& order, const void* slice, std::size_t n, bool by_index, output_region region)
      : order_(order),
        filter_(order),
        slice_(static_cast<const std::uint8_t*>(slice)),
        n_(n),
        by_index_(by_index),
        region_(region) {}

  void run(std::size_t k) {
    count();
    place(k);
    filter_.set_as_good(last_);
    filter_.scan(slice_, 0, n_, *this);
  }

  // The filter's sink.
  void take(std::size_t first, std::uint64_t bits) {
    for (; bits != 0; bits &= bits - 1) take_one(first + static_cast<std::size_t>(__builtin_ctzll(bits)));
  }
  void take_one(std::size_t i) {
    const std::uint8_t value = slice_[i];
    if (order_.rank(static_cast<std::int8_t>(value)) == last_) {
      if (last_left_ == 0) return filter_.set_better(last_);
      --last_left_;
    }
    std::size_t& place = by_index_ ? taken_ : place_[value];
    store<std::int64_t>(region_.indices, place, static_cast<std::int64_t>(i));
    if (by_index_) store<std::uint8_t>(region_.values, place, value);
    ++place;
  }

 private:
  // Four tables, so that equal neighbours do not wait for each other.
  void count() {
    std::uint32_t counts[4][256];
    std::memset(place_, 0, sizeof(place_));
    // Short enough for 32 bits.
    constexpr std::size_t part = std::size_t{1} << 30;
    for (std::size_t begin = 0; begin < n_; begin += part) {
      const std::size_t end = n_ - begin < part ? n_ : begin + part;
      std::memset(counts, 0, sizeof(counts));
      std::size_t i = begin;
      for (; end - i >= 4; i += 4)
        for (std::size_t t = 0; t < 4; ++t) ++counts[t][slice_[i + t]];
      for (; i < end; ++i) ++counts[0][slice_[i]];
      for (std::size_t v = 0; v < 256; ++v)
        place_[v] += std::size_t{counts[0][v]} + counts[1][v] + counts[2][v] + counts[3][v];
    }
  }

  // From counts to the first place of each value, and the values themselves.
  void place(std::size_t k) {
    std::size_t sum = 0;
    for (int rank = INT8_MAX; rank >= INT8_MIN; --rank) {
      const std::int8_t value = order_.bits(static_cast<std::int8_t>(rank));
      std::size_t& place = place_[static_cast<std::uint8_t>(value)];
      const std::size_t there = place, taken = there < k - sum ? there : k - sum;
      place = sum;
      if (!by_index_) std::memset(static_cast<char*>(region_.values) + sum, value, taken);
      sum += taken;
      last_ = static_cast<std::int8_t>(rank);
      last_left_ = taken;
      if (sum == k) return;
    }
  }

  Order order_;
  filter<Isa, Order> filter_;
  const std::uint8_t* slice_;
  std::size_t n_;
  bool by_index_;
  output_region region_;
  std::int8_t last_ = 0;       // the rank that is taken in part
  std::size_t last_left_ = 0;  // how many of it are still to come
  std::size_t taken_ = 0;
  std::size_t place_[256];
};

template <class Isa, class Order>
void topk_count(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  if constexpr (sizeof(typename Order::lane) == 1) {
    for (std::size_t s = begin; s < end; ++s)
      byte_counter<Isa, Order>(Order(call), slice_of<std::int8_t>(call, s), call.n, call.by_index,
                               region_of<std::int8_t>(call, s))
          .run(call.k);
  } else {
    topk_select<Isa, Order>(call, begin, end);
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
