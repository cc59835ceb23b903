// Sorts up to sixteen vectors of records, best first, without a branch on their values.
//
// The records are a matrix of Rows vectors. Batcher's odd-even network sorts its columns, row against row and so without
// moving lanes. Then neighbouring columns merge, 2, 4 and at last all lanes at a time, each merge a bitonic one: row r meets
// row Rows - 1 - r with its lanes reversed, the better stay above, and so on in halves; the last steps stay in a row.
// After them the matrix is sorted in row-major order, which is that of memory.

#ifndef TOPSPLIT_ARCH_KERNELS_NETWORK_INL_H
#define TOPSPLIT_ARCH_KERNELS_NETWORK_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernels/bits-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Records, std::size_t Rows>
class network {
 public:
  using batch = typename Records::batch;
  static constexpr std::size_t lanes = Records::lanes;

  static TOPSPLIT_INLINE void sort(batch (&v)[Rows]) { top<Rows * lanes>(v); }

  // Sorts the best Keep records, a power of two, to the front; the others are lost. The best Keep of sorted columns lie in Keep
  // rows, of pairs of columns in half as many, and so on.
  template <std::size_t Keep>
  static TOPSPLIT_INLINE void top(batch (&v)[Rows]) {
    columns<1, 1>(v);
    merge_lanes<Keep, 2, (Keep < Rows ? Keep : Rows)>(v);
  }

 private:
  // Batcher's network: for P = 1, 2, 4, ... and within it for K = P, P / 2, ..., 1.
  template <std::size_t P, std::size_t K>
  static TOPSPLIT_INLINE void columns(batch (&v)[Rows]) {
    if constexpr (P < Rows) {
      column_step<P, K, 0>(v);
      if constexpr (K > 1) {
        columns<P, K / 2>(v);
      } else {
        columns<2 * P, 2 * P>(v);
      }
    }
  }
  template <std::size_t P, std::size_t K, std::size_t Row>
  static TOPSPLIT_INLINE void column_step(batch (&v)[Rows]) {
    if constexpr (Row + K < Rows) {
      constexpr bool is_start = Row >= K % P && (Row - K % P) % (2 * K) < K;
      if constexpr (is_start && Row / (2 * P) == (Row + K) / (2 * P)) Records::exchange(v[Row], v[Row + K]);
      column_step<P, K, Row + 1>(v);
    }
  }

  // Of the first Used rows.
  template <std::size_t Keep, std::size_t W, std::size_t Used>
  static TOPSPLIT_INLINE void merge_lanes(batch (&v)[Rows]) {
    if constexpr (W <= lanes) {
      merge_rows<W, Used, Used, 0>(v);
      in_rows<W, Used, 0>(v);
      constexpr std::size_t kept = Keep > W ? Keep / W : 1;
      merge_lanes<Keep, 2 * W, (kept < Used ? kept : Used)>(v);
    }
  }
  // In blocks of Size rows: row r of a block against its mirror image.
  template <std::size_t W, std::size_t Used, std::size_t Size, std::size_t Row>
  static TOPSPLIT_INLINE void merge_rows(batch (&v)[Rows]) {
    if constexpr (Size > 1) {
      if constexpr (Row < Used) {
        if constexpr (Row % Size < Size / 2) {
          constexpr std::size_t mirror = Row - Row % Size + Size - 1 - Row % Size;
          batch reversed = Records::template reverse<W>(v[mirror]);
          Records::exchange(v[Row], reversed);
          v[mirror] = reversed;
        }
        merge_rows<W, Used, Size, Row + 1>(v);
      } else {
        merge_rows<W, Used, Size / 2, 0>(v);
      }
    }
  }
  template <std::size_t W, std::size_t Used, std::size_t Row>
  static TOPSPLIT_INLINE void in_rows(batch (&v)[Rows]) {
    if constexpr (W > 1 && Row < Used) {
      compare_lanes<W>(v[Row], Records::template reverse<W>(v[Row]));
      halves<W / 2>(v[Row]);
      in_rows<W, Used, Row + 1>(v);
    }
  }
  template <std::size_t W>
  static TOPSPLIT_INLINE void halves(batch& v) {
    if constexpr (W > 1) {
      compare_lanes<W>(v, Records::template swap_halves<W>(v));
      halves<W / 2>(v);
    }
  }
  // Of every W lanes the first half takes the better of itself and its partner.
  template <std::size_t W>
  static TOPSPLIT_INLINE void compare_lanes(batch& v, batch partner) {
    batch better = v;
    Records::exchange(better, partner);
    v = Records::template join<W>(better, partner);
  }
};

// The first `count` records of a run, in Rows vectors. The run's memory is ours for `room` >= count records: where that is not
// a whole number of vectors, the last one goes by way of the stack. What lies behind the records stays as it was.
template <class Records, std::size_t Rows>
inline void sort_rows(typename Records::run r, std::size_t count, std::size_t room) {
  constexpr std::size_t lanes = Records::lanes;
  using batch = typename Records::batch;
  const std::size_t whole = count / lanes, rest = count % lanes;
  const bool fits = room >= (whole + 1) * lanes;
  typename Records::template array<lanes> edge;
  Records::store(edge.all(), 0, Records::broadcast(Records::worst_item));
  const batch behind = fits ? Records::load(r, whole * lanes) : Records::load(edge.all(), 0);
  if (!fits)
    for (std::size_t i = 0; i < rest; ++i) Records::put(edge.all(), i, Records::get(r, whole * lanes + i));
  batch v[Rows];
#pragma GCC unroll 16
  for (std::size_t row = 0; row < Rows; ++row) {
    v[row] = row < whole    ? Records::load(r, row * lanes)
             : row == whole ? Records::first(fits ? behind : Records::load(edge.all(), 0), rest)
                            : Records::broadcast(Records::worst_item);
  }
  network<Records, Rows>::sort(v);
#pragma GCC unroll 16
  for (std::size_t row = 0; row < Rows; ++row) {
    if (row < whole) {
      Records::store(r, row * lanes, v[row]);
    } else if (row == whole && rest != 0) {
      if (fits) return Records::store(r, row * lanes, Records::first(v[row], rest, behind));
      Records::store(edge.all(), 0, v[row]);
    }
  }
  for (std::size_t i = 0; i < rest; ++i) Records::put(r, whole * lanes + i, Records::get(edge.all(), i));
}

// The most records that one network sorts.
template <class Records>
constexpr std::size_t network_capacity = 16 * Records::lanes;

// Sorts `count` <= network_capacity records, best first.
template <class Records>
void sort_few(typename Records::run r, std::size_t count, std::size_t room) {
  constexpr std::size_t lanes = Records::lanes;
  if (count <= 1) return;
  if (count <= lanes) return sort_rows<Records, 1>(r, count, room);
  if (count <= 2 * lanes) return sort_rows<Records, 2>(r, count, room);
  if (count <= 4 * lanes) return sort_rows<Records, 4>(r, count, room);
  if (count <= 8 * lanes) return sort_rows<Records, 8>(r, count, room);
  sort_rows<Records, 16>(r, count, room);
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
