// What selecting and sorting move: one record an element, in vectors of 64-bit lanes, where a better record is a greater one.
//
// packed_records   one signed word: the rank in the high bits, the complemented index in the low ones. One compare is the
//                  whole order, ties included. For elements of up to 32 bits and indices that fit beside them.
// paired_records   rank and index in two arrays, moved by one mask. For 64-bit elements.
//
// Indices make all records of a slice different, so no algorithm on them meets a tie. A run is where records lie: raw
// memory, an array or two, of the outputs or of the stack.

#ifndef TOPSPLIT_ARCH_KERNELS_RECORDS_INL_H
#define TOPSPLIT_ARCH_KERNELS_RECORDS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernels/raw_memory-inl.h"
#include "arch/kernels/transpose-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa>
struct packed_records {
  using wide = typename Isa::template batch<std::int64_t>;
  using batch = wide;
  using item = std::int64_t;
  static constexpr std::size_t lanes = Isa::template lanes<std::int64_t>;
  static constexpr item worst_item = INT64_MIN;

  struct run {
    void* words;
    run from(std::size_t position) const { return {static_cast<char*>(words) + position * sizeof(item)}; }
  };
  // Room for `Capacity` records and a vector's overhang.
  template <std::size_t Capacity>
  struct array {
    static constexpr std::size_t room = Capacity + lanes;
    alignas(64) std::int64_t words[Capacity + lanes];
    run all() { return {words}; }
    // The same memory before it holds records.
    char* raw() { return reinterpret_cast<char*>(words); }
  };

  static batch load(run r, std::size_t position) { return Isa::template load<std::int64_t>(r.from(position).words); }
  static void store(run r, std::size_t position, batch a) {
    Isa::template store<std::int64_t>(r.from(position).words, a);
  }
  static item get(run r, std::size_t position) { return TOPSPLIT_KERNELS::load<item>(r.words, position); }
  static void put(run r, std::size_t position, item a) { TOPSPLIT_KERNELS::store<item>(r.words, position, a); }
  static batch broadcast(item a) { return Isa::template broadcast<std::int64_t>(a); }

  // The first `count` lanes, and in the others the worst item or those of `rest`.
  static batch first(batch a, std::size_t count) { return first(a, count, broadcast(worst_item)); }
  static batch first(batch a, std::size_t count, batch rest) {
    const auto there = Isa::template greater<std::int64_t>(broadcast(static_cast<item>(count)), Isa::iota());
    return Isa::template select<std::int64_t>(there, a, rest);
  }

  static bool better(item a, item b) { return a > b; }
  static std::uint64_t better_bits(batch a, batch b) { return Isa::bits(Isa::template greater<std::int64_t>(a, b)); }
  static void exchange(batch& better, batch& worse) {
    const batch a = better;
    better = Isa::template max<std::int64_t>(a, worse);
    worse = Isa::template min<std::int64_t>(a, worse);
  }
  template <std::size_t W>
  static batch reverse(batch a) {
    return Isa::template reverse<W>(a);
  }
  template <std::size_t W>
  static batch join(batch a, batch b) {
    return Isa::template join<W>(a, b);
  }
  template <std::size_t W>
  static batch swap_halves(batch a) {
    return Isa::template swap_halves<W>(a);
  }
  static batch partition(batch a, std::uint64_t bits) { return Isa::partition(a, bits); }
  static void transpose(batch (&rows)[lanes]) { TOPSPLIT_KERNELS::transpose<Isa>(rows); }
};

template <class Isa>
struct paired_records {
  using wide = typename Isa::template batch<std::int64_t>;
  static constexpr std::size_t lanes = Isa::template lanes<std::int64_t>;
  struct batch {
    wide rank, index;
  };
  struct item {
    std::int64_t rank, index;
  };
  static constexpr item worst_item = {INT64_MIN, INT64_MAX};

