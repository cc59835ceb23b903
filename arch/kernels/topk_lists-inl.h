// TopK along an axis that is not last (inner > 1), for k up to 8: one sorted list a slice, and neighbouring slices are lanes.
//
// Row i of a block holds element i of each of its slices, contiguous in memory, so the input is read in the order in which
// it lies. A vector of new elements is compared with the k ranks of each lane's list at once and blended in without a
// branch; ties stay behind, since the list holds lower indices. The lists lie on the stack and are written at the end.
// Indices are kept in lanes of the element's size, which bounds n.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_LISTS_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_LISTS_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernel_table.h"
#include "arch/kernels/raw_memory-inl.h"
#include "arch/kernels/total_order-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// Blocks of slices of one outer position, lists of K.
template <class Isa, class Order, std::size_t K>
class list_block {
 public:
  using lane = typename Order::lane;
  using batch = typename Isa::template batch<lane>;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;

  explicit list_block(const kernels::topk_call& call) : call_(call), order_(call) {}

  // Slices of one block: as many as the stack has lists for.
  static constexpr std::size_t most_vectors = 24 * 1024 / (2 * K * lanes * sizeof(lane));
  static constexpr std::size_t most_slices = most_vectors * lanes;

  // Slices inner .. inner + count - 1 of an outer position.
  void run(std::size_t outer, std::size_t inner, std::size_t count) {
    const std::size_t vectors = (count + lanes - 1) / lanes;
    const std::size_t first = outer * call_.n * call_.inner + inner;
    const std::size_t end = (outer + 1) * call_.n * call_.inner;
    for (std::size_t i = 0; i < call_.n; ++i) {
      const std::size_t at = first + i * call_.inner;
      const char* row = static_cast<const char*>(call_.x) + at * sizeof(lane);
      if (i + rows_ahead < call_.n) prefetch(row + rows_ahead * call_.inner * sizeof(lane), count * sizeof(lane));
      for (std::size_t v = 0; v < vectors; ++v) {
        // The last vector may hold elements of other slices, and in the last rows what is not the tensor's.
        const char* from = row + v * lanes * sizeof(lane);
        const std::size_t left = end - at - v * lanes;
        insert(v, i, rank(left >= lanes ? Isa::template load<lane>(from) : load_some(from, left)));
      }
    }
    for (std::size_t v = 0; v < vectors; ++v)
      write(outer, inner + v * lanes, v, count - v * lanes < lanes ? count - v * lanes : lanes);
  }

 private:
  // The next row may lie too far away for the hardware to fetch it in time.
  static constexpr std::size_t rows_ahead = 3;
  static void prefetch(const char* row, std::size_t bytes) {
    for (std::size_t b = 0; b < bytes; b += 64) __builtin_prefetch(row + b, 0, 2);
  }

  static batch load_some(const char* from, std::size_t count) {
    alignas(64) lane elements[lanes] = {};
    std::memcpy(elements, from, count * sizeof(lane));
    return Isa::template load<lane>(elements);
  }
  batch rank(batch bits) const {
    return order_.template fold<Isa, lane>(order_.template ordered<Isa, lane>(bits));
  }
  static auto greater(batch a, batch b) { return Isa::template greater<lane>(a, b); }
  static batch select(decltype(greater(batch(), batch())) mask, batch a, batch b) {
    return Isa::template select<lane>(mask, a, b);
  }
  batch load_rank(std::size_t v, std::size_t q) const { return Isa::template load<lane>(ranks_[v][q]); }
  batch load_index(std::size_t v, std::size_t q) const { return Isa::template load<lane>(indices_[v][q]); }
  void put(std::size_t v, std::size_t q, batch rank, batch index) {
    Isa::template store<lane>(ranks_[v][q], rank);
    Isa::template store<lane>(indices_[v][q], index);
  }

