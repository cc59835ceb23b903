// TopK of slices that several tasks share, one slice after the other.

#ifndef TOPSPLIT_SRC_TOPK_SHARED_H
#define TOPSPLIT_SRC_TOPK_SHARED_H

#include <cstddef>

#include "arch/kernel_table.h"
#include "src/topk_plan.h"
#include "topsplit/execution.h"

namespace topsplit::detail {

// Does all slices of the call, as the plan has it (topk_plan::in_slices).
void share_slices(const execution& run, const topk_plan& plan, const kernels::kernel_table& table,
                  const kernels::topk_call& call, std::size_t slices) noexcept;

}  // namespace topsplit::detail

#endif
