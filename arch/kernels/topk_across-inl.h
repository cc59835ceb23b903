// TopK along an axis that is not last (inner > 1): the reservoirs of several neighbouring slices on the stack, filled in the order
// in which the input lies.
//
// A tile is a few vectors that hold whole rows of few slices, or one vector of a row's many; it repeats down the axis, and each of
// its lanes belongs to the same slice every time. So one vector of bounds stands beside each vector of the tile:
//
//   rows of 3 slices, vectors of 4:   012 0 | 12 01 | 2 012     the tile has 3 vectors and 4 rows
//   rows of 1000 slices:              [first .. first + 3]      the tile has 1 vector and 1 row, and many columns are done in turn
//
// Where few elements pass, these bounds filter the tiles (`scan`), and what passes is appended one by one. Where many do, squares
// of rows and slices are transposed, and each slice appends a vector of its own (`scan_squares`). A full reservoir is cleared up
// as in topk_reservoir-inl.h.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_ACROSS_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_ACROSS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/codec-inl.h"
#include "arch/kernels/filter-inl.h"
#include "arch/kernels/quick-inl.h"
#include "arch/kernels/square_root-inl.h"
#include "arch/kernels/transpose-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa, class Order>
class across_tile {
 public:
  using codec_type = codec<Isa, Order>;
  using records = typename codec_type::records;
  using item = typename records::item;
  using run = typename records::run;
  using wide = typename codec_type::wide;
  using sorter = quick<records>;
  using lane = typename Order::lane;
  using filter_type = filter<Isa, Order>;
  using batch = typename filter_type::batch;
  static constexpr std::size_t lanes = filter_type::lanes;
  static constexpr std::size_t wide_lanes = records::lanes;
  static constexpr std::size_t capacity = kernels::topk_record_capacity(sizeof(lane));
  static constexpr std::size_t most_vectors = 1536 / (lanes * sizeof(lane));

  explicit across_tile(const kernels::topk_call& call) : call_(call), code_(Order(call)), filter_(code_.order()) {
    room_ = 2 * call.k < call.k + least_spare ? call.k + least_spare : 2 * call.k;
    most_slices_ = capacity / room_;
    const std::size_t line = 64 / sizeof(lane);
    if (most_slices_ > line && call.inner > most_slices_) most_slices_ -= most_slices_ % line;
  }

  // How many slices of an outer position to take at once, of `left` that lie before the end of the row.
  std::size_t slices_at_once(std::size_t left) const {
    if (left == call_.inner && is_whole_rows()) return left;
    const std::size_t count = most_slices_ < lanes ? most_slices_ : lanes;
    return count < left ? count : left;
  }

  void run_slices(std::size_t outer, std::size_t inner, std::size_t count) {
    in_ = static_cast<const char*>(call_.x) + (outer * call_.n * call_.inner + inner) * sizeof(lane);
    slices_ = count;
    place_tile(inner);
    for (std::size_t s = 0; s < count; ++s) counts_[s] = 0, least_[s] = records::worst_item;
    double passing = arrivals();
    by_squares_ = passing * squares_from >= static_cast<double>(call_.n);
    if (!by_squares_) {
      if (const double fewer = seed(); fewer != 0) passing = fewer;
      by_squares_ = !set_bounds();
    }
    std::size_t i = 0;
    if (by_squares_) {
      i = scan_squares(readable(inner, (count + wide_lanes - 1) / wide_lanes * wide_lanes));
    } else {
      i = scan(passing * static_cast<double>(group * slices_ * rows_) > static_cast<double>(call_.n));
    }
    for (; i < call_.n; ++i) append_row(i);
    for (std::size_t s = 0; s < count; ++s) {
      if (counts_[s] > call_.k) sorter::select(reservoir(s), counts_[s], call_.k, room_);
      if (call_.by_index) codec_type::drop_ranks(reservoir(s), call_.k);
      sorter::sort(reservoir(s), call_.k, room_);
    }
    write(outer * call_.k * call_.inner + inner);
  }

