// Elements to records and back, in the order of one call. Back, the value is computed from the rank but where
// the order folds several bit patterns into one (the two zeros, NaN): there it is read again through the index.

#ifndef TOPSPLIT_ARCH_KERNELS_CODEC_INL_H
#define TOPSPLIT_ARCH_KERNELS_CODEC_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernels/bits-inl.h"
#include "arch/kernels/quick-inl.h"
#include "arch/kernels/raw_memory-inl.h"
#include "arch/kernels/records-inl.h"
#include "arch/kernels/slices-inl.h"
#include "arch/kernels/total_order-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// What packed and paired records of an element type have in common and apart.
template <class Isa, class Lane, std::size_t ElementBytes>
struct layout {
  using records = packed_records<Isa>;
  using wide = typename records::wide;
  using lane = Lane;
  static constexpr unsigned index_bits = 64 - 8 * ElementBytes;
  static constexpr std::int64_t index_mask = (std::int64_t{1} << index_bits) - 1;

  static typename records::run run_in(output_region region) { return {region.indices}; }

  // Complemented indices, so that the lower one is the greater.
  static wide join(wide rank, wide index) { return rank | (index ^ Isa::template broadcast<std::int64_t>(index_mask)); }
  static std::int64_t join(lane rank, std::size_t index) {
    return in_high_bits<std::int64_t>(rank) | (static_cast<std::int64_t>(index) ^ index_mask);
  }
  static wide rank(wide record) { return record & Isa::template broadcast<std::int64_t>(~index_mask); }
  static wide index(wide record) {
    const wide mask = Isa::template broadcast<std::int64_t>(index_mask);
    return (record & mask) ^ mask;
  }
  static lane rank(std::int64_t record) { return static_cast<lane>(record >> index_bits); }
  static std::size_t index(std::int64_t record) { return static_cast<std::size_t>((record & index_mask) ^ index_mask); }
};

template <class Isa, class Lane>
struct layout<Isa, Lane, 8> {
  using records = paired_records<Isa>;
  using wide = typename records::wide;
  using batch = typename records::batch;
  using item = typename records::item;

  static typename records::run run_in(output_region region) { return {region.values, region.indices}; }

  static batch join(wide rank, wide index) { return {rank, index}; }
  static item join(std::int64_t rank, std::size_t index) { return {rank, static_cast<std::int64_t>(index)}; }
  static wide rank(batch record) { return record.rank; }
  static wide index(batch record) { return record.index; }
  static std::int64_t rank(item record) { return record.rank; }
  static std::size_t index(item record) { return static_cast<std::size_t>(record.index); }
};

template <class Isa, class Order>
class codec : public layout<Isa, typename Order::lane, sizeof(typename Order::lane)> {
 public:
  using lane = typename Order::lane;
  using base = layout<Isa, lane, sizeof(lane)>;
  using records = typename base::records;
  using wide = typename records::wide;
  using batch = typename records::batch;
  using item = typename records::item;
  using run = typename records::run;
  static constexpr std::size_t lanes = records::lanes;

  explicit codec(const Order& order) : order_(order) {}
  const Order& order() const { return order_; }

  // The records of `lanes` elements that lie at `from`, the first of which has this index.
  batch make(const void* from, std::size_t index) const { return base::join(ranks(from), indices_from(index)); }
  // Their halves: ranks in the high bits, and consecutive indices.
  wide ranks(const void* from) const {
    const wide ordered = order_.template ordered<Isa, std::int64_t>(Isa::template load_high<lane>(from));
    return order_.template fold<Isa, std::int64_t>(ordered);
  }
  static wide indices_from(std::size_t index) {
    return Isa::template broadcast<std::int64_t>(static_cast<std::int64_t>(index)) + Isa::iota();
  }
  // The same from elements that are in order already (Order::ordered); records that are not for writing.
  static batch make_ordered(const void* from, std::size_t index) {
    return base::join(Isa::template load_high<lane>(from), indices_from(index));
  }
  item make_one(const void* slice, std::size_t index) const {
    return base::join(order_.rank(load<lane>(slice, index)), index);
  }

