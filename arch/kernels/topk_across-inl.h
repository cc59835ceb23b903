// TopK along an axis that is not last (inner > 1): the reservoirs of several neighbouring slices on the stack, behind one vector
// filter that reads the input in the order in which it lies.
//
// A tile is a few vectors that hold whole rows of few slices, or one vector of a row's many; it repeats down the axis, and each of
// its lanes belongs to the same slice every time. So one vector of thresholds stands beside each vector of the tile:
//
//   rows of 3 slices, vectors of 4:   012 0 | 12 01 | 2 012     the tile has 3 vectors and 4 rows
//   rows of 1000 slices:              [first .. first + 3]      the tile has 1 vector and 1 row, and many columns are done in turn
//
// What passes is appended to its slice's reservoir; a full one is cleared up as in topk_reservoir-inl.h.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_ACROSS_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_ACROSS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/codec-inl.h"
#include "arch/kernels/filter-inl.h"
#include "arch/kernels/quick-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa, class Order>
class across_tile {
 public:
  using codec_type = codec<Isa, Order>;
  using records = typename codec_type::records;
  using run = typename records::run;
  using sorter = quick<records>;
  using lane = typename Order::lane;
  using filter_type = filter<Isa, Order>;
  using batch = typename filter_type::batch;
  static constexpr std::size_t lanes = filter_type::lanes;
  static constexpr std::size_t capacity = kernels::topk_record_capacity(sizeof(lane));
  static constexpr std::size_t most_vectors = 3072 / (lanes * sizeof(lane));

  explicit across_tile(const kernels::topk_call& call) : call_(call), code_(Order(call)), filter_(code_.order()) {
    room_ = 2 * call.k < call.k + 16 ? call.k + 16 : 2 * call.k;
    most_slices_ = capacity / room_;
    const std::size_t line = 64 / sizeof(lane);
    if (most_slices_ > line && call.inner > most_slices_) most_slices_ -= most_slices_ % line;
  }

  // How many slices of an outer position to take at once, of `left` that lie before the end of the row.
  std::size_t slices_at_once(std::size_t left) const {
    if (left == call_.inner && is_whole_rows()) return left;
    std::size_t count = most_slices_ < lanes ? most_slices_ : lanes;
    return count < left ? count : left;
  }

  void run_slices(std::size_t outer, std::size_t inner, std::size_t count) {
    in_ = static_cast<const char*>(call_.x) + (outer * call_.n * call_.inner + inner) * sizeof(lane);
    slices_ = count;
    if (count == call_.inner && is_whole_rows()) {
      vectors_ = call_.inner / common_divisor(call_.inner, lanes);
      rows_ = vectors_ * lanes / call_.inner;
      // Several times the tile, so that most vectors are asked a group at a time.
      if (vectors_ > 1 && vectors_ < group && group * vectors_ <= most_vectors) {
        vectors_ *= group;
        rows_ *= group;
      }
      mask_ = filter_type::all_lanes;
      readable_ = call_.n;
    } else {
      vectors_ = 1;
      rows_ = 1;
      mask_ = low_bits(count < lanes ? count : lanes);
      // A vector may reach into the following rows; in the last ones that would be behind the tensor.
      const std::size_t beyond = inner + lanes <= call_.inner ? 0 : inner + lanes - call_.inner;
      const std::size_t last = (beyond + call_.inner - 1) / call_.inner;
      readable_ = call_.n > last ? call_.n - last : 0;
    }
    for (std::size_t s = 0; s < count; ++s) counts_[s] = 0;
    std::size_t i = 0;
    if (!seed()) {
      for (; i < room_ && i < call_.n; ++i) append_row(i);
      for (std::size_t s = 0; s < count; ++s) clear_up(s);
    }
    for (i = scan(i); i < call_.n; ++i) append_row(i);
    for (std::size_t s = 0; s < count; ++s) finish(outer, inner, s);
  }

 private:
  static constexpr std::size_t group = filter_type::group;
  static constexpr std::size_t group_capacity = 2048 / sizeof(typename records::item);

