// TopK of slices short enough for the stack to hold all their records: a row becomes records once, then a handful is sorted.
//
//   records <- the row
//   if k is small beside n:
//     groups <- the row's records cut into 2 k and more groups; threshold <- the k-th best of the groups' best
//     records <- those not worse than the threshold: at least k, about 1.4 k
//   else: the best k first, by quickselect
//   sort; the first k are the result
//
// No branch depends on the values until the last sort, whose size varies little.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_ROWS_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_ROWS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/codec-inl.h"
#include "arch/kernels/quick-inl.h"
#include "arch/kernels/slices-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Records>
class row_selector {
 public:
  using records = Records;
  using batch = typename records::batch;
  using item = typename records::item;
  using sorter = quick<records>;
  static constexpr std::size_t lanes = records::lanes;
  static constexpr std::size_t capacity = kernels::topk_record_stack_bytes / sizeof(item);

  static constexpr std::size_t room = capacity + lanes;

  typename records::run all() { return records_.all(); }

  // Puts the best k of the n records first, best first; by index, in any order.
  void select(std::size_t n, std::size_t k, bool by_index) {
    const typename records::run r = records_.all();
    std::size_t count = n;
    if (k < n) {
      const std::size_t vectors = (2 * k + lanes - 1) / lanes;  // of groups, one to a lane
      if (n >= 3 * vectors * lanes && vectors <= most_vectors) count = keep(n, threshold(n, vectors, k));
      if (by_index || count > network_capacity<records>) {
        sorter::select(r, count, k, records_.room);
        count = k;
      }
    }
    if (!by_index) sorter::sort(r, count, records_.room);
  }

 private:
  static constexpr std::size_t most_vectors = 16;

  item threshold(std::size_t n, std::size_t vectors, std::size_t k) {
    const typename records::run r = records_.all(), best = groups_.all();
    for (std::size_t v = 0; v < vectors; ++v) {
      batch group = records::load(r, v * lanes);
      for (std::size_t i = (vectors + v) * lanes; i + lanes <= n; i += vectors * lanes) {
        batch other = records::load(r, i);
        records::exchange(group, other);
      }
      records::store(best, v * lanes, group);
    }
    sort_few<records>(best, vectors * lanes, groups_.room);
    return records::get(best, k - 1);
  }

  // Moves the records not worse than `least` to the front, in their order; returns their number.
  std::size_t keep(std::size_t n, item least_item) {
    const typename records::run r = records_.all();
    const batch least = records::broadcast(least_item);
    std::size_t count = 0, i = 0;
    for (; i + lanes <= n; i += lanes) {
      const batch v = records::load(r, i);
      const std::uint64_t bits = records::better_bits(least, v) ^ low_bits(lanes);
      records::store(r, count, records::partition(v, bits));
      count += count_bits<lanes>(bits);
    }
    for (; i < n; ++i) {
      const item one = records::get(r, i);
      if (!records::better(least_item, one)) records::put(r, count++, one);
    }
    return count;
  }

  typename records::template array<capacity> records_;
  typename records::template array<network_capacity<records>> groups_;
};

// Rows of a few vectors at most: they are sorted in registers.
template <class Isa, class Order, std::size_t Rows, std::size_t Keep>
class register_rows {
 public:
  using codec_type = codec<Isa, Order>;
  using records = typename codec_type::records;
  using batch = typename records::batch;
  using lane = typename Order::lane;
  static constexpr std::size_t lanes = records::lanes;

  register_rows(const codec_type& code, std::size_t n, std::size_t k) : code_(code), n_(n), k_(k) {}

