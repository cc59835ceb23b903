// TopK of contiguous slices for large k: the k-th best record first, by narrowing a bracket around it, then one pass that
// writes exactly the records not worse than it, in index order, into the region of the outputs; then the sort.
//
//   bracket <- two order statistics of a sample, some deviations to either side of the place where the k-th should be
//   one pass: count what is better than the bracket, collect what is in it (in the region, which is free yet)
//   if the k-th is in the bracket and the bracket fits: quickselect it there; else narrow again, from what was learnt
//
// A slice is read two or three times whatever its order, and nothing is moved that is not chosen. Ties cost nothing special:
// records tie with none, so a bracket can begin and end inside a run of equal values.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_SELECT_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_SELECT_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/codec-inl.h"
#include "arch/kernels/filter-inl.h"
#include "arch/kernels/quick-inl.h"
#include "arch/kernels/slices-inl.h"
#include "arch/kernels/square_root-inl.h"
#include "arch/kernels/topk_heap-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// Appends records to a run with room for exactly `capacity`; counts on when it is full.
template <class Codec>
class record_writer {
 public:
  using records = typename Codec::records;
  static constexpr std::size_t lanes = records::lanes;

  record_writer(const Codec& code, const void* slice, typename records::run to, std::size_t capacity)
      : code_(code), slice_(slice), to_(to), capacity_(capacity) {}

  std::size_t count() const { return count_; }

  void take(std::size_t first, std::uint64_t bits) {
    code_.for_each_vector(slice_, first, bits,
                          [this](typename records::batch v, std::uint64_t some) { append(v, some); });
  }
  // The same without a branch on the bits, for vectors that most often have some in each part.
  template <std::size_t Elements>
  void take_all(std::size_t first, std::uint64_t bits) {
    if (capacity_ < count_ + Elements) return take(first, bits);
    std::size_t count = count_;
#pragma GCC unroll 8
    for (std::size_t part = 0; part < Elements; part += lanes) {
      const std::uint64_t some = bits >> part & low_bits(lanes);
      const std::size_t at = first + part;
      const auto v = code_.make(static_cast<const char*>(slice_) + at * sizeof(typename Codec::lane), at);
      records::store(to_, count, records::partition(v, some));
      count += count_bits<lanes>(some);
    }
    count_ = count;
  }
  void take_one(std::size_t index) { append_one(code_.make_one(slice_, index)); }

 private:
  void append(typename records::batch v, std::uint64_t bits) {
    const typename records::batch chosen = records::partition(v, bits);
    const std::size_t added = count_bits<lanes>(bits);
    if (capacity_ >= count_ + lanes) {
      records::store(to_, count_, chosen);
      count_ += added;
    } else {
      typename records::template array<lanes> edge;
      records::store(edge.all(), 0, chosen);
      for (std::size_t i = 0; i < added; ++i) append_one(records::get(edge.all(), i));
    }
  }
  void append_one(typename records::item one) {
    if (count_ < capacity_) records::put(to_, count_, one);
    ++count_;
  }

  const Codec& code_;
  const void* slice_;
  typename records::run to_;
  std::size_t capacity_;
  std::size_t count_ = 0;
};

template <class Isa, class Order>
class selector {
 public:
  using codec_type = codec<Isa, Order>;
  using records = typename codec_type::records;
  using item = typename records::item;
  using run = typename records::run;
  using sorter = quick<records>;
  using lane = typename Order::lane;
  using filter_type = filter<Isa, Order>;
  using writer = record_writer<codec_type>;

  selector(const codec_type& code, const void* slice, std::size_t n, std::size_t k)
      : code_(code), slice_(slice), n_(n), k_(k) {}

  // The k-th best record. `room` is what it may use of `free`. False: it was not found in a few rounds.
  bool find(run free, std::size_t room, item& kth) {
    if (k_ == n_) {
      kth = codec_type::join(lane_limits<lane>::least, n_ - 1);
      return true;
    }
    for (unsigned round = 0; round < most_rounds; ++round) {
      narrow(round);
      if (expected_ > 3 * room / 4) narrow_further();
      writer in_bracket(code_, slice_, free, room);
      const std::size_t better = collect(in_bracket);
      const std::size_t within = in_bracket.count();
      if (better >= k_) {
        raise_low(high_, better);
      } else if (better + within < k_) {
        lower_high(low_, better + within);
      } else if (within <= room) {
        const std::size_t rank = k_ - better;
        sorter::select(free, within, rank, room);
        kth = sorter::worst(free, rank);
        return true;
      } else {
        better_ = better;
        within_ = within;
      }
    }
    return false;
  }

  // The records of [begin, end) that are not worse than kth, in index order: to `to`, where there is room for `room` ...
  std::size_t compact(item kth, std::size_t begin, std::size_t end, run to, std::size_t room) const {
    writer chosen(code_, slice_, to, room);
    scan(kth, begin, end, chosen);
    return chosen.count();
  }
  // ... or just their number.
  std::size_t count(item kth, std::size_t begin, std::size_t end) const {
    counter chosen;
    scan(kth, begin, end, chosen);
    return chosen.count;
  }

