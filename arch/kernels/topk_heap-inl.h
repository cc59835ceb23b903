// TopK of contiguous slices (inner = 1): the in-place heap behind a vector threshold filter.
//
//   heap <- the first k elements
//   for each four vectors of the rest:
//     if no lane is better than the root: next            (one branch for four vectors)
//     for each lane that is, in ascending order: if it is still better than the root, replace the root
//
// "Better" is strict, so an element that ties with the root stays out: its index is higher than those in the heap.
// Random data lets about k ln(n / k) elements through, and the rest costs what reading it costs.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_HEAP_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_HEAP_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernel_table.h"
#include "arch/kernels/heap-inl.h"
#include "arch/kernels/slices-inl.h"
#include "arch/kernels/total_order-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// The elements that pass, offered to the heap one by one.
template <class Isa, class Order>
class heap_filter {
 public:
  using lane = typename Order::lane;
  using batch = typename Isa::template batch<lane>;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;

  heap_filter(const Order& order, const void* slice, heap<lane, unit_stride> chosen)
      : order_(order), slice_(slice), chosen_(chosen) {
    update();
  }

  void scan(std::size_t begin, std::size_t end) {
    std::size_t i = begin;
    for (; end - i >= 4 * lanes; i += 4 * lanes) {
      const auto m0 = passing(i), m1 = passing(i + lanes), m2 = passing(i + 2 * lanes), m3 = passing(i + 3 * lanes);
      if (!Isa::any((m0 | m1) | (m2 | m3))) continue;
      offer(i, Isa::bits(m0));
      offer(i + lanes, Isa::bits(m1));
      offer(i + 2 * lanes, Isa::bits(m2));
      offer(i + 3 * lanes, Isa::bits(m3));
    }
    for (; end - i >= lanes; i += lanes) offer(i, Isa::bits(passing(i)));
    for (; i < end; ++i) offer(i, 1);
  }

 private:
  auto passing(std::size_t i) const {
    const batch bits = Isa::template load<lane>(static_cast<const char*>(slice_) + i * sizeof(lane));
    return Isa::template greater<lane>(order_.template ordered<Isa, lane>(bits), threshold_);
  }

  // hits: bit b is element first + b. The root may have grown since they were found, so each is asked again.
  void offer(std::size_t first, std::uint64_t hits) {
    for (; hits != 0; hits &= hits - 1) {
      const std::size_t i = first + static_cast<std::size_t>(__builtin_ctzll(hits));
      const lane rank = order_.rank(load<lane>(slice_, i));
      if (rank <= chosen_.root_rank()) continue;
      chosen_.replace_root({rank, static_cast<std::int64_t>(i)});
      update();
    }
  }

  void update() { threshold_ = Isa::template broadcast<lane>(order_.threshold(chosen_.root_rank())); }

  Order order_;
  const void* slice_;
  heap<lane, unit_stride> chosen_;
  batch threshold_;
};

template <class Isa, class Order>
void topk_heap(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  using lane = typename Order::lane;
  const Order order(call);
  const std::size_t n = call.n, k = call.k;
  for (std::size_t s = begin; s < end; ++s) {
    const void* slice = slice_of<lane>(call, s);
    const output_region region = region_of<lane>(call, s);
    heap<lane, unit_stride> chosen(region.values, region.indices, k, {});
    for (std::size_t i = 0; i < k; ++i) chosen.put(i, {order.rank(load<lane>(slice, i)), static_cast<std::int64_t>(i)});
    if (k == n && call.by_index) {
      chosen.fetch_values(slice);
      continue;
    }
    chosen.build();
    heap_filter<Isa, Order>(order, slice, chosen).scan(k, n);
    chosen.finish(slice, call.by_index);
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