  // From the row on there are so many elements of the input, and places in the outputs.
  void run(const void* row, std::size_t readable, output_region region, std::size_t room) const {
    batch v[Rows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r) v[r] = load(row, r * lanes, readable);
    network<records, Rows>::template top<Keep>(v);
    std::size_t i = 0;
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r) {
      if (i >= k_) return;
      const std::size_t count = k_ - i < lanes ? k_ - i : lanes;
      if (room - i < lanes) return write_some(v[r], i, count, row, region);
      code_.write_vector(v[r], i, count, row, region);
      i += lanes;
    }
  }

 private:
  // A vector from element i on, with the worst for what is not of the row.
  batch load(const void* row, std::size_t i, std::size_t readable) const {
    const char* from = static_cast<const char*>(row) + i * sizeof(lane);
    if (n_ >= i + lanes) return code_.make(from, i);
    if (n_ <= i) return records::broadcast(records::worst_item);
    if (readable >= i + lanes) return records::first(code_.make(from, i), n_ - i);
    lane elements[lanes] = {};
    for (std::size_t e = 0; e < n_ - i; ++e) elements[e] = TOPSPLIT_KERNELS::load<lane>(from, e);
    return records::first(code_.make(elements, i), n_ - i);
  }
  void write_some(batch v, std::size_t i, std::size_t count, const void* row, output_region region) const {
    typename records::template array<lanes> some;
    records::store(some.all(), 0, v);
    code_.write(some.all(), count, row, {static_cast<char*>(region.values) + i * sizeof(lane), region.indices + i});
  }

  const codec_type& code_;
  std::size_t n_, k_;
};

// Calls row(slice, readable, region, room) for each slice of the range: how much of the input and of the outputs lies from
// the slice on, in the range.
template <class Lane, class Row>
inline void for_each_row(const kernels::topk_call& call, std::size_t begin, std::size_t end, const Row& row) {
  for (std::size_t s = begin; s < end; ++s) {
    row(slice_of<Lane>(call, s), (end - s) * call.n, region_of<Lane>(call, s), (end - s) * call.k);
  }
}

template <std::size_t Rows, std::size_t Keep, class Isa, class Order>
void topk_register_rows(const kernels::topk_call& call, std::size_t begin, std::size_t end) {
  const codec<Isa, Order> code{Order(call)};
  const register_rows<Isa, Order, Rows, Keep> rows(code, call.n, call.k);
  for_each_row<typename Order::lane>(
      call, begin, end, [&](const void* row, std::size_t readable, output_region region, std::size_t room) {
        rows.run(row, readable, region, room);
      });
}

template <std::size_t Rows, class Isa, class Order>
void topk_register_rows(const kernels::topk_call& call, std::size_t begin, std::size_t end) {
  if constexpr (Rows > 1) {
    if (call.k <= 2) return topk_register_rows<Rows, 2, Isa, Order>(call, begin, end);
    if (call.k <= 4) return topk_register_rows<Rows, 4, Isa, Order>(call, begin, end);
    if (call.k <= 8) return topk_register_rows<Rows, 8, Isa, Order>(call, begin, end);
  }
  topk_register_rows<Rows, Rows * codec<Isa, Order>::lanes, Isa, Order>(call, begin, end);
}

template <class Isa, class Order>
void topk_rows(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  using codec_type = codec<Isa, Order>;
  constexpr std::size_t lanes = codec_type::lanes;
  if (!call.by_index && call.n <= lanes) return topk_register_rows<1, Isa, Order>(call, begin, end);
  if (!call.by_index && call.n <= 2 * lanes) return topk_register_rows<2, Isa, Order>(call, begin, end);
  if (!call.by_index && call.n <= 4 * lanes) return topk_register_rows<4, Isa, Order>(call, begin, end);
  const codec_type code{Order(call)};
  row_selector<typename codec_type::records> selector;
  for_each_row<typename Order::lane>(call, begin, end,
                                     [&](const void* row, std::size_t, output_region region, std::size_t room) {
                                       code.make_all(row, call.n, selector.all());
                                       selector.select(call.n, call.k, call.by_index);
                                       if (call.by_index)
                                         return code.finish(selector.all(), call.k, selector.room, true, row, region);
                                       code.write_over(selector.all(), call.k, room, row, region);
                                     });
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
