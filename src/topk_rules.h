// What TopK refuses, in the order in which it is found out: types and shape of x, k, options, then the outputs.

#ifndef TOPSPLIT_SRC_TOPK_RULES_H
#define TOPSPLIT_SRC_TOPK_RULES_H

#include <cstdint>

#include "src/shape.h"
#include "src/topk_plan.h"
#include "topsplit/topk.h"

namespace topsplit::detail {

// Whether TopK takes elements of this type; the newest version's list.
bool is_topk_type(data_type type) noexcept;

// x's type and shape, the axis and k. Also refuses what would need outputs of 2^63 bytes or more: indices take 8 bytes
// an element, so x has fewer than 2^60 elements whatever its type.
status check_topk_shape(const const_tensor& x, std::int64_t k, std::int64_t axis, folded_shape& folded) noexcept;

// The element type's place in a kernel row, and how to run: what every call of TopK's kind checks of these.
status check_topk_type(const argument& who, data_type type, kernels::element& element) noexcept;
status check_topk_options(const topk_options& options) noexcept;

// All that needs no data: the shape, the enumerations and how to run.
status check_topk(const const_tensor& x, std::int64_t k, const topk_options& options, folded_shape& folded,
                  topk_problem& problem) noexcept;

struct topk_outputs {
  byte_range values;
  byte_range indices;
};

// The outputs' types, shapes (like x with `axis` replaced by problem.k) and data, and that they are apart.
status check_topk_outputs(const const_tensor& x, const tensor& values, const tensor& indices, std::size_t axis,
                          const topk_problem& problem, topk_outputs& outputs) noexcept;

// The data of an input of `bytes` bytes, and that the outputs leave it alone.
status check_topk_input(const argument& who, const void* data, std::size_t bytes, std::size_t alignment,
                        const topk_outputs& outputs) noexcept;

// The data of x, and the outputs: type, shape, data and that no two of the three overlap.
status check_topk_tensors(const const_tensor& x, const tensor& values, const tensor& indices,
                          const folded_shape& folded, const topk_problem& problem) noexcept;

}  // namespace topsplit::detail

#endif
