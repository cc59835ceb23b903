// One slice by several tasks: the steps of topk_reservoir-inl.h and topk_select-inl.h, each on a range.
//
// Small k: each task gathers the best k of its range on its own stack and merges them into the region, one after the other. Large
// k: ranges count what they will choose, and so know where in the region their records go; sorting goes on in ranges of the
// region, of which all records of one are better than those of the next.

#ifndef TOPSPLIT_ARCH_KERNELS_TOPK_STEPS_INL_H
#define TOPSPLIT_ARCH_KERNELS_TOPK_STEPS_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/slices-inl.h"
#include "arch/kernels/topk_reservoir-inl.h"
#include "arch/kernels/topk_select-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class Isa, class Order>
class slice_steps {
 public:
  static constexpr kernels::topk_steps all() { return {gather, finish, find, count, place, split, sort, write}; }

 private:
  using code = codec<Isa, Order>;
  using lane = typename Order::lane;
  using run = typename code::run;
  using sorter = quick<typename code::records>;
  using select = selector<Isa, Order>;

  static run records_of(const kernels::topk_call& call, std::size_t slice) {
    return code::run_in(region_of<lane>(call, slice));
  }
  static typename code::item record(kernels::topk_cut cut) {
    return code::join(static_cast<lane>(cut.rank), cut.index);
  }

  static void gather(const kernels::topk_call& call, kernels::topk_slice& shared, std::size_t begin,
                     std::size_t end) noexcept {
    reservoir<Isa, Order> own{Order(call)};
    own.gather(slice_of<lane>(call, shared.slice), begin, end, call.k);
    shared.enter(shared.context);
    shared.held = own.merge_into(records_of(call, shared.slice), shared.held);
    shared.leave(shared.context);
  }
  static void finish(const kernels::topk_call& call, std::size_t slice) noexcept {
    const code codes{Order(call)};
    codes.finish(records_of(call, slice), call.k, call.k, call.by_index, slice_of<lane>(call, slice),
                 region_of<lane>(call, slice));
  }

  static bool find(const kernels::topk_call& call, std::size_t slice, kernels::topk_cut& cut) noexcept {
    const code codes{Order(call)};
    typename code::item kth;
    if (!select(codes, slice_of<lane>(call, slice), call.n, call.k).find(records_of(call, slice), call.k, kth))
      return false;
    cut = {code::rank(kth), code::index(kth)};
    return true;
  }
  static std::size_t count(const kernels::topk_call& call, std::size_t slice, kernels::topk_cut cut, std::size_t begin,
                           std::size_t end) noexcept {
    const code codes{Order(call)};
    return select(codes, slice_of<lane>(call, slice), call.n, call.k).count(record(cut), begin, end);
  }
  static void place(const kernels::topk_call& call, std::size_t slice, kernels::topk_cut cut, std::size_t begin,
                    std::size_t end, std::size_t place, std::size_t room) noexcept {
    const code codes{Order(call)};
    const select chosen(codes, slice_of<lane>(call, slice), call.n, call.k);
    chosen.compact(record(cut), begin, end, records_of(call, slice).from(place), room);
  }
  static std::size_t split(const kernels::topk_call& call, std::size_t slice, std::size_t begin,
                           std::size_t end) noexcept {
    return begin + sorter::halve(records_of(call, slice).from(begin), end - begin);
  }
  static void sort(const kernels::topk_call& call, std::size_t slice, std::size_t begin, std::size_t end) noexcept {
    sorter::sort(records_of(call, slice).from(begin), end - begin, end - begin);
  }
  static void write(const kernels::topk_call& call, std::size_t slice, std::size_t begin, std::size_t end) noexcept {
    const code codes{Order(call)};
    codes.write(records_of(call, slice).from(begin), end - begin, slice_of<lane>(call, slice),
                region_of<lane>(call, slice, begin));
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
