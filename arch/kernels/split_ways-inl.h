// Split: rows of a few equal pieces of 1, 2, 4, ... bytes (colour planes, gates), all outputs at once: so many vectors
// of rows are loaded, and each output takes its bytes from all of them by shuffles.

#ifndef TOPSPLIT_ARCH_KERNELS_SPLIT_WAYS_INL_H
#define TOPSPLIT_ARCH_KERNELS_SPLIT_WAYS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/split_copy-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct row_range {
  std::size_t begin;
  std::size_t end;
};

// What of the rows [first, last) split_ways takes: whole lines of output, from the row at which the first output is at
// the start of one, if there is such a row. Empty where too few rows are left.
inline row_range rows_of_ways(const kernels::split_call& call, std::size_t first, std::size_t last) {
  constexpr std::size_t least_bytes = 4096;  // below it the shuffles' indices cost more than they save
  const std::size_t piece = call.parts[0].bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(call.parts[0].data) + first * piece;
  const std::size_t begin = first + (address % piece != 0 ? 0 : (0 - address) % line_bytes / piece);
  if (last <= begin || (last - begin) * call.span_bytes < least_bytes) return {first, first};
  const std::size_t rows_at_once = line_bytes / piece;
  return {begin, begin + (last - begin) / rows_at_once * rows_at_once};
}

// Whether in this row each output is at the start of a line.
inline bool begin_at_lines(const kernels::split_call& call, std::size_t row) {
  for (std::size_t p = 0; p < call.part_count; ++p) {
    if (reinterpret_cast<std::uintptr_t>(call.parts[p].data + row * call.parts[p].bytes) % line_bytes != 0)
      return false;
  }
  return true;
}

template <class Ops, std::size_t Ways>
inline void set_takers(typename Ops::template way_taker<Ways> (&takers)[Ways], std::size_t piece) {
  std::uint16_t source[Ops::shuffle_bytes];
  for (std::size_t j = 0; j < Ops::shuffle_bytes; ++j) {
    source[j] = static_cast<std::uint16_t>((j & ~(piece - 1)) * Ways + (j & (piece - 1)));  // piece is a power of two
  }
  for (auto& taker : takers) {
    taker.set(source);
    for (auto& s : source) s = static_cast<std::uint16_t>(s + piece);
  }
}

// The outputs from the first of these rows on.
template <std::size_t Ways>
struct way_outputs {
  std::byte* to[Ways];
  way_outputs(const kernels::split_call& call, row_range rows) {
    for (std::size_t p = 0; p < Ways; ++p) to[p] = call.parts[p].data + rows.begin * call.parts[p].bytes;
  }
};

// False where the ISA's loads do not take such pieces apart.
template <class Ops, std::size_t Ways, std::size_t Piece>
bool load_ways_of(const kernels::split_call& call, row_range rows) {
  if constexpr (Ops::template loads_ways<Ways, Piece>) {
    const auto [to] = way_outputs<Ways>(call, rows);
    const std::byte* from = call.input + rows.begin * call.row_bytes + call.parts[0].offset_bytes;
    const std::size_t bytes = (rows.end - rows.begin) * Piece;
    for (std::size_t i = 0; i < bytes; i += Ops::shuffle_bytes, from += Ops::shuffle_bytes * Ways) {
      typename Ops::gathered results[Ways];
      Ops::template deinterleave<Piece>(from, results);
      for (std::size_t p = 0; p < Ways; ++p) Ops::store(to[p] + i, results[p]);
    }
    return true;
  }
  return false;
}
template <class Ops, std::size_t Ways>
bool load_ways(const kernels::split_call& call, row_range rows) {
  switch (call.parts[0].bytes) {
    case 1:
      return load_ways_of<Ops, Ways, 1>(call, rows);
    case 2:
      return load_ways_of<Ops, Ways, 2>(call, rows);
    case 4:
      return load_ways_of<Ops, Ways, 4>(call, rows);
    case 8:
      return load_ways_of<Ops, Ways, 8>(call, rows);
    default:
      return false;
  }
}

// The rows that rows_of_ways gave. Past the cache only where they begin_at_lines.
template <class Ops, std::size_t Ways, bool Streams>
void split_ways(const kernels::split_call& call, row_range rows) {
  if (load_ways<Ops, Ways>(call, rows)) return;
  constexpr std::size_t result_bytes = Ops::shuffle_bytes * Ops::shuffle_lanes;
  // Whole lines at once where they may go past the cache; else so few that all inputs stay in registers.
  constexpr std::size_t results = Ops::streams ? line_bytes / result_bytes : 1;
  constexpr std::size_t step = results * result_bytes;
  typename Ops::template way_taker<Ways> takers[Ways];
  const std::size_t piece = call.parts[0].bytes;
  set_takers<Ops, Ways>(takers, piece);
  const auto [to] = way_outputs<Ways>(call, rows);
  const std::byte* from = call.input + rows.begin * call.row_bytes + call.parts[0].offset_bytes;
  const std::size_t bytes = (rows.end - rows.begin) * piece;
  for (std::size_t i = 0; i < bytes; i += step, from += step * Ways) {
    typename Ops::template way_inputs<Ways> inputs[results];
    for (std::size_t k = 0; k < results; ++k) inputs[k].load(from + k * result_bytes * Ways);
    for (std::size_t p = 0; p < Ways; ++p) {
      for (std::size_t k = 0; k < results; ++k) {
        const auto result = takers[p].take(inputs[k]);
        if constexpr (Streams) {
          Ops::stream(to[p] + i + k * result_bytes, result);
        } else {
          Ops::store(to[p] + i + k * result_bytes, result);
        }
      }
    }
  }
  if constexpr (Streams) Ops::fence();
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
