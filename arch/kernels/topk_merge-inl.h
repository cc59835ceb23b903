// Merging TopK's results, and going on with more elements: a heap of elements that bring their labels with them.
//
// The elements cannot be read again through their labels, so unlike the other heaps of TopK this one keeps their own bits
// and makes ranks of them at each comparison.
//
//   for each slice:
//     for each part:
//       while the region has room: append its elements; once it is full: find the worst
//       for each four vectors of the rest: for each lane that the filter lets through: if it comes before the worst,
//         make a heap of the region unless it is one, and replace the root
//     sort what the region holds unless it is in order
//
// Most blocks of a long stream change nothing, and then cost two looks at the region and no heap.
//
// Where the labels that follow are greater than all in the heap, an element that ties with the root stays out, and the
// filter is that of topk_heap-inl.h. Else it may belong in by its label: the filter then lets through all that is not
// worse than the root, which is what the other direction's filter leaves.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_MERGE_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_MERGE_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/heap-inl.h"
#include "arch/kernels/total_order-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// For heaps that hold bits in place of ranks. Equal labels are possible; the bits make even those a total order.
template <class Order, class Direction>
struct by_value_of_bits {
  template <class Item>
  static bool worse(Item a, Item b) {
    const auto rank_a = Direction::rank(Order::key(a.rank)), rank_b = Direction::rank(Order::key(b.rank));
    if (rank_a != rank_b) return rank_a < rank_b;
    return a.index > b.index || (a.index == b.index && a.rank > b.rank);
  }
};
template <class Order, class Direction>
struct by_label {
  template <class Item>
  static bool worse(Item a, Item b) {
    return a.index > b.index || (a.index == b.index && by_value_of_bits<Order, Direction>::worse(a, b));
  }
};

// Which elements of a vector are on one side of the root of a heap, Side's own direction: strictly better by its measure.
template <class Isa, class Order, class Side>
class root_filter {
 public:
  using lane = typename Order::lane;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;
  static constexpr std::uint64_t every_lane = ~std::uint64_t{0} >> (64 - lanes);

  explicit root_filter(lane root_bits) { update(root_bits); }

  void update(lane root_bits) {
    const lane rank = Side::rank(Order::key(root_bits));
    threshold_ = Isa::template broadcast<lane>(Side::template threshold<Order>(rank));
  }

  // Bit b: element first + b.
  std::uint64_t passing(const void* elements, std::size_t first) const {
    const auto bits = Isa::template load<lane>(static_cast<const char*>(elements) + first * sizeof(lane));
    return Isa::bits(Side::template passes<Isa>(Order::template ordered<Isa>(bits), threshold_));
  }

 private:
  typename Isa::template batch<lane> threshold_;
};

// One slice's region of the outputs, and how far it is filled.
template <class Isa, class Order, class Direction, class Stride>
class merging_slice {
 public:
  using lane = typename Order::lane;
  using by_value = by_value_of_bits<Order, Direction>;
  using item = typename heap<lane, Stride, by_value>::item;

  merging_slice(const kernels::topk_merge_call& call, void* values, std::int64_t* labels, Stride stride)
      : chosen_(values, labels, call.k, stride), k_(call.k), size_(call.held), stride_(stride) {}

  // values and labels: where the slice begins in the part.
  void take(const void* values, const std::int64_t* labels, std::int64_t offset, std::size_t n) {
    values_ = values, labels_ = labels, offset_ = offset;
    const bool later = labels == nullptr && holds_only_below(offset);
    std::size_t i = 0;
    for (; i < n && size_ < k_; ++i) chosen_.put(size_++, element(i));
    if (i == n) return;
    if (!is_heap_) find_worst();
    using better = root_filter<Isa, Order, Direction>;
    using worse = root_filter<Isa, Order, typename Direction::opposite>;
    const lane root = chosen_.at(worst_).rank;
    if (later)
      replace(better(root), 0, i, n);
    else
      replace(worse(root), worse::every_lane, i, n);
  }

  void finish(void* values, std::int64_t* labels, kernels::merge_finish order) {
    if (order == kernels::merge_finish::by_value)
      sort<by_value>(values, labels);
    else if (order == kernels::merge_finish::by_index)
      sort<by_label<Order, Direction>>(values, labels);
  }

 private:
  item element(std::size_t i) const {
    const std::int64_t label =
        labels_ == nullptr ? static_cast<std::int64_t>(i) : load<std::int64_t>(labels_, stride_(i));
    return {load<lane>(values_, stride_(i)), label + offset_};
  }

