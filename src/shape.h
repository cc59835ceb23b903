// Folds a shape and an axis into [outer, n, inner], the only form that plans and kernels know.

#ifndef TOPSPLIT_SRC_SHAPE_H
#define TOPSPLIT_SRC_SHAPE_H

#include <cstddef>
#include <cstdint>

#include "src/argument.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"

namespace topsplit::detail {

struct folded_shape {
  std::size_t outer;  // product of the dimensions before the axis
  std::size_t n;      // length of the axis
  std::size_t inner;  // product of those after it
  std::size_t axis;   // in [0, rank)
};

// Refuses rank 0 (no axis is in range), an axis outside [-rank, rank - 1], a null shape, a negative dimension, and
// dimensions that with element_bytes multiply to more bytes than 2^63 - 1. A dimension of 0 does not excuse the others:
// they must multiply to a size that fits too, so that each of outer, n and inner, and every product of
// some of them, is right.
status fold_shape(const argument& who, const const_tensor& t, std::int64_t axis, std::size_t element_bytes,
                  folded_shape& result) noexcept;

// a / b rounded up, for b > 0.
constexpr std::size_t divide_up(std::size_t a, std::size_t b) noexcept { return a / b + (a % b != 0 ? 1 : 0); }

// a rounded up to a multiple of b > 0; sizes here are below 2^63 and b is small beside them.
constexpr std::size_t round_up(std::size_t a, std::size_t b) noexcept { return divide_up(a, b) * b; }

}  // namespace topsplit::detail

#endif
