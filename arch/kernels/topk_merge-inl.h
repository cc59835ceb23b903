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
// filter lets through what is better. Else it may belong in by its label: the filter then lets through what is as good, too.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_MERGE_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_MERGE_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/filter-inl.h"
#include "arch/kernels/heap-inl.h"
#include "arch/kernels/raw_memory-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// For heaps that hold bits in place of ranks. Equal labels are possible; the bits make even those a total order.
template <class Order>
struct by_value_of_bits {
  Order order;

  template <class Item>
  bool worse(Item a, Item b) const {
    const auto rank_a = order.rank(a.rank), rank_b = order.rank(b.rank);
    if (rank_a != rank_b) return rank_a < rank_b;
    return a.index > b.index || (a.index == b.index && a.rank > b.rank);
  }
};
template <class Order>
struct by_label {
  Order order;

  template <class Item>
  bool worse(Item a, Item b) const {
    return a.index > b.index || (a.index == b.index && by_value_of_bits<Order>{order}.worse(a, b));
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
template <class Order, class Stride>
class merge_region {
 public:
  using lane = typename Order::lane;
  using by_value = by_value_of_bits<Order>;
  using item = typename heap<lane, Stride, by_value>::item;

  merge_region() = default;
  merge_region(const Order& order, void* values, std::int64_t* labels, std::size_t held, Stride stride)
      : order_(&order), values_(values), labels_(labels), size_(held), stride_(stride) {}

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
    const by_value order{*order_};
    const auto all = as<by_value>();
    is_sorted_ = true;
    worst_ = 0;
    for (std::size_t p = 1; p < size_; ++p) {
      if (order.worse(all.at(worst_), all.at(p)))
        is_sorted_ = false;
      else
        worst_ = p;
    }
    moves_left_ = moves_an_element * size_;
  }
  lane worst_rank() const { return order_->rank(load<lane>(values_, stride_(worst_))); }

  // Takes the element in for the worst if it comes before that one.
  [[gnu::noinline]] bool offer(item element) {
    auto all = as<by_value>();
    if (!by_value{*order_}.worse(all.at(worst_), element)) return false;
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
      sort<by_label<Order>>();
  }

 private:
  // What it takes to make a heap and sort it again, an element, in moves of an insertion.
  static constexpr std::size_t moves_an_element = 16;

  template <class Comparison>
  heap<lane, Stride, Comparison> as() const {
    return {values_, labels_, size_, stride_, Comparison{*order_}};
  }

  void insert(item element) {
    const by_value order{*order_};
    auto all = as<by_value>();
    std::size_t place = 0, end = size_ - 1;  // the worst goes
    while (place < end) {
      const std::size_t middle = place + (end - place) / 2;
      if (order.worse(all.at(middle), element))
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
    const Comparison order{*order_};
    auto all = as<Comparison>();
    std::size_t p = 1;
    while (p < size_ && !order.worse(all.at(p - 1), all.at(p))) ++p;
    if (p >= size_) return;
    all.build();
    all.sort_best_first();
  }

  const Order* order_ = nullptr;
  void* values_ = nullptr;
  std::int64_t* labels_ = nullptr;
  std::size_t size_ = 0;
  Stride stride_{};
  bool is_heap_ = false, is_sorted_ = false;
  std::size_t worst_ = 0;  // where it is; of a heap, the root
  std::size_t moves_left_ = 0;
};

// A slice along the last axis: a vector is of its elements.
template <class Isa, class Order>
class merge_along {
 public:
  using lane = typename Order::lane;
  using region = merge_region<Order, unit_stride>;
  using item = typename region::item;

  merge_along(const kernels::topk_merge_call& call, const Order& order, std::size_t slice)
      : k_(call.k),
        slice_(slice),
        region_(order, static_cast<char*>(call.values) + slice * k_ * sizeof(lane), call.labels + slice * k_, call.held,
                {}),
        filter_(order) {}

  void merge(const kernels::merge_part& part) {
    const std::size_t from = slice_ * part.n;
    source_ = {static_cast<const char*>(part.values) + from * sizeof(lane),
               part.labels == nullptr ? nullptr : part.labels + from,
               part.offset,
               {}};
    later_ = part.labels == nullptr && region_.holds_only_below(part.offset);
    std::size_t i = 0;
    for (; i < part.n && region_.size() < k_; ++i) region_.append(source_.template at<item>(i));
    if (i == part.n) return;
    region_.find_worst();
    update();
    filter_.scan(source_.values, i, part.n, *this);
  }

  void finish(kernels::merge_finish order) { region_.finish(order); }

  // For the filter. The worst may have changed since these passed, so each is asked again.
  void take(std::size_t first, std::uint64_t hits) {
    for (; hits != 0; hits &= hits - 1) take_one(first + static_cast<std::size_t>(__builtin_ctzll(hits)));
  }
  void take_one(std::size_t i) {
    if (region_.offer(source_.template at<item>(i))) update();
  }

 private:
  void update() {
    if (later_)
      filter_.set_better(region_.worst_rank());
    else
      filter_.set_as_good(region_.worst_rank());
  }

  std::size_t k_, slice_;
  region region_;
  filter<Isa, Order> filter_;
  part_slice<lane, unit_stride> source_{};
  bool later_ = false;
};

// A block of neighbouring slices of one outer position, along another axis: a vector is of their elements side by side.
// They are all filled equally far.
template <class Isa, class Order>
class merge_across {
 public:
  using lane = typename Order::lane;
  using region = merge_region<Order, wide_stride>;
  using item = typename region::item;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;
  static constexpr std::size_t most_slices = 128;  // 10 KiB of stack; a multiple of every vector's lanes

  merge_across(const kernels::topk_merge_call& call, const Order& order, std::size_t outer, std::size_t inner,
               std::size_t count)
      : order_(order), k_(call.k), outer_(outer), inner_(inner), count_(count), stride_{call.inner} {
    const std::size_t to = outer * k_ * call.inner + inner;
    for (std::size_t j = 0; j < count; ++j)
      regions_[j] = region(order, static_cast<char*>(call.values) + (to + j) * sizeof(lane), call.labels + to + j,
                           call.held, stride_);
  }

  void merge(const kernels::merge_part& part) {
    const std::size_t from = outer_ * part.n * stride_.elements + inner_;
    source_ = {static_cast<const char*>(part.values) + from * sizeof(lane),
               part.labels == nullptr ? nullptr : part.labels + from, part.offset, stride_};
    later_ = part.labels == nullptr;
    for (std::size_t j = 0; j < count_ && later_; ++j) later_ = regions_[j].holds_only_below(part.offset);
    std::size_t i = 0;
    for (; i < part.n && regions_[0].size() < k_; ++i)
      for (std::size_t j = 0; j < count_; ++j) regions_[j].append(element(i, j));
    if (i == part.n) return;
    for (std::size_t j = 0; j < count_; ++j) {
      regions_[j].find_worst();
      update(j);
    }
    for (; i < part.n; ++i) scan_row(i);
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

  void scan_row(std::size_t i) {
    const char* row = source_.values + stride_(i) * sizeof(lane);
    std::size_t j = 0;
    for (; count_ - j >= lanes; j += lanes) offer(i, j, passing(row, j));
    for (; j < count_; ++j) offer(i, j, 1);
  }

  // Bit b: the element of slice first + b in this row may come in.
  std::uint64_t passing(const char* row, std::size_t first) const {
    const auto bits = Isa::template load<lane>(row + first * sizeof(lane));
    const auto ordered = order_.template ordered<Isa, lane>(bits);
    const auto bounds = Isa::template load<lane>(bounds_ + first);
    if (later_) return Isa::bits(Isa::template greater<lane>(ordered, bounds));
    return Isa::bits(Isa::template greater<lane>(bounds, ordered)) ^ filter<Isa, Order>::all_lanes;
  }

  void offer(std::size_t i, std::size_t first, std::uint64_t hits) {
    for (; hits != 0; hits &= hits - 1) {
      const std::size_t j = first + static_cast<std::size_t>(__builtin_ctzll(hits));
      if (regions_[j].offer(element(i, j))) update(j);
    }
  }

  void update(std::size_t j) {
    const lane rank = regions_[j].worst_rank();
    bounds_[j] = later_ ? order_.threshold(rank) : order_.floor(rank);
  }

  const Order& order_;
  std::size_t k_, outer_, inner_, count_;
  wide_stride stride_;
  part_slice<lane, wide_stride> source_{};
  bool later_ = false;
  region regions_[most_slices];
  alignas(64) lane bounds_[most_slices];
};

template <class Slices>
void merge_parts(const kernels::topk_merge_call& call, Slices&& slices) {
  for (std::size_t p = 0; p < call.part_count; ++p)
    if (call.parts[p].n != 0) slices.merge(call.parts[p]);
  slices.finish(call.finish);
}

template <class Isa, class Order>
void topk_merge(const kernels::topk_merge_call& call, std::size_t begin, std::size_t end) noexcept {
  const Order order(call.type, call.largest);
  if (call.inner == 1) {
    for (std::size_t s = begin; s < end; ++s) merge_parts(call, merge_along<Isa, Order>(call, order, s));
    return;
  }
  using across = merge_across<Isa, Order>;
  for (std::size_t s = begin; s < end;) {
    const std::size_t outer = s / call.inner, inner = s % call.inner;
    std::size_t count = call.inner - inner;
    if (count > end - s) count = end - s;
    if (count > across::most_slices) count = across::most_slices;
    merge_parts(call, across(call, order, outer, inner, count));
    s += count;
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
