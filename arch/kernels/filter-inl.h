// The vector filter: finds the elements of a slice that are better than a threshold, reading the rest as fast as memory gives.
//
// Eight vectors are reduced to the best of each lane before anything is asked, so a group without a hit costs a load, the
// order's few operations and a maximum each. Which groups have a hit is noted without a branch, since hits come where no
// predictor expects them; then those are taken. What passes goes to the Sink:
//   take(first, bits)   bit b is element first + b; whole vectors of elements are there; bits may be 0
//   take_one(index)     one element
// It may call set_better or set_as_good to raise the threshold while the filter runs.

#ifndef TOPSPLIT_ARCH_KERNELS_FILTER_INL_H
#define TOPSPLIT_ARCH_KERNELS_FILTER_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernels/bits-inl.h"
#include "arch/kernels/raw_memory-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa, class Order>
class filter {
 public:
  using lane = typename Order::lane;
  using batch = typename Isa::template batch<lane>;
  static constexpr std::size_t lanes = Isa::template lanes<lane>;
  static constexpr std::uint64_t all_lanes = low_bits(lanes);
  static constexpr std::size_t group = 8;
  static constexpr std::size_t in_mask = group * lanes <= 64 ? group : 64 / lanes;  // vectors whose bits fit one mask
  static constexpr std::size_t most_groups = 32;    // of which is found out which have a hit before any is taken
  static constexpr std::size_t bytes_ahead = 4096;  // a page, at which the hardware's own prefetching stops

  explicit filter(const Order& order) : order_(order) {}

  // From now on pass what is better than this rank ...
  void set_better(lane rank) {
    inclusive_ = false;
    rank_ = rank;
    bound_ = Isa::template broadcast<lane>(order_.threshold(rank));
  }
  // ... or also what is as good.
  void set_as_good(lane rank) {
    inclusive_ = true;
    rank_ = rank;
    bound_ = Isa::template broadcast<lane>(order_.floor(rank));
  }

  template <class Sink>
  void scan(const void* slice, std::size_t begin, std::size_t end, Sink& sink) {
    begin = scan_to_line(slice, begin, end, sink);
    while (begin < end)
      begin = inclusive_ ? scan_as<true>(slice, begin, end, sink) : scan_as<false>(slice, begin, end, sink);
  }

  // One vector's elements that pass.
  std::uint64_t hits(batch ordered) const { return inclusive_ ? hits<true>(ordered) : hits<false>(ordered); }

  // The order of a vector of elements at `from`, and the better of two lane by lane.
  batch ordered(const void* from) const {
    return order_.template ordered<Isa, lane>(Isa::template load_once<lane>(from));
  }
  static batch better(batch a, batch b) { return Isa::template max<lane>(a, b); }
  // The best of a group of vectors, lane by lane; at(u) is the u-th.
  template <class At>
  static batch best_of_group(const At& at) {
    const batch a = better(at(0), at(1)), b = better(at(2), at(3));
    const batch c = better(at(4), at(5)), d = better(at(6), at(7));
    return better(better(a, b), better(c, d));
  }

 private:
  // A vector that crosses a line costs two reads: the elements before the first line are asked apart, by a vector of which the
  // rest is left for later.
  template <class Sink>
  std::size_t scan_to_line(const void* slice, std::size_t begin, std::size_t end, Sink& sink) const {
    const char* from = static_cast<const char*>(slice) + begin * sizeof(lane);
    const std::size_t before = (-reinterpret_cast<std::uintptr_t>(from) % (lanes * sizeof(lane))) / sizeof(lane);
    if (before == 0 || end - begin < 4 * lanes) return begin;
    const std::uint64_t bits = hits(ordered(from)) & low_bits(before);
    if (bits != 0) sink.take(begin, bits);
    return begin + before;
  }

  // Returns where it stopped: at the end, or after the group in which the kind of bound changed.
  template <bool Inclusive, class Sink>
  std::size_t scan_as(const void* slice, std::size_t begin, std::size_t end, Sink& sink) {
    const auto at = [slice](std::size_t i) { return static_cast<const char*>(slice) + i * sizeof(lane); };
    std::size_t i = begin;
    while (end - i >= group * lanes) {
      std::size_t groups = (end - i) / (group * lanes);
      if (groups > most_groups) groups = most_groups;
      std::uint64_t found = 0;
      for (std::size_t g = 0; g < groups; ++g) {
        const char* const from = at(i + g * group * lanes);
        for (std::size_t b = 0; b < group * lanes * sizeof(lane); b += 64) __builtin_prefetch(from + bytes_ahead + b);
        const batch best = best_of_group([&](std::size_t u) { return ordered(from + u * lanes * sizeof(lane)); });
        found |= std::uint64_t{any_hit<Inclusive>(best)} << g;
      }
      for (; found != 0; found &= found - 1) {
        const std::size_t first = i + static_cast<std::size_t>(__builtin_ctzll(found)) * group * lanes;
        if (inclusive_) {
          take_group<true>(slice, first, sink);
        } else {
          take_group<false>(slice, first, sink);
        }
      }
      i += groups * group * lanes;
      if (inclusive_ != Inclusive) return i;
    }
    for (; end - i >= lanes; i += lanes) {
      const std::uint64_t bits = hits<Inclusive>(ordered(at(i)));
      if (bits == 0) continue;
      sink.take(i, bits);
      if (inclusive_ != Inclusive) return i + lanes;
    }
    take_each(slice, i, end, sink);
    return end;
  }

  template <bool Inclusive, class Sink>
  void take_group(const void* slice, std::size_t first, Sink& sink) {
    const char* const from = static_cast<const char*>(slice) + first * sizeof(lane);
    for (std::size_t u = 0; u < group; u += in_mask) {
      std::uint64_t bits = 0;
      for (std::size_t p = 0; p < in_mask; ++p)
        bits |= hits<Inclusive>(ordered(from + (u + p) * lanes * sizeof(lane))) << p * lanes;
      if (group <= 2 * in_mask || bits != 0) sink.take(first + u * lanes, bits);
    }
  }

  template <bool Inclusive>
  std::uint64_t hits(batch ordered) const {
    if constexpr (Inclusive) return Isa::bits(Isa::template greater<lane>(bound_, ordered)) ^ all_lanes;
    return Isa::bits(Isa::template greater<lane>(ordered, bound_));
  }

  // The same as a question alone, which costs less where a mask is no bits yet.
  template <bool Inclusive>
  bool any_hit(batch ordered) const {
    if constexpr (Inclusive) return !Isa::all(Isa::template greater<lane>(bound_, ordered));
    return Isa::any(Isa::template greater<lane>(ordered, bound_));
  }

  template <class Sink>
  void take_each(const void* slice, std::size_t begin, std::size_t end, Sink& sink) const {
    for (std::size_t i = begin; i < end; ++i) {
      const lane rank = order_.rank(load<lane>(slice, i));
      if (rank > rank_ || (inclusive_ && rank == rank_)) sink.take_one(i);
    }
  }

  Order order_;
  batch bound_ = Isa::template broadcast<lane>(0);
  lane rank_ = 0;
  bool inclusive_ = false;
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