  struct run {
    void* ranks;
    void* indices;
    run from(std::size_t position) const {
      return {static_cast<char*>(ranks) + position * 8, static_cast<char*>(indices) + position * 8};
    }
  };
  template <std::size_t Capacity>
  struct array {
    static constexpr std::size_t room = Capacity + lanes;
    alignas(64) std::int64_t ranks[Capacity + lanes];
    alignas(64) std::int64_t indices[Capacity + lanes];
    run all() { return {ranks, indices}; }
    char* raw() { return reinterpret_cast<char*>(ranks); }
  };

  static batch load(run r, std::size_t position) {
    const run at = r.from(position);
    return {Isa::template load<std::int64_t>(at.ranks), Isa::template load<std::int64_t>(at.indices)};
  }
  static void store(run r, std::size_t position, batch a) {
    const run at = r.from(position);
    Isa::template store<std::int64_t>(at.ranks, a.rank);
    Isa::template store<std::int64_t>(at.indices, a.index);
  }
  static item get(run r, std::size_t position) {
    return {TOPSPLIT_KERNELS::load<std::int64_t>(r.ranks, position),
            TOPSPLIT_KERNELS::load<std::int64_t>(r.indices, position)};
  }
  static void put(run r, std::size_t position, item a) {
    TOPSPLIT_KERNELS::store<std::int64_t>(r.ranks, position, a.rank);
    TOPSPLIT_KERNELS::store<std::int64_t>(r.indices, position, a.index);
  }
  static batch broadcast(item a) {
    return {Isa::template broadcast<std::int64_t>(a.rank), Isa::template broadcast<std::int64_t>(a.index)};
  }

  static batch first(batch a, std::size_t count) { return first(a, count, broadcast(worst_item)); }
  static batch first(batch a, std::size_t count, batch rest) {
    const wide counted = Isa::template broadcast<std::int64_t>(static_cast<std::int64_t>(count));
    const auto there = Isa::template greater<std::int64_t>(counted, Isa::iota());
    return {Isa::template select<std::int64_t>(there, a.rank, rest.rank),
            Isa::template select<std::int64_t>(there, a.index, rest.index)};
  }

  static bool better(item a, item b) { return a.rank > b.rank || (a.rank == b.rank && a.index < b.index); }
  static auto better(batch a, batch b) {
    return Isa::template greater<std::int64_t>(a.rank, b.rank) |
           (Isa::template equal<std::int64_t>(a.rank, b.rank) & Isa::template greater<std::int64_t>(b.index, a.index));
  }
  static std::uint64_t better_bits(batch a, batch b) { return Isa::bits(better(a, b)); }
  static void exchange(batch& first, batch& second) {
    const auto keep = better(first, second);
    const batch a = first, b = second;
    first = {Isa::template select<std::int64_t>(keep, a.rank, b.rank),
             Isa::template select<std::int64_t>(keep, a.index, b.index)};
    second = {Isa::template select<std::int64_t>(keep, b.rank, a.rank),
              Isa::template select<std::int64_t>(keep, b.index, a.index)};
  }
  template <std::size_t W>
  static batch reverse(batch a) {
    return {Isa::template reverse<W>(a.rank), Isa::template reverse<W>(a.index)};
  }
  template <std::size_t W>
  static batch join(batch a, batch b) {
    return {Isa::template join<W>(a.rank, b.rank), Isa::template join<W>(a.index, b.index)};
  }
  template <std::size_t W>
  static batch swap_halves(batch a) {
    return {Isa::template swap_halves<W>(a.rank), Isa::template swap_halves<W>(a.index)};
  }
  static batch partition(batch a, std::uint64_t bits) {
    return {Isa::partition(a.rank, bits), Isa::partition(a.index, bits)};
  }
  static void transpose(batch (&rows)[lanes]) {
    wide ranks[lanes], indices[lanes];
    for (std::size_t i = 0; i < lanes; ++i) ranks[i] = rows[i].rank, indices[i] = rows[i].index;
    TOPSPLIT_KERNELS::transpose<Isa>(ranks);
    TOPSPLIT_KERNELS::transpose<Isa>(indices);
    for (std::size_t i = 0; i < lanes; ++i) rows[i] = {ranks[i], indices[i]};
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
