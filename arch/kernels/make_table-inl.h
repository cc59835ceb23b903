// Fills the kernel table of one ISA. A new algorithm is a line here and one in arch/kernel_table.h.

#ifndef TOPSPLIT_ARCH_KERNELS_MAKE_TABLE_INL_H
#define TOPSPLIT_ARCH_KERNELS_MAKE_TABLE_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"
#include "arch/kernels/split_pieces-inl.h"
#include "arch/kernels/topk_heap-inl.h"
#include "arch/kernels/topk_heap_across-inl.h"
#include "arch/kernels/topk_merge-inl.h"
#include "arch/kernels/total_order-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

template <class... Orders>
struct order_list {};

// In the order of kernels::element.
using all_orders = order_list<order_u8, order_u16, order_u32, order_u64, order_i8, order_i16, order_i32, order_i64,
                              order_f16, order_bf16, order_f32, order_f64>;

// One kernel an element type; a TopK algorithm is a line here.
template <class Isa, class Direction, class... Orders>
constexpr void fill_topk(kernels::topk_kernel (&rows)[kernels::topk_algorithm_count][kernels::element_count],
                         order_list<Orders...>) {
  const kernels::topk_kernel made[kernels::topk_algorithm_count][kernels::element_count] = {
      {topk_heap<Isa, Orders, Direction>...},
      {topk_heap_across<Isa, Orders, Direction>...},
  };
  for (std::size_t a = 0; a < kernels::topk_algorithm_count; ++a)
    for (std::size_t e = 0; e < kernels::element_count; ++e) rows[a][e] = made[a][e];
}

template <class Isa, class Direction, class... Orders>
constexpr void fill_merge(kernels::topk_merge_kernel (&row)[kernels::element_count], order_list<Orders...>) {
  const kernels::topk_merge_kernel made[kernels::element_count] = {topk_merge<Isa, Orders, Direction>...};
  for (std::size_t e = 0; e < kernels::element_count; ++e) row[e] = made[e];
}

template <class Isa>
constexpr kernels::kernel_table make_table(topsplit::isa id) {
  kernels::kernel_table table{id, Isa::template lanes<std::int8_t>, {}, {}, {split_pieces<Isa>}, {}, {}};
  fill_topk<Isa, largest>(table.largest, all_orders{});
  fill_topk<Isa, smallest>(table.smallest, all_orders{});
  fill_merge<Isa, largest>(table.merge_largest, all_orders{});
  fill_merge<Isa, smallest>(table.merge_smallest, all_orders{});
  return table;
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
