// What Split refuses, in the order in which it is found out: type and shape of the input, sizes, options, then outputs.

#ifndef TOPSPLIT_SRC_SPLIT_RULES_H
#define TOPSPLIT_SRC_SPLIT_RULES_H

#include <cstddef>
#include <cstdint>

#include "src/shape.h"
#include "src/split_sizes.h"
#include "topsplit/split.h"

namespace topsplit::detail {

// A checked call. Every number of bytes is below 2^63.
struct split_problem {
  folded_shape folded;
  std::size_t element_bytes;
  part_sizes sizes;

  // Bytes of what `length` positions along the axis hold in one row, the input's [n, inner].
  std::size_t row_bytes(std::size_t length) const noexcept { return length * folded.inner * element_bytes; }
  std::size_t part_bytes(std::size_t i) const noexcept { return row_bytes(static_cast<std::size_t>(sizes[i])); }
  std::size_t total_bytes() const noexcept { return folded.outer * row_bytes(folded.n); }
};

// All that needs no data but that of the sizes.
status check_split(const const_tensor& input, const part_sizes& sizes, std::int64_t axis,
                   split_problem& problem) noexcept;

// The data of the input, and the outputs (as many as sizes): type, shape, data, and that none overlaps the
// input, the sizes (they are read while parts are written) or another output.
status check_split_tensors(const const_tensor& input, const tensor* outputs, const split_problem& problem) noexcept;

}  // namespace topsplit::detail

#endif