 private:
  static constexpr std::size_t group = filter_type::group;
  static constexpr std::size_t in_mask = filter_type::in_mask;
  static constexpr std::size_t least_spare = 16;
  static constexpr std::size_t few = 4, most_waiting = 32;
  struct hit {
    std::size_t row;
    std::uint32_t position;  // in the tile
  };
  static constexpr std::size_t rows_ahead = 24;  // the next rows may lie too far apart for the hardware to foresee them
  static constexpr std::size_t most_groups = 2048 / sizeof(item);
  // One element in so many passes: from there on squares are faster.
  static constexpr double squares_from = 40;
  // What passes costs some 10 ns an element, the sample 0.1.
  static constexpr double sample_balance = 100;

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
  void place_tile(std::size_t inner) {
    const bool whole_rows = slices_ == call_.inner && is_whole_rows();
    vectors_ = whole_rows ? call_.inner / common_divisor(call_.inner, lanes) : 1;
    rows_ = whole_rows ? vectors_ * lanes / call_.inner : 1;
    bytes_ahead_ = whole_rows ? filter_type::bytes_ahead : rows_ahead * call_.inner * sizeof(lane);
    inverse_ = rows_ == 1 ? 0 : (std::uint64_t{1} << 32) / call_.inner + 1;
    mask_ = low_bits(whole_rows || slices_ > lanes ? lanes : slices_);
    readable_ = whole_rows ? call_.n : readable(inner, lanes);
  }
  // A vector may reach into the following rows; in the last ones that would be behind the tensor.
  std::size_t readable(std::size_t inner, std::size_t width) const {
    const std::size_t beyond = inner + width <= call_.inner ? 0 : inner + width - call_.inner;
    const std::size_t last = (beyond + call_.inner - 1) / call_.inner;
    return call_.n > last ? call_.n - last : 0;
  }
  // A slice's lanes in a tile.
  std::size_t lanes_apart() const { return rows_ == 1 ? vectors_ * lanes : call_.inner; }
  const char* row(std::size_t i) const { return in_ + i * call_.inner * sizeof(lane); }
  run reservoir(std::size_t s) { return records_.all().from(s * room_); }
  // How many elements of a slice are likely to pass if the bound is always the k-th best of those before.
  double arrivals() const {
    double sum = static_cast<double>(call_.k);
    for (std::size_t seen = call_.k; seen < call_.n; seen *= 2) sum += 0.7 * static_cast<double>(call_.k);
    return sum;
  }

  // First thresholds: the k-th best of the best of groups of a slice's elements, spread over the slice. Returns how many
  // elements are then likely to pass; 0 where a sample would not pay.
  double seed() {
    const double n = static_cast<double>(call_.n), k = static_cast<double>(call_.k);
    const std::size_t tiles = (2 * call_.k + rows_ - 1) / rows_, groups = tiles * rows_;
    if (groups > most_groups || tiles * vectors_ * lanes * sizeof(lane) > sizeof(records_)) return 0;
    std::size_t rounds = static_cast<std::size_t>(square_root(sample_balance * n * k)) / groups + 1;
    if (rounds > readable_ / groups) rounds = readable_ / groups;
    if (rounds < 3) return 0;
    for (std::size_t round = 0; round < rounds; ++round) {
      const char* from = row(readable_ / rounds * round);
      for (std::size_t t = 0; t < tiles; ++t, from += rows_ * call_.inner * sizeof(lane)) {
        for (std::size_t v = 0; v < vectors_; ++v) {
          const batch ordered = filter_.ordered(from + v * lanes * sizeof(lane));
          char* const best = best_of(t, v);
          Isa::template store<lane>(
              best, round == 0 ? ordered : filter_type::better(Isa::template load<lane>(best), ordered));
        }
      }
    }
    for (std::size_t s = 0; s < slices_; ++s) least_[s] = kth_best(s, tiles);
    return 1.4 * n * k / static_cast<double>(rounds * groups);
  }
  char* best_of(std::size_t tile, std::size_t v) {
    return records_.raw() + (tile * vectors_ + v) * lanes * sizeof(lane);
  }
  // Of the groups' best of slice s. What is as good will pass: no element's index is n.
  item kth_best(std::size_t s, std::size_t tiles) {
    auto& each = groups_;
    std::size_t count = 0;
    for (std::size_t t = 0; t < tiles; ++t)
      for (std::size_t p = s; p < vectors_ * lanes; p += lanes_apart(), ++count)
        records::put(each.all(), count, codec_type::join(load<lane>(best_of(t, 0), p), count));
    sorter::select(each.all(), count, call_.k, each.room);
    const lane ordered = codec_type::rank(sorter::worst(each.all(), call_.k));
    return codec_type::join(code_.order().rank_of_ordered(ordered), call_.n);
  }

