// Merging TopK's results, and going on with more elements: heaps of elements that bring their labels with them.
//
// The elements cannot be read again through their labels, so unlike the other heaps of TopK these keep the elements' own
// bits and make ranks of them at each comparison.
//
//   for each slice, or along another axis than the last for each block of neighbouring slices:
//     for each part:
//       while the regions have room: append its elements; once they are full: find the worst of each
//       for each vector of the rest: for each lane that the filter lets through: if it comes before the worst of its
//         region, it takes that one's place
//     sort what each region holds unless it is in order
//
// Most blocks of a long stream change little. So a region that is sorted stays so while few elements enter, by insertion;
// it becomes a heap once they are many, and none is made of one that nothing enters.
//
// Where the labels that follow are greater than all in the region, an element that ties with the worst stays out, and the
// filter is that of topk_heap-inl.h. Else it may belong in by its label: the filter then lets through all that is not
// worse than the worst, which is what the other direction's filter leaves.

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

// The elements of one slice in a part.
template <class Lane, class Stride>
struct part_slice {
  const char* values;
  const std::int64_t* labels;  // null: element i is labelled i
  std::int64_t offset;
  Stride stride;

  template <class Item>
  Item at(std::size_t i) const {
    const std::int64_t label = labels == nullptr ? static_cast<std::int64_t>(i) : load<std::int64_t>(labels, stride(i));
    return {load<Lane>(values, stride(i)), label + offset};
  }
};

// One slice's region of the outputs, and how far it is filled. What is long is not inlined into every loop of every kernel,
// which would double what there is to compile.
template <class Order, class Direction, class Stride>
class merge_region {
 public:
  using lane = typename Order::lane;
  using by_value = by_value_of_bits<Order, Direction>;
  using item = typename heap<lane, Stride, by_value>::item;

  merge_region() = default;
  merge_region(void* values, std::int64_t* labels, std::size_t held, Stride stride)
      : values_(values), labels_(labels), size_(held), stride_(stride) {}

  std::size_t size() const { return size_; }
  void append(item element) { as<by_value>().put(size_++, element); }

  bool holds_only_below(std::int64_t label) const {
    bool result = true;
    for (std::size_t p = 0; p < size_; ++p) result &= load<std::int64_t>(labels_, stride_(p)) < label;
    return result;
  }

  // Before elements are offered, and again after others were appended.
  [[gnu::noinline]] void find_worst() {
    if (is_heap_) return;
    const auto all = as<by_value>();
    is_sorted_ = true;
    worst_ = 0;
    for (std::size_t p = 1; p < size_; ++p) {
      if (by_value::worse(all.at(worst_), all.at(p)))
        is_sorted_ = false;
      else
        worst_ = p;
    }
    moves_left_ = moves_an_element * size_;
  }
  lane worst_bits() const { return load<lane>(values_, stride_(worst_)); }

  // Takes the element in for the worst if it comes before that one.
  [[gnu::noinline]] bool offer(item element) {
    auto all = as<by_value>();
    if (!by_value::worse(all.at(worst_), element)) return false;
    if (!is_heap_ && is_sorted_ && moves_left_ >= size_) {
      insert(element);
      return true;
    }
    if (!is_heap_) all.build();
    is_heap_ = true;
    worst_ = 0;
    all.replace_root(element);
    return true;
  }

  [[gnu::noinline]] void finish(kernels::merge_finish order) {
    if (order == kernels::merge_finish::by_value)
      sort<by_value>();
    else if (order == kernels::merge_finish::by_index)
      sort<by_label<Order, Direction>>();
  }

 private:
  // What it takes to make a heap and sort it again, an element, in moves of an insertion.
  static constexpr std::size_t moves_an_element = 16;

  template <class Comparison>
  heap<lane, Stride, Comparison> as() const {
    return {values_, labels_, size_, stride_};
  }

  void insert(item element) {
    auto all = as<by_value>();
    std::size_t place = 0, end = size_ - 1;  // the worst goes
    while (place < end) {
      const std::size_t middle = place + (end - place) / 2;
      if (by_value::worse(all.at(middle), element))
        end = middle;
      else
        place = middle + 1;
    }
    for (std::size_t p = size_ - 1; p > place; --p)
      store<lane>(values_, stride_(p), load<lane>(values_, stride_(p - 1)));
    for (std::size_t p = size_ - 1; p > place; --p)
      store<std::int64_t>(labels_, stride_(p), load<std::int64_t>(labels_, stride_(p - 1)));
    all.put(place, element);
    moves_left_ -= size_ - place;
  }