  static std::size_t common_divisor(std::size_t a, std::size_t b) {
    while (b != 0) {
      const std::size_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
  bool is_whole_rows() const {
    return call_.inner <= most_slices_ && call_.inner / common_divisor(call_.inner, lanes) <= most_vectors;
  }
  const char* row(std::size_t i) const { return in_ + i * call_.inner * sizeof(lane); }
  run reservoir(std::size_t s) { return records_.all().from(s * room_); }

  // From now on a slice passes what is better than this rank.
  void set_bound(std::size_t s, lane rank) {
    const lane bound = code_.order().threshold(rank);
    bound_of_[s] = bound;
    lowest_ = bound;
    for (std::size_t other = 0; other < slices_; ++other)
      if (bound_of_[other] < lowest_) lowest_ = bound_of_[other];
    const std::size_t step = rows_ == 1 ? vectors_ * lanes : call_.inner;
    for (std::size_t p = s; p < vectors_ * lanes; p += step) bounds_[p] = bound;
  }

  // First thresholds by groups of rows: a group's best in each lane, and of those of a lane the k-th best. False where that
  // takes too many rows, or a threshold would lie on a seam of the order.
  bool seed() {
    const std::size_t groups = 2 * call_.k;
    if (vectors_ * rows_ != 1 || groups > group_capacity || groups * lanes * sizeof(lane) > sizeof(records_))
      return false;
    std::size_t rounds = readable_ / groups;
    if (rounds < 3) return false;
    if (rounds > 16) rounds = 16;
    for (std::size_t g = 0; g < groups; ++g) {
      batch best = filter_.ordered(row(g));
      for (std::size_t i = 1; i < rounds; ++i) best = filter_type::better(best, filter_.ordered(row(g + i * groups)));
      Isa::template store<lane>(records_.raw() + g * lanes * sizeof(lane), best);
    }
    bool all = true;
    for (std::size_t s = 0; s < slices_; ++s) {
      typename records::template array<group_capacity> each;
      for (std::size_t g = 0; g < groups; ++g)
        records::put(each.all(), g, codec_type::join(load<lane>(records_.raw(), g * lanes + s), g));
      sorter::select(each.all(), groups, call_.k, each.room);
      const lane rank = code_.order().rank_of_ordered(codec_type::rank(sorter::worst(each.all(), call_.k)));
      all = all && !code_.order().is_folded(rank) && rank != lane_limits<lane>::least;
      if (all) set_bound(s, static_cast<lane>(rank - 1));
    }
    return all;
  }

  // Returns the row before which all is done.
  std::size_t scan(std::size_t begin) {
    std::size_t i = begin;
    if (vectors_ == 1 && !most_groups_hit()) {
      // A single vector repeats: the best of several rows is asked first.
      for (; i + rows_ * group <= readable_; i += rows_ * group) {
        const batch best =
            filter_type::best_of_group([&](std::size_t u) { return filter_.ordered(row(i + u * rows_)); });
        if (Isa::any(Isa::template greater<lane>(best, Isa::template load<lane>(bounds_)))) ask<group>(i, rows_, 0, 0);
      }
    } else if (vectors_ == 1) {
      for (; i + rows_ * group <= readable_; i += rows_ * group) ask<group>(i, rows_, 0, 0);
    }
    for (; i + rows_ <= readable_; i += rows_) {
      std::size_t v = 0;
      for (; vectors_ - v >= group; v += group) {
        const char* from = row(i) + v * lanes * sizeof(lane);
        const batch best =
            filter_type::best_of_group([&](std::size_t u) { return filter_.ordered(from + u * lanes * sizeof(lane)); });
        if (Isa::any(Isa::template greater<lane>(best, Isa::template broadcast<lane>(lowest_)))) ask<group>(i, 0, v, 1);
      }
      for (; v < vectors_; ++v) ask<1>(i, 0, v, 1);
    }
    return i;
  }

  // Whether the first thresholds let through more than one element of most groups.
  bool most_groups_hit() const { return group * slices_ * rows_ * call_.k > call_.n; }

  // Count vectors from vector v of the tile at row i on, each so many rows and vectors after the other. Those with hits are
  // gathered without a branch, so that only their number is unforeseen.
  template <std::size_t Count>
  void ask(std::size_t i, std::size_t row_step, std::size_t v, std::size_t vector_step) {
    std::uint64_t found[Count], any = 0;
#pragma GCC unroll 8
    for (std::size_t u = 0; u < Count; ++u) {
      const std::size_t at = v + u * vector_step;
      const batch ordered = filter_.ordered(row(i + u * row_step) + at * lanes * sizeof(lane));
      const batch bound = Isa::template load<lane>(bounds_ + at * lanes);
      found[u] = Isa::bits(Isa::template greater<lane>(ordered, bound)) & mask_;
      any |= found[u];
    }
    if (any == 0) return;
    std::uint64_t bits[Count];
    std::size_t which[Count], hit = 0;
#pragma GCC unroll 8
    for (std::size_t u = 0; u < Count; ++u) {
      bits[hit] = found[u];
      which[hit] = u;
      hit += found[u] != 0;
    }
    for (std::size_t h = 0; h < hit; ++h) {
      for (std::uint64_t left = bits[h]; left != 0; left &= left - 1) {
        const std::size_t p = (v + which[h] * vector_step) * lanes + static_cast<std::size_t>(__builtin_ctzll(left));
        const std::size_t at = i + which[h] * row_step;
        if (rows_ == 1) {
          append(p, at);
        } else {
          append(p % call_.inner, at + p / call_.inner);
        }
      }
    }
  }

  void append_row(std::size_t i) {
    for (std::size_t s = 0; s < slices_; ++s) append(s, i);
  }
  void append(std::size_t s, std::size_t i) {
    if (counts_[s] == room_) clear_up(s);
    const lane bits = load<lane>(row(i), s);
    records::put(reservoir(s), counts_[s]++, codec_type::join(code_.order().rank(bits), i));
  }
  void clear_up(std::size_t s) {
    if (counts_[s] <= call_.k) return;
    sorter::select(reservoir(s), counts_[s], call_.k, room_);
    counts_[s] = call_.k;
    set_bound(s, codec_type::rank(sorter::worst(reservoir(s), call_.k)));
  }

  void finish(std::size_t outer, std::size_t inner, std::size_t s) {
    const std::size_t k = call_.k, out = outer * k * call_.inner + inner + s;
    if (counts_[s] > k) sorter::select(reservoir(s), counts_[s], k, room_);
    if (call_.by_index) codec_type::drop_ranks(reservoir(s), k);
    sorter::sort(reservoir(s), k, room_);
    for (std::size_t q = 0; q < k; ++q) {
      const typename records::item one = records::get(reservoir(s), q);
      const std::size_t index = codec_type::index(one);
      const lane rank = codec_type::rank(one);
      store<std::int64_t>(call_.indices, out + q * call_.inner, static_cast<std::int64_t>(index));
      // What the order folds together, or where the rank is gone, is read again.
      const bool read = call_.by_index || code_.order().is_folded(rank);
      store<lane>(call_.values, out + q * call_.inner, read ? load<lane>(row(index), s) : code_.order().bits(rank));
    }
  }

  const kernels::topk_call& call_;
  codec_type code_;
  filter_type filter_;
  std::size_t room_, most_slices_;
  const char* in_ = nullptr;
  std::size_t slices_ = 0, vectors_ = 0, rows_ = 0;
  std::uint64_t mask_ = 0;    // of the lanes that are slices
  std::size_t readable_ = 0;  // rows whose vectors end within the outer position
  alignas(64) lane bounds_[most_vectors * lanes];
  lane lowest_ = 0;  // of all bounds
  lane bound_of_[kernels::topk_record_capacity(sizeof(lane)) / 16];
  std::size_t counts_[kernels::topk_record_capacity(sizeof(lane)) / 16];
  typename records::template array<capacity> records_;
};

template <class Isa, class Order>
void topk_across(const kernels::topk_call& call, std::size_t begin, std::size_t end) noexcept {
  across_tile<Isa, Order> tile(call);
  for (std::size_t s = begin; s < end;) {
    const std::size_t outer = s / call.inner, inner = s % call.inner;
    const std::size_t left = call.inner - inner < end - s ? call.inner - inner : end - s;
    const std::size_t count = tile.slices_at_once(left);
    tile.run_slices(outer, inner, count);
    s += count;
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
