// What merge_topk and extend_topk refuse, in the order in which it is found out: the outputs, k or held, options, inputs.

#ifndef TOPSPLIT_SRC_TOPK_MERGE_RULES_H
#define TOPSPLIT_SRC_TOPK_MERGE_RULES_H

#include <cstddef>
#include <cstdint>

#include "src/topk_plan.h"
#include "topsplit/merge.h"

namespace topsplit::detail {

// A checked call: problem.n counts all elements of a slice that are given, held ones too, and may be below k in extend.
struct merge_problem {
  topk_problem problem;
  std::size_t axis;  // in [0, rank)
};

// All but the indices' own values.
status check_merge(const topk_part* parts, std::size_t count, std::int64_t k, const tensor& values,
                   const tensor& indices, const topk_options& options, merge_problem& result) noexcept;

status check_extend(const const_tensor& x, std::int64_t index_offset, std::int64_t held, const tensor& values,
                    const tensor& indices, const topk_options& options, merge_problem& result) noexcept;

// The first of `count` indices that is negative or that the offset takes out of range; count when there is none.
std::size_t find_bad_index(const std::int64_t* indices, std::size_t count, std::int64_t offset) noexcept;

// The error about the indices of part number `part`, of which number `at` is the first bad one.
status refuse_index(const topk_part& part, std::size_t number, std::size_t at) noexcept;

}  // namespace topsplit::detail

#endif