 private:
  static constexpr unsigned most_rounds = 6;
  static constexpr std::size_t sample_size = kernels::topk_record_capacity(sizeof(lane)) / 2;

  // The bracket is [low, high): not worse than low, worse than high. An end that is not there lets all in.
  struct end_of_bracket {
    bool there = false;
    item record = records::worst_item;
  };

  void raise_low(end_of_bracket low, std::size_t better) {
    low_ = low;
    high_ = {};
    better_ = 0;
    within_ = better;
  }
  void lower_high(end_of_bracket high, std::size_t better) {
    high_ = high;
    low_ = {};
    better_ = better;
    within_ = n_ - better;
  }

  bool is_within(item one) const {
    return (!low_.there || !records::better(low_.record, one)) && (!high_.there || records::better(high_.record, one));
  }

  // Evenly spaced elements, from round to round other ones and more of them, and of these the ones in the bracket.
  std::size_t sample(unsigned round, run to) const {
    std::size_t step = n_ / sample_size >> round;
    if (step == 0) step = 1;
    std::size_t count = 0;
    for (std::size_t i = step / 2; i < n_ && count < sample_size; i += step) {
      const item one = code_.make_one(slice_, i);
      if (is_within(one)) records::put(to, count++, one);
    }
    return count;
  }

  using sample_array = typename records::template array<sample_size>;

  // The bracket becomes that around a place among the records drawn, with a margin to either side; an end that lies beyond
  // those drawn stays where it is. Returns the share of those drawn that is left.
  double set_bracket(sample_array& drawn, std::size_t count, double place, double margin) {
    const double first = place - margin, last = place + margin;
    std::size_t skipped = 0, kept = count;
    if (first >= 1) {
      skipped = static_cast<std::size_t>(first);
      if (skipped > count) skipped = count;
      sorter::select(drawn.all(), count, skipped, drawn.room);
    }
    if (last < static_cast<double>(count)) kept = last < 0 ? 0 : static_cast<std::size_t>(last);
    if (kept > skipped && kept < count) {
      sorter::select(drawn.all().from(skipped), count - skipped, kept - skipped, drawn.room - skipped);
      low_ = {true, sorter::worst(drawn.all().from(skipped), kept - skipped)};
    } else {
      kept = count;
    }
    if (skipped > 0) high_ = {true, sorter::worst(drawn.all(), skipped)};
    return count == 0 ? 1 : static_cast<double>(kept - skipped) / static_cast<double>(count);
  }

  void narrow(unsigned round) {
    if (round == 0) within_ = n_;
    sample_array drawn;
    const std::size_t count = sample(round, drawn.all());
    // Where the k-th should be among those drawn, and four deviations.
    const double share = static_cast<double>(k_ - better_) / static_cast<double>(within_);
    const double place = share * static_cast<double>(count);
    const double left = set_bracket(drawn, count, place, 4 * square_root(place * (1 - share)) + 2);
    expected_ = static_cast<std::size_t>(left * static_cast<double>(within_));
  }

