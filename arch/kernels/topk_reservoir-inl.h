// TopK of long contiguous slices for k up to a thousand: a reservoir of records on the stack behind the vector filter.
//
//   threshold <- from elements all over the slice: the k-th best of the best of more than k groups of them
//   for each element as good as the threshold: append its record
//     if the reservoir is full: keep the best k, and their worst is the new threshold
//   sort the best k
//
// The threshold is always the rank of some k-th best of elements that exist, so nothing is lost by it. Appending costs far
// less than a heap's update, and the reservoir is cleared up once for several times k arrivals. In the worst order, where the
// sample misleads and each element beats all before it, each costs its record and a share of a select, whatever k is.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_RESERVOIR_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_RESERVOIR_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/codec-inl.h"
#include "arch/kernels/filter-inl.h"
#include "arch/kernels/quick-inl.h"
#include "arch/kernels/slices-inl.h"
#include "arch/kernels/square_root-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa, class Order>
class reservoir {
 public:
  using codec_type = codec<Isa, Order>;
  using records = typename codec_type::records;
  using sorter = quick<records>;
  using lane = typename Order::lane;
  using filter_type = filter<Isa, Order>;
  using lane_batch = typename filter_type::batch;
  static constexpr std::size_t lanes = filter_type::lanes;
  static constexpr std::size_t wide_lanes = records::lanes;
  static constexpr std::size_t at_once = 4;      // vectors of a sample
  static constexpr std::size_t most_taken = 64;  // by the filter's sink at once
  static constexpr std::size_t few = 2, most_queued = 16, most_waiting = 32;
  static constexpr std::size_t capacity = kernels::topk_record_capacity(sizeof(lane));

  explicit reservoir(const Order& order) : code_(order), filter_(order) {}

  void run(const void* slice, std::size_t n, std::size_t k, bool by_index, output_region region) {
    gather(slice, 0, n, k);
    code_.finish(records_.all(), k_, records_.room, by_index, slice, region);
  }

  // The best k of the elements [begin, end), or all where there are fewer: returns how many.
  std::size_t gather(const void* slice, std::size_t begin, std::size_t end, std::size_t k) {
    slice_ = slice;
    k_ = k;
    count_ = 0;
    // Room for a few times k: less would be cleared up too often, more would raise the threshold too late.
    const std::size_t room = 4 * k < k + 2 * most_taken ? k + 2 * most_taken : 4 * k;
    room_ = room < capacity ? room : capacity;
    seed(begin, end - begin);
    filter_.scan(slice, begin, end, *this);
    drain();
    keep_best();
    return count_;
  }

