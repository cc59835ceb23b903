// Fills the kernel table of one ISA. A new algorithm is a line here and one in arch/kernel_table.h.

#ifndef TOPSPLIT_ARCH_KERNELS_MAKE_TABLE_INL_H
#define TOPSPLIT_ARCH_KERNELS_MAKE_TABLE_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/split_blocks-inl.h"
#include "arch/kernels/split_deinterleave-inl.h"
#include "arch/kernels/split_pieces-inl.h"
#include "arch/kernels/topk_across-inl.h"
#include "arch/kernels/topk_count-inl.h"
#include "arch/kernels/topk_heap-inl.h"
#include "arch/kernels/topk_heap_across-inl.h"
#include "arch/kernels/topk_lists-inl.h"
#include "arch/kernels/topk_merge-inl.h"
#include "arch/kernels/topk_reservoir-inl.h"
#include "arch/kernels/topk_rows-inl.h"
#include "arch/kernels/topk_select-inl.h"
#include "arch/kernels/topk_steps-inl.h"
#include "arch/kernels/total_order-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class... Orders>
struct order_list {};

// In the order of kernels::topk_order_of.
using all_orders =
    order_list<integer_order<std::int8_t>, integer_order<std::int16_t>, integer_order<std::int32_t>,
               integer_order<std::int64_t>, float_order<std::int16_t, true>, float_order<std::int16_t, false>,
               float_order<std::int32_t, true>, float_order<std::int32_t, false>, float_order<std::int64_t, true>,
               float_order<std::int64_t, false>>;

// One kernel an order; a TopK algorithm is a line here.
template <class Isa, class... Orders>
constexpr void fill_topk(kernels::topk_kernel (&rows)[kernels::topk_algorithm_count][kernels::topk_order_count],
                         order_list<Orders...>) {
  const kernels::topk_kernel made[kernels::topk_algorithm_count][kernels::topk_order_count] = {
      {topk_rows<Isa, Orders>...},   {topk_reservoir<Isa, Orders>...},   {topk_select<Isa, Orders>...},
      {topk_count<Isa, Orders>...},  {topk_heap<Isa, Orders>...},        {topk_lists<Isa, Orders>...},
      {topk_across<Isa, Orders>...}, {topk_heap_across<Isa, Orders>...},
  };
  for (std::size_t a = 0; a < kernels::topk_algorithm_count; ++a)
    for (std::size_t o = 0; o < kernels::topk_order_count; ++o) rows[a][o] = made[a][o];
}

template <class Isa, class... Orders>
constexpr void fill_steps(kernels::topk_steps (&steps)[kernels::topk_order_count], order_list<Orders...>) {
  const kernels::topk_steps made[kernels::topk_order_count] = {slice_steps<Isa, Orders>::all()...};
  for (std::size_t o = 0; o < kernels::topk_order_count; ++o) steps[o] = made[o];
}

template <class Isa, class... Orders>
constexpr void fill_merge(kernels::topk_merge_kernel (&row)[kernels::topk_order_count], order_list<Orders...>) {
  const kernels::topk_merge_kernel made[kernels::topk_order_count] = {topk_merge<Isa, Orders>...};
  for (std::size_t o = 0; o < kernels::topk_order_count; ++o) row[o] = made[o];
}

// Isa: the operations of TopK, SplitOps: those of Split.
template <class Isa, class SplitOps>
constexpr kernels::kernel_table make_table(topsplit::isa id) {
  kernels::kernel_table table{id,
                              Isa::template lanes<std::int8_t>,
                              SplitOps::shuffle_bytes,
                              SplitOps::streams,
                              {},
                              {},
                              {},
                              {split_blocks<SplitOps>, split_pieces<SplitOps>, split_deinterleave<SplitOps, false>,
                               split_streamed_blocks<SplitOps>, split_deinterleave<SplitOps, true>}};
  fill_topk<Isa>(table.topk, all_orders{});
  fill_steps<Isa>(table.steps, all_orders{});
  fill_merge<Isa>(table.merge, all_orders{});
  return table;
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