  // The same from a larger sample, of whole vectors, of which only what is in the bracket is drawn.
  void narrow_further() {
    constexpr std::size_t lanes = filter_type::lanes;
    std::size_t vectors = n_ / lanes / 4;
    const std::size_t enough = sample_size / 2 * (n_ / (expected_ + 1) + 1) / lanes;
    if (enough < vectors) vectors = enough;
    if (vectors == 0) return;
    sample_array room;
    writer drawn(code_, slice_, room.all(), sample_size);
    bound high(code_.order(), high_, false), low(code_.order(), low_, true);
    std::size_t better = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t i = n_ / vectors * v;
      high.enter(i < cut(high_));
      low.enter(i < cut(low_));
      better += collect(high, low, i, i + lanes, drawn);
    }
    if (drawn.count() > sample_size) return;
    const double looked_at = static_cast<double>(vectors * lanes) / static_cast<double>(n_);
    const double before = looked_at * static_cast<double>(k_),
                 share = static_cast<double>(k_) / static_cast<double>(n_);
    const double place = before - static_cast<double>(better);
    const double left = set_bracket(room, drawn.count(), place, 4 * square_root(before * (1 - share)) + 2);
    expected_ = static_cast<std::size_t>(left * static_cast<double>(drawn.count()) / looked_at);
  }

  // What is in the bracket goes to the writer; returns how many are better.
  std::size_t collect(writer& in_bracket) const {
    bound high(code_.order(), high_, false), low(code_.order(), low_, true);
    std::size_t better = 0;
    const std::size_t cuts[3] = {cut(high_), cut(low_), n_};
    std::size_t begin = 0;
    for (int c = 0; c < 3; ++c) {
      const std::size_t end = c == 0   ? (cuts[0] < cuts[1] ? cuts[0] : cuts[1])
                              : c == 1 ? (cuts[0] < cuts[1] ? cuts[1] : cuts[0])
                                       : n_;
      high.enter(begin < cuts[0]);
      low.enter(begin < cuts[1]);
      better += collect(high, low, begin, end, in_bracket);
      begin = end;
    }
    return better;
  }
  std::size_t cut(const end_of_bracket& e) const { return e.there ? codec_type::index(e.record) + 1 : 0; }

  // One end of the bracket as a filter: before the record's own index, equal ranks are as good; after it they are worse.
  class bound {
   public:
    bound(const Order& order, const end_of_bracket& e, bool without)
        : there_(e.there), without_(without), rank_(codec_type::rank(e.record)), filter_(order) {}
    void enter(bool before) {
      if (before) {
        filter_.set_as_good(rank_);
      } else {
        filter_.set_better(rank_);
      }
    }
    std::uint64_t hits(typename filter_type::batch ordered) const {
      if (!there_) return without_ ? filter_type::all_lanes : 0;
      return filter_.hits(ordered);
    }
    typename filter_type::batch ordered(const void* from) const { return filter_.ordered(from); }

   private:
    bool there_, without_;
    lane rank_;
    filter_type filter_;
  };

  std::size_t collect(const bound& high, const bound& low, std::size_t begin, std::size_t end,
                      writer& in_bracket) const {
    constexpr std::size_t lanes = filter_type::lanes;
    const bool dense = is_dense(expected_);
    std::size_t better = 0, i = begin;
    for (; end - i >= lanes; i += lanes) {
      const auto v = high.ordered(static_cast<const char*>(slice_) + i * sizeof(lane));
      const std::uint64_t above = high.hits(v), within = low.hits(v) & ~above;
      better += static_cast<std::size_t>(__builtin_popcountll(above));
      if (dense) {
        in_bracket.template take_all<lanes>(i, within);
      } else if (within != 0) {
        in_bracket.take(i, within);
      }
    }
    for (; i < end; ++i) {
      const item one = code_.make_one(slice_, i);
      if (high_.there && !records::better(high_.record, one)) {
        ++better;
      } else if (is_within(one)) {
        in_bracket.take_one(i);
      }
    }
    return better;
  }

  struct counter {
    std::size_t count = 0;
    void take(std::size_t, std::uint64_t bits) { count += static_cast<std::size_t>(__builtin_popcountll(bits)); }
    template <std::size_t>
    void take_all(std::size_t first, std::uint64_t bits) {
      take(first, bits);
    }
    void take_one(std::size_t) { ++count; }
  };

  template <class Sink>
  void scan(item kth, std::size_t begin, std::size_t end, Sink& chosen) const {
    const std::size_t tie = codec_type::index(kth) + 1;  // equal ranks count up to here
    const std::size_t middle = tie < begin ? begin : tie > end ? end : tie;
    filter_type filter(code_.order());
    filter.set_as_good(codec_type::rank(kth));
    scan(filter, begin, middle, chosen);
    filter.set_better(codec_type::rank(kth));
    scan(filter, middle, end, chosen);
  }

  // Where more than every second vector is likely to have one of so many elements, none is asked whether it has.
  bool is_dense(std::size_t count) const { return n_ / (count + 1) < 2 * filter_type::lanes; }

  template <class Sink>
  void scan(filter_type& filter, std::size_t begin, std::size_t end, Sink& chosen) const {
    constexpr std::size_t lanes = filter_type::lanes;
    std::size_t i = begin;
    if (is_dense(k_)) {
      for (; end - i >= lanes; i += lanes) {
        const auto v = filter.ordered(static_cast<const char*>(slice_) + i * sizeof(lane));
        chosen.template take_all<lanes>(i, filter.hits(v));
      }
    }
    filter.scan(slice_, i, end, chosen);
  }

  const codec_type& code_;
  const void* slice_;
  std::size_t n_, k_;
  end_of_bracket high_, low_;
  std::size_t better_ = 0, within_ = 0;  // how many are better than the bracket, how many in it
  std::size_t expected_ = 0;             // how many are likely in it
};

template <class Isa, class Order>
void topk_select(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  using lane = typename Order::lane;
  using selector_type = selector<Isa, Order>;
  using codec_type = typename selector_type::codec_type;
  const codec_type code{Order(call)};
  const std::size_t n = call.n, k = call.k;
  for (std::size_t s = begin; s < end; ++s) {
    const void* slice = slice_of<lane>(call, s);
    const output_region region = region_of<lane>(call, s);
    const typename selector_type::run records = codec_type::run_in(region);
    if (k == n) {
      code.make_all(slice, n, records);
    } else {
      selector_type select(code, slice, n, k);
      typename selector_type::item kth;
      if (!select.find(records, k, kth)) {
        topk_heap<Isa, Order>(call, s, s + 1);
        continue;
      }
      select.compact(kth, 0, n, records, k);
    }
    if (!call.by_index) selector_type::sorter::sort(records, k, k);
    code.write(records, k, slice, region);
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
