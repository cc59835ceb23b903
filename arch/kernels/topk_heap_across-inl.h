// TopK along an axis that is not last (inner > 1): the in-place heaps of many neighbouring slices at once.
//
// Slices that are neighbours along the inner dimensions are lanes: row i of a block holds element i of each, contiguous in
// memory, so the input is read in the order it lies in and one compare asks a vector of slices. Each slice's heap lies
// strided in its own place of the outputs; the roots' thresholds stand side by side on the stack.
//
//   for each block of slices:
//     heaps <- the first k rows
//     for each later row i: for each vector of slices: where element i is better than the slice's threshold, replace its root

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_HEAP_ACROSS_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_HEAP_ACROSS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/bits-inl.h"
#include "arch/kernels/heap-inl.h"
#include "arch/kernels/total_order-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// A block of slices of one outer position.
template <class Isa, class Order>
class across_block {
 public:
  using lane = typename Order::lane;
  using batch = typename Isa::template batch<lane>;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;

  // A block's thresholds take a page of stack, and a row of it is long enough for the hardware to prefetch the next.
  static constexpr std::size_t most_slices = 4096 / sizeof(lane);

  // The block's heaps should stay in a level-2 cache of 256 KiB and more, but a row should fill a cache line.
  static std::size_t slices_for(std::size_t k) {
    const std::size_t fit = 256 * 1024 / (sizeof(lane) + sizeof(std::int64_t)) / k;
    const std::size_t line = 64 / sizeof(lane);
    if (fit >= most_slices) return most_slices;
    return fit < line ? line : fit / line * line;
  }

  across_block(const kernels::topk_call& call, std::size_t outer, std::size_t inner, std::size_t count)
      : call_(call), order_(call), count_(count) {
    x_ = static_cast<const char*>(call.x) + (outer * call.n * call.inner + inner) * sizeof(lane);
    values_ = static_cast<char*>(call.values) + (outer * call.k * call.inner + inner) * sizeof(lane);
    indices_ = call.indices + outer * call.k * call.inner + inner;
  }

  void run() {
    fill();
    if (call_.k < call_.n || !call_.by_index) {
      for (std::size_t j = 0; j < count_; ++j) {
        chosen(j).build();
        update(j);
      }
      for (std::size_t i = call_.k; i < call_.n; ++i) scan_row(i);
      for (std::size_t j = 0; j < count_; ++j) chosen(j).finish(slice(j), call_.by_index);
    } else {
      for (std::size_t j = 0; j < count_; ++j) chosen(j).fetch_values(slice(j));
    }
  }

 private:
  const char* slice(std::size_t j) const { return x_ + j * sizeof(lane); }
  const char* row(std::size_t i) const { return x_ + i * call_.inner * sizeof(lane); }
  heap<lane, wide_stride> chosen(std::size_t j) const {
    return {values_ + j * sizeof(lane), indices_ + j, call_.k, wide_stride{call_.inner}};
  }
  lane rank(const char* from, std::size_t j) const { return order_.rank(load<lane>(from, j)); }

  void fill() {
    for (std::size_t i = 0; i < call_.k; ++i)
      for (std::size_t j = 0; j < count_; ++j) chosen(j).put(i, {rank(row(i), j), static_cast<std::int64_t>(i)});
  }

  // A function of its own, which has the registers to itself.
  __attribute__((noinline)) void scan_row(std::size_t i) {
    const char* from = row(i);
    std::size_t j = 0;
    for (; count_ - j >= 4 * lanes; j += 4 * lanes) {
      const auto m0 = passing(from, j), m1 = passing(from, j + lanes);
      const auto m2 = passing(from, j + 2 * lanes), m3 = passing(from, j + 3 * lanes);
      if (!Isa::any((m0 | m1) | (m2 | m3))) continue;
      replace(i, j, Isa::bits(m0));
      replace(i, j + lanes, Isa::bits(m1));
      replace(i, j + 2 * lanes, Isa::bits(m2));
      replace(i, j + 3 * lanes, Isa::bits(m3));
    }
    for (; count_ - j >= lanes; j += lanes) replace(i, j, Isa::bits(passing(from, j)));
    for (; j < count_; ++j)
      if (rank(from, j) > chosen(j).root_rank()) replace(i, j, 1);
  }

  auto passing(const char* from, std::size_t j) const {
    const batch bits = Isa::template load<lane>(from + j * sizeof(lane));
    return Isa::template greater<lane>(order_.template ordered<Isa, lane>(bits),
                                       Isa::template load<lane>(thresholds_ + j));
  }

  // hits: bit b is slice first + b. The filter is exact and each slice is asked once a row, so each hit is a replacement. A call
  // would leave the loop around it no register to keep a vector in.
  TOPSPLIT_INLINE void replace(std::size_t i, std::size_t first, std::uint64_t hits) {
    for (; hits != 0; hits &= hits - 1) {
      const std::size_t j = first + static_cast<std::size_t>(__builtin_ctzll(hits));
      chosen(j).replace_root({rank(row(i), j), static_cast<std::int64_t>(i)});
      update(j);
    }
  }

  void update(std::size_t j) { thresholds_[j] = order_.threshold(chosen(j).root_rank()); }

  const kernels::topk_call& call_;
  Order order_;
  std::size_t count_;
  const char* x_;
  char* values_;
  std::int64_t* indices_;
  alignas(64) lane thresholds_[most_slices];
};

template <class Isa, class Order>
void topk_heap_across(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  using block = across_block<Isa, Order>;
  const std::size_t most = block::slices_for(call.k);
  for (std::size_t s = begin; s < end;) {
    const std::size_t outer = s / call.inner, inner = s % call.inner;
    std::size_t count = call.inner - inner;
    if (count > end - s) count = end - s;
    if (count > most) count = most;
    block(call, outer, inner, count).run();
    s += count;
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
