// TopK's kernels as they lie in each ISA's table, called over all slices of a workload at once: what the public call
// adds to them is checks, plan and threads.

#ifndef TOPSPLIT_BENCH_TOPK_KERNELS_H
#define TOPSPLIT_BENCH_TOPK_KERNELS_H

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "arch/kernel_table.h"
#include "bench/topk_shapes.h"
#include "src/topk_rules.h"

namespace topsplit::bench {

inline detail::topk_problem checked_problem(const topk_workload& w) {
  detail::folded_shape folded;
  detail::topk_problem problem;
  const const_tensor x = {nullptr, w.type, w.shape, w.rank};
  if (!detail::check_topk(x, w.k, options_of(w, isa::automatic), folded, problem).ok()) std::abort();
  return problem;
}

// Whether a kernel does such slices at all, well or badly.
inline bool is_valid_for(kernels::topk_algorithm algorithm, const detail::topk_problem& p) {
  return kernels::topk_can_do(algorithm, p.n, p.k, p.inner, p.element_bytes);
}

// The index in the table's rows of the algorithm that the plan picks on this ISA.
inline std::size_t planned_algorithm(const topk_workload& w, isa id) {
  explanation plan;
  if (!explain_topk({nullptr, w.type, w.shape, w.rank}, w.k, options_of(w, id), plan).ok()) std::abort();
  for (std::size_t i = 0; i < kernels::topk_algorithm_count; ++i) {
    if (std::strcmp(plan.algorithm, kernels::topk_algorithm_names[i]) == 0) return i;
  }
  std::abort();
}

inline way kernel_of(const topk_workload& w, const kernels::kernel_table& table, std::size_t algorithm) {
  const detail::topk_problem p = checked_problem(w);
  const bool largest = w.select == topk_select::largest;
  const kernels::topk_kernel kernel = table.topk[algorithm][kernels::topk_order_of(p.element, largest)];
  return [kernel, p, largest](const std::byte* input, const tensors& t) {
    kernel({input, t.outputs[0].data(), indices_of(t), p.n, p.k, p.inner, p.by_index, p.element, largest}, 0, p.slices());
    return status();
  };
}

}  // namespace topsplit::bench

#endif
