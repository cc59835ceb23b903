// How merge_topk and extend_topk share their slices among tasks: pure, and no result shows it.

#ifndef TOPSPLIT_SRC_TOPK_MERGE_PLAN_H
#define TOPSPLIT_SRC_TOPK_MERGE_PLAN_H

#include <cstddef>

#include "src/topk_plan.h"

namespace topsplit::detail {

struct merge_plan {
  int tasks;          // at least 1
  std::size_t grain;  // slices that a task takes at a time; all of them when serial
};

// Whether more than one task could pay. Asked before the width is, which costs system calls. input_bytes: of one element
// that is given, with its index where it has one.
bool is_merge_worth_sharing(const topk_problem& problem, std::size_t input_bytes, const topk_tuning& tuning) noexcept;

// width: how many tasks may run at once. It is not looked at where sharing does not pay.
merge_plan plan_merge(const topk_problem& problem, std::size_t input_bytes, const topk_tuning& tuning,
                      int width) noexcept;

}  // namespace topsplit::detail

#endif