  // Calls each(records, bits) for the vectors of records that a mask of elements touches: bit b is element first + b.
  template <class Each>
  void for_each_vector(const void* slice, std::size_t first, std::uint64_t bits, const Each& each) const {
    while (bits != 0) {
      const std::size_t skip = static_cast<std::size_t>(__builtin_ctzll(bits)) / lanes * lanes;
      const std::uint64_t some = bits >> skip & low_bits(lanes);
      const std::size_t at = first + skip;
      each(make(static_cast<const char*>(slice) + at * sizeof(lane), at), some);
      bits &= ~(some << skip);
    }
  }

  // The first `count` elements of a slice as records 0 to count - 1 of r.
  void make_all(const void* slice, std::size_t count, run r) const {
    std::size_t i = 0;
    for (; count - i >= lanes; i += lanes)
      records::store(r, i, make(static_cast<const char*>(slice) + i * sizeof(lane), i));
    for (; i < count; ++i) records::put(r, i, make_one(slice, i));
  }

  // The k records of r become values and indices at the same positions of the region, where r may lie, too.
  void write(run r, std::size_t k, const void* slice, output_region region) const {
    std::size_t i = 0;
    for (; k - i >= lanes; i += lanes) write_vector(records::load(r, i), i, lanes, slice, region);
    for (; i < k; ++i) write_one(r, i, slice, region);
  }
  // The same where r has whole vectors and the region's memory is there for `room` >= k: what lies behind the k is written to.
  void write_over(run r, std::size_t k, std::size_t room, const void* slice, output_region region) const {
    std::size_t i = 0;
    for (; i < k && room - i >= lanes; i += lanes)
      write_vector(records::load(r, i), i, k - i < lanes ? k - i : lanes, slice, region);
    for (; i < k; ++i) write_one(r, i, slice, region);
  }
  // A vector of records, the first `count` of which count, to the places from i on.
  void write_vector(batch record, std::size_t i, std::size_t count, const void* slice, output_region region) const {
    const output_region place = {static_cast<char*>(region.values) + i * sizeof(lane), region.indices + i};
    write_vector(record, count, place, [slice](std::size_t, std::size_t index) { return load<lane>(slice, index); });
  }
  // The same where read(j, index) gives the element that the j-th record was made of.
  template <class Read>
  void write_vector(batch record, std::size_t count, output_region place, const Read& read) const {
    const wide rank = base::rank(record);
    Isa::template store<std::int64_t>(place.indices, base::index(record));
    Isa::template store_high<lane>(place.values, order_.template bits<Isa, std::int64_t>(rank));
    if constexpr (Order::folds) {
      for (std::uint64_t bits = folded(rank) & low_bits(count); bits != 0; bits &= bits - 1) {
        const std::size_t j = static_cast<std::size_t>(__builtin_ctzll(bits));
        store<lane>(place.values, j, read(j, static_cast<std::size_t>(load<std::int64_t>(place.indices, j))));
      }
    }
  }

  // Takes the ranks off, so that a sort is by index.
  static void drop_ranks(run r, std::size_t k) {
    for (std::size_t i = 0; i < k; ++i) records::put(r, i, base::join(lane{0}, base::index(records::get(r, i))));
  }

  // The k records of r, which it sorts in the order asked for, become values and indices.
  void finish(run r, std::size_t k, std::size_t room, bool by_index, const void* slice, output_region region) const {
    if (by_index) drop_ranks(r, k);
    quick<records>::sort(r, k, room);
    if (!by_index) return write(r, k, slice, region);
    for (std::size_t i = 0; i < k; ++i) write_one(r, i, slice, region);
  }

 private:
  static void write_one(run r, std::size_t i, const void* slice, output_region region) {
    const std::size_t index = base::index(records::get(r, i));
    store<std::int64_t>(region.indices, i, static_cast<std::int64_t>(index));
    store<lane>(region.values, i, load<lane>(slice, index));
  }
  std::uint64_t folded(wide rank) const {
    const auto is = [rank](lane one) {
      return Isa::template equal<std::int64_t>(rank,
                                               Isa::template broadcast<std::int64_t>(in_high_bits<std::int64_t>(one)));
    };
    return Isa::bits(is(order_.zero_rank()) | is(order_.nan_rank()));
  }
  Order order_;
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