  template <class Comparison>
  void sort() {
    auto all = as<Comparison>();
    std::size_t p = 1;
    while (p < size_ && !Comparison::worse(all.at(p - 1), all.at(p))) ++p;
    if (p >= size_) return;
    all.build();
    all.sort_best_first();
  }

  void* values_ = nullptr;
  std::int64_t* labels_ = nullptr;
  std::size_t size_ = 0;
  Stride stride_{};
  bool is_heap_ = false, is_sorted_ = false;
  std::size_t worst_ = 0;  // where it is; of a heap, the root
  std::size_t moves_left_ = 0;
};

template <class Direction>
struct opposite {
  using type = smallest;
};
template <>
struct opposite<smallest> {
  using type = largest;
};

// The filter: Side is Direction, or its opposite, of which the lanes it does not find are wanted.
template <class Isa, class Order, class Side>
struct merge_filter {
  using lane = typename Order::lane;
  using batch = typename Isa::template batch<lane>;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;
  static constexpr std::uint64_t every_lane = ~std::uint64_t{0} >> (64 - lanes);

  std::uint64_t inverse;  // 0 or every_lane

  static lane threshold(lane worst_bits) { return Side::template threshold<Order>(Side::rank(Order::key(worst_bits))); }

  // Bit b: the element of lane b at this address may come in.
  std::uint64_t hits(const char* elements, batch thresholds) const {
    const batch bits = Isa::template load<lane>(elements);
    return inverse ^ Isa::bits(Side::template passes<Isa>(Order::template ordered<Isa>(bits), thresholds));
  }
};

// A slice along the last axis: a vector is of its elements.
template <class Isa, class Order, class Direction>
class merge_along {
 public:
  using lane = typename Order::lane;
  using region = merge_region<Order, Direction, unit_stride>;
  using item = typename region::item;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;

  merge_along(const kernels::topk_merge_call& call, std::size_t slice)
      : k_(call.k),
        slice_(slice),
        region_(static_cast<char*>(call.values) + slice * k_ * sizeof(lane), call.labels + slice * k_, call.held, {}) {}

  void take(const kernels::merge_part& part) {
    const std::size_t from = slice_ * part.n;
    source_ = {static_cast<const char*>(part.values) + from * sizeof(lane),
               part.labels == nullptr ? nullptr : part.labels + from,
               part.offset,
               {}};
    const bool later = part.labels == nullptr && region_.holds_only_below(part.offset);
    std::size_t i = 0;
    for (; i < part.n && region_.size() < k_; ++i) region_.append(source_.template at<item>(i));
    if (i == part.n) return;
    region_.find_worst();
    using better = merge_filter<Isa, Order, Direction>;
    using worse = merge_filter<Isa, Order, typename opposite<Direction>::type>;
    if (later)
      scan(better{0}, i, part.n);
    else
      scan(worse{worse::every_lane}, i, part.n);
  }

  void finish(kernels::merge_finish order) { region_.finish(order); }

 private:
  template <class Filter>
  void scan(Filter filter, std::size_t i, std::size_t n) {
    auto threshold = Isa::template broadcast<lane>(Filter::threshold(region_.worst_bits()));
    // Bit b of hits is element first + b; the worst may have changed since they were found, so each is asked again.
    const auto offer = [&](std::size_t first, std::uint64_t hits) {
      for (; hits != 0; hits &= hits - 1)
        if (region_.offer(source_.template at<item>(first + static_cast<std::size_t>(__builtin_ctzll(hits)))))
          threshold = Isa::template broadcast<lane>(Filter::threshold(region_.worst_bits()));
    };
    const auto hits = [&](std::size_t at) { return filter.hits(source_.values + at * sizeof(lane), threshold); };
    for (; n - i >= 4 * lanes; i += 4 * lanes) {
      const std::uint64_t h0 = hits(i), h1 = hits(i + lanes), h2 = hits(i + 2 * lanes), h3 = hits(i + 3 * lanes);
      if ((h0 | h1 | h2 | h3) == 0) continue;
      offer(i, h0);
      offer(i + lanes, h1);
      offer(i + 2 * lanes, h2);
      offer(i + 3 * lanes, h3);
    }
    for (; i < n; ++i) offer(i, 1);
  }

  std::size_t k_, slice_;
  region region_;
  part_slice<lane, unit_stride> source_{};
};

