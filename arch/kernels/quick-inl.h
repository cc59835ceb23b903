// Select and sort of a run of records in place, by vector partition: quickselect and quicksort with networks for what is small.
//
// A partition takes vectors alternately from both ends and stores each whole to both ends of the gap between them: its
// better lanes come to lie first, the others last, and what a store writes too much falls into the gap. Which end is
// read next is where the gap is smaller, so a store never meets a record that was not read.
//
// Pivots are medians of samples. Should they fail (an input made against them), a bound on the depth hands over to a heap.

#ifndef TOPSPLIT_ARCH_KERNELS_QUICK_INL_H
#define TOPSPLIT_ARCH_KERNELS_QUICK_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernels/bits-inl.h"
#include "arch/kernels/network-inl.h"
#include "arch/kernels/records-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Records>
class quick {
 public:
  using run = typename Records::run;
  using item = typename Records::item;
  using batch = typename Records::batch;
  static constexpr std::size_t lanes = Records::lanes;

  // The `count` records of r, best first. Here and below, memory behind them that is ours, too, saves some steps: `room` >= count
  // tells of how many records r's memory is.
  static void sort(run r, std::size_t count, std::size_t room) { sort(r, count, room, depth_bound(count)); }

  // Moves the better half, roughly, of many records before the others; returns where these begin.
  static std::size_t halve(run r, std::size_t count) {
    return count <= network_capacity<Records> ? count : partition(r, count, pivot(r, count, count / 2));
  }

  // Puts the best k of `count` records first, in any order. 0 < k <= count.
  static void select(run r, std::size_t count, std::size_t k, std::size_t room) {
    std::size_t depth = depth_bound(count);
    while (k < count) {
      if (count <= network_capacity<Records>) return sort_few<Records>(r, count, room);
      if (depth-- == 0) return heap_sort(r, count);
      const std::size_t split = partition(r, count, pivot(r, count, k));
      if (k <= split) {
        count = split;
      } else {
        r = r.from(split);
        k -= split;
        count -= split;
        room -= split;
      }
    }
  }

  // The worst of `count` records.
  static item worst(run r, std::size_t count) {
    batch worst = Records::broadcast(Records::get(r, 0));
    std::size_t i = 0;
    for (; count - i >= lanes; i += lanes) {
      batch other = Records::load(r, i);
      Records::exchange(other, worst);
    }
    typename Records::template array<lanes> each;
    Records::store(each.all(), 0, worst);
    item result = Records::get(each.all(), 0);
    for (std::size_t j = 1; j < lanes; ++j) keep_worse(result, Records::get(each.all(), j));
    for (; i < count; ++i) keep_worse(result, Records::get(r, i));
    return result;
  }

  // Moves the records better than the pivot before the others; returns their number. count > network_capacity.
  static std::size_t partition(run r, std::size_t count, item pivot_item) {
    const batch pivot = Records::broadcast(pivot_item);
    // The first records, so many that whole blocks remain: the better ones move up, the others wait on the stack.
    typename Records::template array<block + lanes> waiting;
    const std::size_t odd = count % block;
    std::size_t left = 0, waits = 0;
    for (std::size_t i = 0; i < odd; ++i) {
      const item one = Records::get(r, i);
      if (Records::better(one, pivot_item)) {
        Records::put(r, left++, one);
      } else {
        Records::put(waiting.all(), waits++, one);
      }
    }
    std::size_t right = count, read_left = odd, read_right = count;
    batch held[2 * unroll];
    for (std::size_t u = 0; u < unroll; ++u) {
      held[u] = Records::load(r, read_left + u * lanes);
      held[unroll + u] = Records::load(r, read_right - block + u * lanes);
    }
    read_left += block;
    read_right -= block;
    while (read_left < read_right) {
      batch v[unroll];
      std::size_t from;
      if (read_left - left <= right - read_right) {
        from = read_left;
        read_left += block;
      } else {
        read_right -= block;
        from = read_right;
      }
      for (std::size_t u = 0; u < unroll; ++u) v[u] = Records::load(r, from + u * lanes);
      for (std::size_t u = 0; u < unroll; ++u) place(r, v[u], pivot, left, right);
    }
    // With those that waited in place the gap is as long as the vectors held: the last store fills it exactly.
    for (std::size_t i = 0; i < waits; ++i) Records::put(r, --right, Records::get(waiting.all(), i));
    for (std::size_t u = 0; u < 2 * unroll; ++u) place(r, held[u], pivot, left, right);
    return left;
  }

 private:
  static constexpr std::size_t unroll = 4;
  static constexpr std::size_t block = unroll * lanes;

  static void keep_worse(item& result, item other) {
    if (Records::better(result, other)) result = other;
  }

  static std::size_t depth_bound(std::size_t count) {
    std::size_t depth = 8;
    for (; count > 1; count /= 2) depth += 2;
    return depth;
  }

  static TOPSPLIT_INLINE void place(run r, batch v, batch pivot, std::size_t& left, std::size_t& right) {
    const std::uint64_t bits = Records::better_bits(v, pivot);
    const std::size_t better = count_bits<lanes>(bits);
    const batch parted = Records::partition(v, bits);
    Records::store(r, left, parted);
    Records::store(r, right - lanes, parted);
    left += better;
    right -= lanes - better;
  }

  // A record that some k of `count` are better than, by an evenly spaced sample. At least one record is not better.
  static item pivot(run r, std::size_t count, std::size_t k) {
    constexpr std::size_t most = network_capacity<Records> < 64 ? network_capacity<Records> : 64;
    const std::size_t size = count < 16 * most ? 16 : most;
    typename Records::template array<most> sample;
    const std::size_t step = count / size;
    for (std::size_t i = 0; i < size; ++i) Records::put(sample.all(), i, Records::get(r, step / 2 + i * step));
    sort_few<Records>(sample.all(), size, sample.room);
    const std::size_t rank =
        static_cast<std::size_t>(static_cast<double>(k) / static_cast<double>(count) * static_cast<double>(size));
    return Records::get(sample.all(), rank < 1 ? 1 : rank >= size ? size - 1 : rank);
  }

  static void sort(run r, std::size_t count, std::size_t room, std::size_t depth) {
    while (count > network_capacity<Records>) {
      if (depth-- == 0) return heap_sort(r, count);
      const std::size_t split = partition(r, count, pivot(r, count, count / 2));
      // The smaller part by recursion, so that the stack stays within log2(count) frames.
      if (split < count - split) {
        sort(r, split, room, depth);
        r = r.from(split);
        count -= split;
        room -= split;
      } else {
        sort(r.from(split), count - split, room - split, depth);
        count = split;
      }
    }
    sort_few<Records>(r, count, room);
  }

  // A heap whose root is the worst.
  static void sift_down(run r, std::size_t hole, std::size_t count, item moved) {
    for (std::size_t child; (child = 2 * hole + 1) < count; hole = child) {
      item down = Records::get(r, child);
      if (child + 1 < count) {
        const item other = Records::get(r, child + 1);
        if (Records::better(down, other)) down = other, ++child;
      }
      if (!Records::better(moved, down)) break;
      Records::put(r, hole, down);
    }
    Records::put(r, hole, moved);
  }
  static void heap_sort(run r, std::size_t count) {
    for (std::size_t p = count / 2; p-- > 0;) sift_down(r, p, count, Records::get(r, p));
    for (std::size_t last = count; last-- > 1;) {
      const item moved = Records::get(r, last);
      Records::put(r, last, Records::get(r, 0));
      sift_down(r, 0, last, moved);
    }
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