  bool holds_only_below(std::int64_t label) const {
    bool result = true;
    for (std::size_t p = 0; p < size_; ++p) result &= chosen_.at(p).index < label;
    return result;
  }

  void find_worst() {
    worst_ = 0;
    for (std::size_t p = 1; p < size_; ++p)
      if (by_value::worse(chosen_.at(p), chosen_.at(worst_))) worst_ = p;
  }

  void replace_worst(item element) {
    if (!is_heap_) chosen_.build();
    is_heap_ = true;
    worst_ = 0;
    chosen_.replace_root(element);
  }

  // Offers the elements [i, n). inverse: the lanes of which the filter finds those that are not to be offered.
  template <class Filter>
  void replace(Filter filter, std::uint64_t inverse, std::size_t i, std::size_t n) {
    constexpr std::size_t lanes = Filter::lanes;
    if (stride_(1) == 1) {
      for (; n - i >= 4 * lanes; i += 4 * lanes) {
        const std::uint64_t h0 = inverse ^ filter.passing(values_, i);
        const std::uint64_t h1 = inverse ^ filter.passing(values_, i + lanes);
        const std::uint64_t h2 = inverse ^ filter.passing(values_, i + 2 * lanes);
        const std::uint64_t h3 = inverse ^ filter.passing(values_, i + 3 * lanes);
        if ((h0 | h1 | h2 | h3) == 0) continue;
        offer(filter, i, h0);
        offer(filter, i + lanes, h1);
        offer(filter, i + 2 * lanes, h2);
        offer(filter, i + 3 * lanes, h3);
      }
    }
    for (; i < n; ++i) offer(filter, i, 1);
  }

  // hits: bit b is element first + b. The root may have changed since they were found, so each is asked again.
  template <class Filter>
  void offer(Filter& filter, std::size_t first, std::uint64_t hits) {
    for (; hits != 0; hits &= hits - 1) {
      const item offered = element(first + static_cast<std::size_t>(__builtin_ctzll(hits)));
      if (!by_value::worse(chosen_.at(worst_), offered)) continue;
      replace_worst(offered);
      filter.update(chosen_.root_rank());
    }
  }

  template <class Comparison>
  void sort(void* values, std::int64_t* labels) {
    heap<lane, Stride, Comparison> all(values, labels, size_, stride_);
    std::size_t p = 1;
    while (p < size_ && !Comparison::worse(all.at(p - 1), all.at(p))) ++p;
    if (p >= size_) return;
    all.build();
    all.sort_best_first();
  }

  heap<lane, Stride, by_value> chosen_;
  std::size_t k_, size_;
  Stride stride_;
  bool is_heap_ = false;
  std::size_t worst_ = 0;  // where it is; of a heap, the root
  const void* values_ = nullptr;
  const std::int64_t* labels_ = nullptr;
  std::int64_t offset_ = 0;
};

template <class Isa, class Order, class Direction, class Stride>
void merge_slices(const kernels::topk_merge_call& call, std::size_t begin, std::size_t end, Stride stride) {
  using lane = typename Order::lane;
  for (std::size_t s = begin; s < end; ++s) {
    const std::size_t outer = s / call.inner * call.inner, inner = s % call.inner;
    const std::size_t to = outer * call.k + inner;
    void* values = static_cast<char*>(call.values) + to * sizeof(lane);
    std::int64_t* labels = call.labels + to;
    merging_slice<Isa, Order, Direction, Stride> slice(call, values, labels, stride);
    for (std::size_t p = 0; p < call.part_count; ++p) {
      const kernels::merge_part& part = call.parts[p];
      const std::size_t from = outer * part.n + inner;
      if (part.n == 0) continue;
      slice.take(static_cast<const char*>(part.values) + from * sizeof(lane),
                 part.labels == nullptr ? nullptr : part.labels + from, part.offset, part.n);
    }
    slice.finish(values, labels, call.finish);
  }
}

template <class Isa, class Order, class Direction>
void topk_merge(const kernels::topk_merge_call& call, std::size_t begin, std::size_t end) noexcept {
  if (call.inner == 1)
    merge_slices<Isa, Order, Direction>(call, begin, end, unit_stride{});
  else
    merge_slices<Isa, Order, Direction>(call, begin, end, wide_stride{call.inner});
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
