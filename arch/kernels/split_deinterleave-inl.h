// Split: narrow rows, taken apart by byte shuffles.
//
// Example, shuffles of 16 bytes, rows of three bytes, the part at byte 0: one load sees 6 rows, r g b r g b ... r, and
// three loads, 18 bytes apart, see the 16 rows that fill a vector of the output:
//   index of load 0:  0 3 6 9 12 15 - - ...     load 1:  - - - - - - 0 3 6 9 12 15 - ...     load 2: ...  0 3 6 9
// Lengths that do not divide the shuffle's bytes leave its end unused; the next store overwrites it.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_DEINTERLEAVE_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_DEINTERLEAVE_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/kernel_table.h"
#include "arch/kernels/split_pieces-inl.h"
#include "arch/kernels/split_row_blocks-inl.h"
#include "arch/kernels/split_ways-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// How the pieces of a part are gathered. Depends on nothing but their length and the pitch of the rows.
template <class Ops>
struct gather_plan {
  static constexpr std::size_t most_loads = 8;
  std::size_t bytes = 0;  // of a piece; 0: no plan yet
  std::size_t rows;       // that fill one shuffle's result
  std::size_t loads;      // loads that it takes
  std::size_t load_pitch;
  std::uint8_t index[most_loads][Ops::shuffle_bytes];

  // False where a load would see a single piece, or too many loads were needed: copies do better.
  bool make(std::size_t piece, std::size_t pitch) {
    constexpr std::size_t width = Ops::shuffle_bytes;
    if (piece + pitch > width) return false;
    rows = width / piece;
    const std::size_t rows_seen = (width - piece) / pitch + 1;
    loads = (rows + rows_seen - 1) / rows_seen;
    if (loads > most_loads) return false;
    bytes = piece;
    load_pitch = rows_seen * pitch;
    std::memset(index, 0x80, loads * width);
    std::size_t to = 0;
    for (std::size_t load = 0; load < loads; ++load) {
      for (std::size_t r = 0; r < rows_seen && to < rows * piece; ++r) {
        for (std::size_t b = 0; b < piece; ++b) index[load][to++] = static_cast<std::uint8_t>(r * pitch + b);
      }
    }
    return true;
  }
};

// Gathers as many rows as whole results and the room for them allow; returns how many.
template <class Ops, std::size_t Loads>
std::size_t gather_rows(const piece_rows& run, const gather_plan<Ops>& plan) {
  const std::size_t rows = plan.rows * Ops::shuffle_lanes;
  const std::size_t lane_pitch = plan.rows * run.pitch, lane_step = plan.rows * run.bytes;
  const std::size_t reads = (Ops::shuffle_lanes - 1) * lane_pitch + (Loads - 1) * plan.load_pitch + Ops::shuffle_bytes;
  const std::size_t writes = (Ops::shuffle_lanes - 1) * lane_step + Ops::shuffle_bytes;
  const std::size_t readable = rows_within(run.from_room, reads, rows * run.pitch, run.rows / rows);
  const std::size_t results = rows_within(run.to_room, writes, rows * run.bytes, readable);
  const std::size_t load_pitch = plan.load_pitch, from_step = rows * run.pitch, to_step = rows * run.bytes;
  typename Ops::shuffle shuffles[Loads];
  for (std::size_t i = 0; i < Loads; ++i) shuffles[i].set(plan.index[i]);
  std::byte* to = run.to;
  const std::byte* from = run.from;
  for (std::size_t r = 0; r < results; ++r, to += to_step, from += from_step) {
    auto result = Ops::gather(from, lane_pitch, shuffles[0]);
    for (std::size_t i = 1; i < Loads; ++i) {
      result = Ops::gather_more(result, from + i * load_pitch, lane_pitch, shuffles[i]);
    }
    Ops::store(to, lane_step, result);
  }
  return results * rows;
}

template <class Ops>
struct deinterleave_copier : piece_copier<Ops> {
  gather_plan<Ops> plans[2];  // the last lengths
  std::size_t oldest = 0;