// A block of neighbouring slices of one outer position, along another axis: a vector is of their elements side by side.
// They are all filled equally far.
template <class Isa, class Order, class Direction>
class merge_across {
 public:
  using lane = typename Order::lane;
  using region = merge_region<Order, Direction, wide_stride>;
  using item = typename region::item;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;
  static constexpr std::size_t most_slices = 128;  // 10 KiB of stack; a multiple of every vector's lanes

  merge_across(const kernels::topk_merge_call& call, std::size_t outer, std::size_t inner, std::size_t count)
      : k_(call.k), outer_(outer), inner_(inner), count_(count), stride_{call.inner} {
    const std::size_t to = outer * k_ * call.inner + inner;
    for (std::size_t j = 0; j < count; ++j)
      regions_[j] =
          region(static_cast<char*>(call.values) + (to + j) * sizeof(lane), call.labels + to + j, call.held, stride_);
  }

  void take(const kernels::merge_part& part) {
    const std::size_t from = outer_ * part.n * stride_.elements + inner_;
    source_ = {static_cast<const char*>(part.values) + from * sizeof(lane),
               part.labels == nullptr ? nullptr : part.labels + from, part.offset, stride_};
    bool later = part.labels == nullptr;
    for (std::size_t j = 0; j < count_ && later; ++j) later = regions_[j].holds_only_below(part.offset);
    std::size_t i = 0;
    for (; i < part.n && regions_[0].size() < k_; ++i)
      for (std::size_t j = 0; j < count_; ++j) regions_[j].append(element(i, j));
    if (i == part.n) return;
    for (std::size_t j = 0; j < count_; ++j) regions_[j].find_worst();
    using better = merge_filter<Isa, Order, Direction>;
    using worse = merge_filter<Isa, Order, typename opposite<Direction>::type>;
    if (later)
      scan(better{0}, i, part.n);
    else
      scan(worse{worse::every_lane}, i, part.n);
  }

  [[gnu::noinline]] void finish(kernels::merge_finish order) {
    for (std::size_t j = 0; j < count_; ++j) regions_[j].finish(order);
  }

 private:
  item element(std::size_t i, std::size_t j) const {
    part_slice<lane, wide_stride> slice = source_;
    slice.values += j * sizeof(lane);
    if (slice.labels != nullptr) slice.labels += j;
    return slice.template at<item>(i);
  }

  template <class Filter>
  void scan(Filter filter, std::size_t i, std::size_t n) {
    for (std::size_t j = 0; j < count_; ++j) thresholds_[j] = Filter::threshold(regions_[j].worst_bits());
    // Bit b of hits is slice first + b.
    const auto offer = [&](std::size_t first, std::uint64_t hits) {
      for (; hits != 0; hits &= hits - 1) {
        const std::size_t j = first + static_cast<std::size_t>(__builtin_ctzll(hits));
        if (regions_[j].offer(element(i, j))) thresholds_[j] = Filter::threshold(regions_[j].worst_bits());
      }
    };
    for (; i < n; ++i) {
      const char* row = source_.values + stride_(i) * sizeof(lane);
      std::size_t j = 0;
      for (; count_ - j >= lanes; j += lanes)
        offer(j, filter.hits(row + j * sizeof(lane), Isa::template load<lane>(thresholds_ + j)));
      for (; j < count_; ++j) offer(j, 1);
    }
  }

  std::size_t k_, outer_, inner_, count_;
  wide_stride stride_;
  part_slice<lane, wide_stride> source_{};
  region regions_[most_slices];
  alignas(64) lane thresholds_[most_slices];
};

template <class Slices>
void merge_parts(const kernels::topk_merge_call& call, Slices&& slices) {
  for (std::size_t p = 0; p < call.part_count; ++p)
    if (call.parts[p].n != 0) slices.take(call.parts[p]);
  slices.finish(call.finish);
}

template <class Isa, class Order, class Direction>
void topk_merge(const kernels::topk_merge_call& call, std::size_t begin, std::size_t end) noexcept {
  if (call.inner == 1) {
    for (std::size_t s = begin; s < end; ++s) merge_parts(call, merge_along<Isa, Order, Direction>(call, s));
    return;
  }
  using across = merge_across<Isa, Order, Direction>;
  for (std::size_t s = begin; s < end;) {
    const std::size_t outer = s / call.inner, inner = s % call.inner;
    std::size_t count = call.inner - inner;
    if (count > end - s) count = end - s;
    if (count > across::most_slices) count = across::most_slices;
    merge_parts(call, across(call, outer, inner, count));
    s += count;
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
