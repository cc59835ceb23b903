// The SVE table of one vector length. Dispatch chooses it where the CPU's vectors have that length; since a thread may change its
// own afterwards (prctl), each kernel looks once more and leaves the call to the table without vectors: never is a
// kernel run at another length than the compiler took for known.

#ifndef TOPSPLIT_ARCH_ARM_SVE_TABLE_INL_H
#define TOPSPLIT_ARCH_ARM_SVE_TABLE_INL_H

#include <cstddef>

#include "arch/arm/sve_ops-inl.h"
#include "arch/arm/sve_split_ops-inl.h"
#include "arch/kernel_table.h"
#include "arch/kernels/make_table-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

constexpr kernels::kernel_table sve_unguarded = make_table<sve_ops, sve_split_ops>(isa::sve);

// Where each kernel stands in a table.
template <std::size_t Algorithm, std::size_t Order>
struct topk_at {
  static constexpr auto of(const kernels::kernel_table& table) { return table.topk[Algorithm][Order]; }
};
template <std::size_t Order, auto Step>
struct step_at {
  static constexpr auto of(const kernels::kernel_table& table) { return table.steps[Order].*Step; }
};
template <std::size_t Order>
struct merge_at {
  static constexpr auto of(const kernels::kernel_table& table) { return table.merge[Order]; }
};
template <std::size_t Algorithm>
struct split_at {
  static constexpr auto of(const kernels::kernel_table& table) { return table.split[Algorithm]; }
};

template <class At, class Result, class... Arguments>
Result run_guarded(Arguments... arguments) noexcept {
  if (sve_ops::vector_bytes_now() != sve_bytes) return At::of(kernels::generic_table)(arguments...);
  constexpr auto kernel = At::of(sve_unguarded);
  return kernel(arguments...);
}
template <class At, class Result, class... Arguments>
constexpr void guard(Result (*&kernel)(Arguments...) noexcept) {
  kernel = run_guarded<At, Result, Arguments...>;
}

template <std::size_t Order>
constexpr void guard_steps(kernels::topk_steps& steps) {
  using all = kernels::topk_steps;
  guard<step_at<Order, &all::gather>>(steps.gather);
  guard<step_at<Order, &all::finish>>(steps.finish);
  guard<step_at<Order, &all::find>>(steps.find);
  guard<step_at<Order, &all::count>>(steps.count);
  guard<step_at<Order, &all::place>>(steps.place);
  guard<step_at<Order, &all::split>>(steps.split);
  guard<step_at<Order, &all::sort>>(steps.sort);
  guard<step_at<Order, &all::write>>(steps.write);
}
template <std::size_t Order, std::size_t Algorithm>
constexpr void guard_order(kernels::kernel_table& table) {
  guard<topk_at<Algorithm, Order>>(table.topk[Algorithm][Order]);
  if constexpr (Algorithm + 1 < kernels::topk_algorithm_count) guard_order<Order, Algorithm + 1>(table);
}
template <std::size_t Order>
constexpr void guard_orders(kernels::kernel_table& table) {
  guard_order<Order, 0>(table);
  guard_steps<Order>(table.steps[Order]);
  guard<merge_at<Order>>(table.merge[Order]);
  if constexpr (Order + 1 < kernels::topk_order_count) guard_orders<Order + 1>(table);
}
template <std::size_t Algorithm>
constexpr void guard_split(kernels::kernel_table& table) {
  guard<split_at<Algorithm>>(table.split[Algorithm]);
  if constexpr (Algorithm + 1 < kernels::split_algorithm_count) guard_split<Algorithm + 1>(table);
}

constexpr kernels::kernel_table make_sve_table() {
  kernels::kernel_table table = sve_unguarded;
  guard_orders<0>(table);
  guard_split<0>(table);
  return table;
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