  // The bounds of `scan`. False where a slice's would lie below all lanes.
  bool set_bounds() {
    for (std::size_t s = 0; s < slices_; ++s) {
      if (code_.order().floor(codec_type::rank(least_[s])) == lane_limits<lane>::least) return false;
      set_bound(s, true);
    }
    return true;
  }
  // What is better than least_[s] passes, and what is as good, if it may. What passed the first bounds is no worse than they were,
  // so none lies below all lanes later.
  void set_bound(std::size_t s, bool as_good) {
    const lane rank = codec_type::rank(least_[s]);
    const lane bound = as_good ? static_cast<lane>(code_.order().floor(rank) - 1) : code_.order().threshold(rank);
    for (std::size_t p = s; p < vectors_ * lanes; p += lanes_apart()) bounds_[p] = bound;
  }
  // Where a tile has several rows and vectors, a slice's elements come out of order until all vectors are asked: one as good as the
  // worst of its records may come later and lie before it.
  void tighten() {
    if (!is_loose_) return;
    is_loose_ = false;
    for (std::size_t s = 0; s < slices_; ++s)
      if (codec_type::index(least_[s]) < call_.n) set_bound(s, false);
  }

  // A vector of the tile in several repeats at once, of which the best is asked first; where most have a hit, none is asked
  // whether it has. Returns the row before which all is done.
  std::size_t scan(bool most_hit) {
    const std::size_t tile_bytes = rows_ * call_.inner * sizeof(lane);
    std::size_t i = 0;
    for (; i + rows_ * group <= readable_; i += rows_ * group) {
      for (std::size_t v = 0; v < vectors_; ++v) {
        const char* const from = row(i) + v * lanes * sizeof(lane);
        for (std::size_t u = 0; u < group; ++u) __builtin_prefetch(from + u * tile_bytes + bytes_ahead_);
        if (!most_hit) {
          const batch best =
              filter_type::best_of_group([&](std::size_t u) { return filter_.ordered(from + u * tile_bytes); });
          if (!Isa::any(Isa::template greater<lane>(best, bounds(v)))) continue;
        }
        for (std::size_t u = 0; u < group; u += in_mask) ask<in_mask>(i + u * rows_, v);
      }
      tighten();
    }
    for (; i + rows_ <= readable_; i += rows_) {
      for (std::size_t v = 0; v < vectors_; ++v) ask<1>(i, v);
      tighten();
    }
    drain();
    return i;
  }
  batch bounds(std::size_t v) const { return Isa::template load<lane>(bounds_ + v * lanes); }

  // Vector v of Count repeats of the tile from row i on. How many hits there are is hard to foresee, so they wait in a queue, the
  // first few taken without asking.
  template <std::size_t Count>
  void ask(std::size_t i, std::size_t v) {
    std::uint64_t bits = 0;
#pragma GCC unroll 8
    for (std::size_t u = 0; u < Count; ++u) {
      const batch ordered = filter_.ordered(row(i + u * rows_) + v * lanes * sizeof(lane));
      bits |= (Isa::bits(Isa::template greater<lane>(ordered, bounds(v))) & mask_) << u * lanes;
    }
    if (bits == 0) return;
    const std::size_t hits = count_bits<64>(bits);
    hit* to = waiting_ + waits_;
    waits_ += hits;
    for (std::size_t taken = 0; taken < hits; taken += few, to += few) {
#pragma GCC unroll 4
      for (std::size_t h = 0; h < few; ++h, bits &= bits - 1) {
        const std::size_t b = static_cast<std::size_t>(__builtin_ctzll(bits | std::uint64_t{1} << 63));
        to[h] = {i + b / lanes * rows_, static_cast<std::uint32_t>(v * lanes + b % lanes)};
      }
    }
    if (waits_ >= most_waiting) drain();
  }
  void drain() {
    for (std::size_t h = 0; h < waits_; ++h) {
      const std::size_t p = waiting_[h].position;
      const std::size_t rows = static_cast<std::size_t>(p * inverse_ >> 32);
      append(p - rows * call_.inner, waiting_[h].row + rows);
    }
    waits_ = 0;
  }