  // Takes in `count` <= k records that another one gathered, and puts the best k of all there; returns how many those are.
  std::size_t merge_into(typename records::run others, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) records::put(records_.all(), count_++, records::get(others, i));
    keep_best();
    for (std::size_t i = 0; i < count_; ++i) records::put(others, i, records::get(records_.all(), i));
    return count_;
  }

  // The filter's sink. How many elements pass is hard to foresee, so a few wait in a queue, taken without asking.
  void take(std::size_t first, std::uint64_t bits) {
    const std::size_t hits = count_bits<64>(bits);
    if (hits > most_queued) return take_vectors(first, bits);
    std::size_t* to = waiting_ + waits_;
    waits_ += hits;
    for (std::size_t taken = 0; taken < hits; taken += few, to += few) {
#pragma GCC unroll 2
      for (std::size_t h = 0; h < few; ++h, bits &= bits - 1)
        to[h] = first + static_cast<std::size_t>(__builtin_ctzll(bits | std::uint64_t{1} << 63));
    }
    if (waits_ >= most_waiting) drain();
  }
  void take_one(std::size_t index) {
    if (count_ + most_taken > room_) clear_up();
    records::put(records_.all(), count_++, code_.make_one(slice_, index));
  }

 private:
  void take_vectors(std::size_t first, std::uint64_t bits) {
    if (count_ + most_taken > room_) clear_up();
    code_.for_each_vector(slice_, first, bits, [this](typename records::batch v, std::uint64_t some) {
      records::store(records_.all(), count_, records::partition(v, some));
      count_ += count_bits<wide_lanes>(some);
    });
  }
  void drain() {
    if (count_ + most_taken > room_) clear_up();
    for (std::size_t w = 0; w < waits_; ++w)
      records::put(records_.all(), count_ + w, code_.make_one(slice_, waiting_[w]));
    count_ += waits_;
    waits_ = 0;
  }
  void keep_best() {
    if (count_ <= k_) return;
    sorter::select(records_.all(), count_, k_, records_.room);
    count_ = k_;
  }
  void clear_up() {
    keep_best();
    filter_.set_better(codec_type::rank(sorter::worst(records_.all(), k_)));
  }

  // Groups are the lanes of `vectors` vectors. Each takes an element of every round, and the rounds are spread over the slice, so
  // that a slice in ascending order finds its threshold as well as any.
  void seed(std::size_t begin, std::size_t n) {
    std::size_t vectors = (4 * k_ + at_once * lanes - 1) / (at_once * lanes) * at_once;
    if (vectors > capacity / lanes) vectors = capacity / lanes;
    // So many elements that what they cost and what passes the threshold that they give are about equal.
    const double balanced = sample_balance * static_cast<double>(n) * static_cast<double>(k_);
    const std::size_t sample = static_cast<std::size_t>(square_root(balanced));
    std::size_t rounds = sample / (vectors * lanes) + 1;
    if (rounds > n / (vectors * lanes)) rounds = n / (vectors * lanes);
    if (rounds < 2) return filter_.set_as_good(lane_limits<lane>::least);
    char* const best = records_.raw();
    const auto at = [&](std::size_t round, std::size_t v) {
      return static_cast<const char*>(slice_) + (begin + n / rounds * round + v * lanes) * sizeof(lane);
    };
    // Some at once through all rounds, so that they stay in registers.
    for (std::size_t v = 0; v < vectors; v += at_once) {
      lane_batch kept[at_once];
      for (std::size_t u = 0; u < at_once; ++u) kept[u] = filter_.ordered(at(0, v + u));
      for (std::size_t i = 1; i < rounds; ++i)
        for (std::size_t u = 0; u < at_once; ++u) kept[u] = filter_type::better(kept[u], filter_.ordered(at(i, v + u)));
      for (std::size_t u = 0; u < at_once; ++u)
        Isa::template store<lane>(best + (v + u) * lanes * sizeof(lane), kept[u]);
    }
    // A record is no shorter than a lane, so from the last to the first they can take the lanes' place.
    for (std::size_t v = vectors; v-- > 0;) {
      lane group[lanes];
      Isa::template store<lane>(group, Isa::template load<lane>(best + v * lanes * sizeof(lane)));
      for (std::size_t i = 0; i < lanes; i += wide_lanes)
        records::store(records_.all(), v * lanes + i, codec_type::make_ordered(group + i, v * lanes + i));
    }
    const std::size_t groups = vectors * lanes;
    if (groups > k_) sorter::select(records_.all(), groups, k_, records_.room);
    const lane ordered = codec_type::rank(sorter::worst(records_.all(), k_));
    filter_.set_as_good(code_.order().rank_of_ordered(ordered));
  }
  // What passes costs some 8 ns an element, the sample less than 0.1.
  static constexpr double sample_balance = 120;

  codec_type code_;
  filter_type filter_;
  const void* slice_ = nullptr;
  std::size_t k_ = 0, count_ = 0, room_ = 0, waits_ = 0;
  std::size_t waiting_[most_waiting + most_queued + few];
  typename records::template array<capacity> records_;
};

template <class Isa, class Order>
void topk_reservoir(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  using lane = typename Order::lane;
  reservoir<Isa, Order> chosen{Order(call)};
  for (std::size_t s = begin; s < end; ++s) {
    chosen.run(slice_of<lane>(call, s), call.n, call.k, call.by_index, region_of<lane>(call, s));
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
