// Split with sizes from any source: what the public call and the prepared operator have in common.

#ifndef TOPSPLIT_SRC_SPLIT_RUN_H
#define TOPSPLIT_SRC_SPLIT_RUN_H

#include "src/split_sizes.h"
#include "topsplit/split.h"

namespace topsplit::detail {

// As split, infer_split and explain_split of topsplit/split.h.
status run_split(const const_tensor& input, const part_sizes& sizes, const tensor* outputs,
                 const split_options& options) noexcept;
status infer_split_sizes(const const_tensor& input, const part_sizes& sizes, std::int64_t axis,
                         std::int64_t* output_sizes) noexcept;
status explain_split_run(const const_tensor& input, const part_sizes& sizes, const split_options& options,
                         explanation& result) noexcept;

}  // namespace topsplit::detail

#endif