  // The lists of vector v, whose first i places are taken, get element i.
  void insert(std::size_t v, std::size_t i, batch rank) {
    const batch index = Isa::template broadcast<lane>(static_cast<lane>(i));
    if (i < K) return insert_first(v, i, rank, index);
    // Early on most vectors have a lane that is better; later a branch pays.
    if (i >= 64 * K && !Isa::any(greater(rank, load_rank(v, K - 1)))) return;
    batch ranks[K], indices[K];
#pragma GCC unroll 8
    for (std::size_t q = 0; q < K; ++q) ranks[q] = load_rank(v, q), indices[q] = load_index(v, q);
    auto better = greater(rank, ranks[K - 1]);
#pragma GCC unroll 8
    for (std::size_t q = K - 1; q > 0; --q) {
      const auto better_than_next = greater(rank, ranks[q - 1]);
      put(v, q, select(better_than_next, ranks[q - 1], select(better, rank, ranks[q])),
          select(better_than_next, indices[q - 1], select(better, index, indices[q])));
      better = better_than_next;
    }
    put(v, 0, select(better, rank, ranks[0]), select(better, index, indices[0]));
  }
  void insert_first(std::size_t v, std::size_t i, batch rank, batch index) {
    batch moved_rank = rank, moved_index = index;
    for (std::size_t q = 0; q < i; ++q) {
      const batch here_rank = load_rank(v, q), here_index = load_index(v, q);
      const auto better = greater(rank, here_rank);
      put(v, q, select(better, moved_rank, here_rank), select(better, moved_index, here_index));
      moved_rank = select(better, here_rank, moved_rank);
      moved_index = select(better, here_index, moved_index);
    }
    put(v, i, moved_rank, moved_index);
  }

  // By index: all lanes of a vector at once, neighbours exchanged until none is out of order.
  void sort_by_index(std::size_t v) {
    for (std::size_t end = call_.k; end > 1; --end) {
      for (std::size_t q = 0; q + 1 < end; ++q) {
        const batch rank = load_rank(v, q), next_rank = load_rank(v, q + 1);
        const batch index = load_index(v, q), next_index = load_index(v, q + 1);
        const auto swap = greater(index, next_index);
        put(v, q, select(swap, next_rank, rank), select(swap, next_index, index));
        put(v, q + 1, select(swap, rank, next_rank), select(swap, index, next_index));
      }
    }
  }

  // The lists of vector v, the first `count` lanes of which are slices from `inner` on.
  void write(std::size_t outer, std::size_t inner, std::size_t v, std::size_t count) {
    const std::size_t k = call_.k, out = outer * k * call_.inner + inner;
    const char* slices = static_cast<const char*>(call_.x) + (outer * call_.n * call_.inner + inner) * sizeof(lane);
    if (call_.by_index) sort_by_index(v);
    for (std::size_t q = 0; q < k; ++q) {
      std::int64_t* indices = call_.indices + out + q * call_.inner;
      char* values = static_cast<char*>(call_.values) + (out + q * call_.inner) * sizeof(lane);
      alignas(64) lane bits[lanes];
      Isa::template store<lane>(bits, order_.template bits<Isa, lane>(load_rank(v, q)));
      std::memcpy(values, bits, count * sizeof(lane));
      for (std::size_t j = 0; j < count; ++j) {
        const std::int64_t index = indices_[v][q][j];
        indices[j] = index;
        // What the order folds together is read again.
        if (Order::folds && order_.is_folded(ranks_[v][q][j]))
          store<lane>(values, j, load<lane>(slices, static_cast<std::size_t>(index) * call_.inner + j));
      }
    }
  }

  const kernels::topk_call& call_;
  Order order_;
  alignas(64) lane ranks_[most_vectors][K][lanes];
  alignas(64) lane indices_[most_vectors][K][lanes];
};

template <std::size_t K, class Isa, class Order>
void topk_lists_of(const kernels::topk_call& call, std::size_t begin, std::size_t end) {
  using block = list_block<Isa, Order, K>;
  block lists(call);
  for (std::size_t s = begin; s < end;) {
    const std::size_t outer = s / call.inner, inner = s % call.inner;
    std::size_t count = call.inner - inner;
    if (count > end - s) count = end - s;
    if (count > block::most_slices) count = block::most_slices;
    lists.run(outer, inner, count);
    s += count;
  }
}

template <class Isa, class Order>
void topk_lists(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  if (call.k <= 2) return topk_lists_of<2, Isa, Order>(call, begin, end);
  if (call.k <= 4) return topk_lists_of<4, Isa, Order>(call, begin, end);
  topk_lists_of<8, Isa, Order>(call, begin, end);
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
