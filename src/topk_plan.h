// How a TopK call is done: which algorithm, how many tasks, how many slices each.
//
// The plan is a pure function of its arguments. Every threshold of TopK lives in topk_plan.cc, or in topk_thresholds.h those
// that merging or profiles share. It decides nothing that a result could show: the bytes are the same for every plan.

#ifndef TOPSPLIT_SRC_TOPK_PLAN_H
#define TOPSPLIT_SRC_TOPK_PLAN_H

#include <cstddef>

#include "arch/kernel_table.h"
#include "src/profile_sizes.h"
#include "topsplit/execution.h"

namespace topsplit::detail {

// A checked call: every product of some of these, in bytes, is below 2^63.
struct topk_problem {
  std::size_t outer;
  std::size_t n;
  std::size_t inner;
  std::size_t k;  // <= n
  kernels::element element;
  std::size_t element_bytes;
  bool by_index;

  std::size_t slices() const noexcept { return outer * inner; }
};

// What else a plan may depend on.
struct topk_tuning {
  std::size_t vector_bytes;         // of the kernel table
  std::size_t grain_bytes;          // execution::grain_bytes, 0: the plan's own
  std::size_t parallel_from_bytes;  // execution::parallel_from_bytes, 0: the plan's own

  // Of a profile, 0: the plan's own.
  std::size_t rows_longest = 0;
  std::size_t rows_longer_per_k = 0;
  std::size_t reservoir_elements_per_k = 0;
};

// What the call asks for, else what the profile in force says.
inline topk_tuning tuning_of(const execution& run, std::size_t vector_bytes) noexcept {
  return {vector_bytes,
          asked_or_profiled(run.grain_bytes, profile_size::topk_grain_bytes),
          asked_or_profiled(run.parallel_from_bytes, profile_size::topk_parallel_from_bytes),
          profiled(profile_size::topk_rows_longest),
          profiled(profile_size::topk_rows_longer_per_k),
          profiled(profile_size::topk_reservoir_elements_per_k)};
}

struct topk_plan {
  kernels::topk_algorithm algorithm;
  int tasks;                // at least 1
  bool in_slices;           // the tasks share each slice in turn; else they share the slices
  std::size_t units;        // slices, or elements of one, to share; 0: there is nothing to do
  std::size_t grain;        // units that a task takes at a time; units when serial
  std::size_t stack_bytes;  // bound on the stack of one task
};

// Ranges of one slice that tasks share: no more than this.
inline constexpr std::size_t most_ranges_in_slice = 64;

// Whether more than one task could pay. Asked before the width is, which costs system calls.
bool is_worth_sharing(const topk_problem& problem, const topk_tuning& tuning) noexcept;

// width: how many tasks may run at once. It is not looked at where sharing does not pay.
topk_plan plan_topk(const topk_problem& problem, const topk_tuning& tuning, int width) noexcept;

}  // namespace topsplit::detail

#endif
