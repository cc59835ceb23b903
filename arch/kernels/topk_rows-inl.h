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

  typename records::run all() { return records_.all(); }

  // Puts the best k of the n records first, in any order.
  void select(std::size_t n, std::size_t k) {
    const typename records::run r = records_.all();
    std::size_t count = n;
    if (k < n) {
      const std::size_t vectors = (2 * k + lanes - 1) / lanes;  // of groups, one to a lane
      if (n >= 3 * vectors * lanes && vectors <= most_vectors) {
        count = keep(n, threshold(n, vectors, k));
      }
    }
    if (count > k) sorter::select(r, count, k);
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
    sort_few<records>(best, vectors * lanes);
    return records::get(best, k - 1);
  }

  // Moves the records not worse than `least` to the front, in their order; returns their number.
  std::size_t keep(std::size_t n, item least_item) {
    const typename records::run r = records_.all();
    const batch least = records::broadcast(least_item);
    constexpr std::uint64_t all = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
    std::size_t count = 0, i = 0;
    for (; i + lanes <= n; i += lanes) {
      const batch v = records::load(r, i);
      const std::uint64_t bits = records::better_bits(least, v) ^ all;
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

template <class Isa, class Order>
void topk_rows(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  using lane = typename Order::lane;
  using codec_type = codec<Isa, Order>;
  const codec_type code{Order(call)};
  row_selector<typename codec_type::records> row;
  for (std::size_t s = begin; s < end; ++s) {
    const void* slice = static_cast<const char*>(call.x) + s * call.n * sizeof(lane);
    code.make_all(slice, call.n, row.all());
    row.select(call.n, call.k);
    code.finish(row.all(), call.k, call.by_index, slice,
                {static_cast<char*>(call.values) + s * call.k * sizeof(lane), call.indices + s * call.k});
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