  // Blocks of rows in an order that is none of the data's, lest each be better than all before it: every 64th, then every 8th,
  // then all others. Returns the row before which all is done.
  std::size_t scan_squares(std::size_t end) {
    const std::size_t blocks = end / wide_lanes;
    for (std::size_t b = 0; b < blocks; b += 64) take_squares(b * wide_lanes, 64 * wide_lanes);
    for (std::size_t b = 8; b < blocks; b += 8)
      if (b % 64 != 0) take_squares(b * wide_lanes, 8 * wide_lanes);
    for (std::size_t b = 1; b < blocks; ++b)
      if (b % 8 != 0) take_squares(b * wide_lanes, 3 * wide_lanes);
    return blocks * wide_lanes;
  }
  // The rows i .. i + wide_lanes - 1; some others are wanted soon.
  void take_squares(std::size_t i, std::size_t ahead) {
    for (std::size_t r = 0; r < wide_lanes; ++r) __builtin_prefetch(row(i + ahead + r));
    const wide indices = codec_type::indices_from(i);
    for (std::size_t s = 0; s < slices_; s += wide_lanes) {
      wide ranks[wide_lanes];
      for (std::size_t r = 0; r < wide_lanes; ++r) ranks[r] = code_.ranks(row(i + r) + s * sizeof(lane));
      transpose<Isa>(ranks);
      const std::size_t count = slices_ - s < wide_lanes ? slices_ - s : wide_lanes;
      for (std::size_t c = 0; c < count; ++c) append_vector(s + c, codec_type::join(ranks[c], indices));
    }
  }
  void append_vector(std::size_t s, typename records::batch some) {
    if (counts_[s] + wide_lanes > room_) clear_up(s);
    const std::uint64_t bits = records::better_bits(some, records::broadcast(least_[s]));
    records::store(reservoir(s), counts_[s], records::partition(some, bits));
    counts_[s] += static_cast<std::uint32_t>(count_bits<wide_lanes>(bits));
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
    sorter::select(reservoir(s), counts_[s], call_.k, room_);
    counts_[s] = static_cast<std::uint32_t>(call_.k);
    least_[s] = sorter::worst(reservoir(s), call_.k);
    if (by_squares_) return;
    const bool in_order = rows_ == 1 || vectors_ == 1;
    is_loose_ = is_loose_ || !in_order;
    set_bound(s, !in_order);
  }

  // The sorted reservoirs to the outputs from `out` on, in the order in which these lie.
  void write(std::size_t out) {
    std::size_t s = 0;
    for (; !call_.by_index && slices_ - s >= wide_lanes; s += wide_lanes) {
      for (std::size_t q = 0; q < call_.k; q += wide_lanes) {
        typename records::batch square[wide_lanes];
        for (std::size_t c = 0; c < wide_lanes; ++c) square[c] = records::load(reservoir(s + c), q);
        records::transpose(square);
        const std::size_t count = call_.k - q < wide_lanes ? call_.k - q : wide_lanes;
        for (std::size_t r = 0; r < count; ++r)
          code_.write_vector(square[r], wide_lanes, place(out + (q + r) * call_.inner + s),
                             [&](std::size_t c, std::size_t index) { return load<lane>(row(index), s + c); });
      }
    }
    for (std::size_t q = 0; q < call_.k; ++q)
      for (std::size_t rest = s; rest < slices_; ++rest) write_one(rest, q, place(out + q * call_.inner + rest));
  }
  void write_one(std::size_t s, std::size_t q, output_region place) {
    const item one = records::get(reservoir(s), q);
    const std::size_t index = codec_type::index(one);
    const lane rank = codec_type::rank(one);
    store<std::int64_t>(place.indices, 0, static_cast<std::int64_t>(index));
    // What the order folds together, or where the rank is gone, is read again.
    const bool read = call_.by_index || code_.order().is_folded(rank);
    store<lane>(place.values, 0, read ? load<lane>(row(index), s) : code_.order().bits(rank));
  }
  output_region place(std::size_t at) const {
    return {static_cast<char*>(call_.values) + at * sizeof(lane), call_.indices + at};
  }

  const kernels::topk_call& call_;
  codec_type code_;
  filter_type filter_;
  std::size_t room_, most_slices_;
  const char* in_ = nullptr;
  std::size_t slices_ = 0, vectors_ = 0, rows_ = 0, bytes_ahead_ = 0;
  std::uint64_t mask_ = 0;     // of the lanes that are slices
  std::size_t readable_ = 0;   // rows whose vectors end within the outer position
  std::uint64_t inverse_ = 0;  // of the row's length, for positions in a tile of several rows
  bool by_squares_ = false, is_loose_ = false;
  std::size_t waits_ = 0;
  union {
    typename records::template array<most_groups> groups_;  // while seeding
    hit waiting_[most_waiting + 64 + few];                  // while scanning
  };
  alignas(64) lane bounds_[most_vectors * lanes];
  item least_[capacity / least_spare];  // a slice's records have to be better than this
  std::uint32_t counts_[capacity / least_spare];
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