  const gather_plan<Ops>* plan_for(std::size_t bytes, std::size_t pitch) {
    for (const gather_plan<Ops>& plan : plans) {
      if (plan.bytes == bytes) return &plan;
    }
    gather_plan<Ops>& plan = plans[oldest];
    if (!plan.make(bytes, pitch)) return nullptr;
    oldest = 1 - oldest;
    return &plan;
  }

  std::size_t gather(const piece_rows& run, const gather_plan<Ops>& plan) {
    switch (plan.loads) {
      case 1:
        return gather_rows<Ops, 1>(run, plan);
      case 2:
        return gather_rows<Ops, 2>(run, plan);
      case 3:
        return gather_rows<Ops, 3>(run, plan);
      case 4:
        return gather_rows<Ops, 4>(run, plan);
      case 5:
        return gather_rows<Ops, 5>(run, plan);
      case 6:
        return gather_rows<Ops, 6>(run, plan);
      case 7:
        return gather_rows<Ops, 7>(run, plan);
      default:
        return gather_rows<Ops, 8>(run, plan);
    }
  }

  void copy(const piece_rows& run) {
    const gather_plan<Ops>* plan = plan_for(run.bytes, run.pitch);
    if (plan == nullptr) return piece_copier<Ops>::copy(run);
    const std::size_t done = gather(run, *plan);
    piece_rows rest = run;
    rest.to += done * run.bytes;
    rest.to_room -= done * run.bytes;
    rest.from += done * run.pitch;
    rest.from_room -= done == run.rows ? rest.from_room : done * run.pitch;
    rest.rows -= done;
    piece_copier<Ops>::copy(rest);
  }
};

// Rows that are nothing but a few equal pieces of a power of two bytes.
template <class Ops>
inline bool is_for_ways(const kernels::split_call& call) {
  const std::size_t piece = call.parts[0].bytes;
  if (call.row_bytes != call.span_bytes || piece == 0 || (piece & (piece - 1)) != 0) return false;
  for (std::size_t p = 1; p < call.part_count; ++p) {
    if (call.parts[p].bytes != piece) return false;
  }
  return piece <= Ops::shuffle_bytes / 2;
}

template <class Ops, std::size_t Ways, bool Streams>
void split_ways_and_rest(const kernels::split_call& call, std::size_t begin, std::size_t end) {
  const std::size_t span = call.span_bytes;
  const row_range rows = rows_of_ways(call, (begin + span - 1) / span, end / span);
  deinterleave_copier<Ops> copier;
  if (rows.begin >= rows.end) return split_row_blocks<Ops>(call, begin, end, copier);
  split_row_blocks<Ops>(call, begin, rows.begin * span, copier);
  constexpr bool can_stream = Streams && Ops::streams;
  if (can_stream && begin_at_lines(call, rows.begin)) {
    split_ways<Ops, Ways, can_stream>(call, rows);
  } else {
    split_ways<Ops, Ways, false>(call, rows);
  }
  split_row_blocks<Ops>(call, rows.end * span, end, copier);
}

template <class Ops, bool Streams>
void split_deinterleave(const kernels::split_call& call, std::size_t begin, std::size_t end) noexcept {
  if constexpr (Ops::shuffle_bytes == 0) {
    split_pieces<Ops>(call, begin, end);
  } else {
    if (is_for_ways<Ops>(call)) {
      switch (call.part_count) {
        case 2:
          return split_ways_and_rest<Ops, 2, Streams>(call, begin, end);
        case 3:
          return split_ways_and_rest<Ops, 3, Streams>(call, begin, end);
        case 4:
          return split_ways_and_rest<Ops, 4, Streams>(call, begin, end);
        case 6:
          return split_ways_and_rest<Ops, 6, Streams>(call, begin, end);
        case 8:
          return split_ways_and_rest<Ops, 8, Streams>(call, begin, end);
        default:
          break;
      }
    }
    deinterleave_copier<Ops> copier;
    split_row_blocks<Ops>(call, begin, end, copier);
  }
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
