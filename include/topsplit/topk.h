// TopK: the k largest or smallest elements of every slice along an axis, with their indices.
//
// ONNX TopK, versions 1, 10, 11 and 24 (onnx.ai/onnx/operators/onnx__TopK.html). Selecting happens inside the output
// tensors, after "Memory-Efficient Top-K for ONNX with In-Place Heap Processing" (A. Samir, 2026). This call has the rules of
// version 24; operator.h applies those of any opset.
//
// Contract
//   shapes      x of rank >= 1; values and indices have x's shape with the axis replaced by k. Dense, row-major.
//   types       f16, bf16, f32, f64, i8..i64, u8..u64; values has x's type, indices is i64.
//   order       by value; NaN is greater than every number, all NaN are equal, -0.0 equals +0.0. The order is that of the
//               stored bits' values: denormals count, whatever the thread's floating-point mode is.
//   ties        the lower index comes first, and decides which elements are chosen too.
//   bits        a value is copied from the element its index names: sign of zero and NaN payload are kept.
//   by_index    (`sorted = 0`): the same elements in ascending index order.
//   k           0 <= k <= length of the axis, else an error. k = 0 and empty tensors succeed and write nothing.
//   pointers    aligned to their element; outputs overlap neither x nor each other, else an error. Any such layout works.
//   errors      found before anything is written; the text names the argument and the numbers.
//   memory      no heap allocation; at most 32 KiB of stack a task. Exactly the outputs' bytes are written.
//   threads     execution.h; any number of threads may call at once. Reads x, options and shapes only during the call.
//               Tasks share the slices, or one slice after the other where these are few and the axis is the last.
//   results     the same bytes for every ISA, thread count and tuning.
//   time        about n + k log k steps a slice: x is read once, for large k two or three times. n log k at worst, and
//               for k above 1,024 (64-bit elements: 512) along an axis that is not last.

#ifndef TOPSPLIT_TOPK_H
#define TOPSPLIT_TOPK_H

#include <cstdint>

#include "topsplit/execution.h"
#include "topsplit/explain.h"
#include "topsplit/export.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"

namespace topsplit {

enum class topk_select : std::int32_t { largest = 0, smallest = 1 };

// by_value: best first (`sorted = 1`); by_index: ascending index (`sorted = 0`).
enum class topk_order : std::int32_t { by_value = 0, by_index = 1 };

struct topk_options {
  std::int64_t axis = -1;  // in [-rank, rank - 1]
  topk_select select = topk_select::largest;
  topk_order order = topk_order::by_value;
  execution run;
};

TOPSPLIT_EXPORT status topk(const const_tensor& x, std::int64_t k, const tensor& values, const tensor& indices,
                            const topk_options& options = {}) noexcept;

// The shape of values and indices: writes x.rank dimensions to output_shape. x.data is not looked at.
TOPSPLIT_EXPORT status infer_topk(const const_tensor& x, std::int64_t k, std::int64_t axis,
                                  std::int64_t* output_shape) noexcept;

// What topk would do with such a call. x.data is not looked at.
TOPSPLIT_EXPORT status explain_topk(const const_tensor& x, std::int64_t k, const topk_options& options,
                                    explanation& result) noexcept;

// For contiguous rows: the k best of each of `rows` rows of n elements, written to rows * k values and indices.
// options.axis is not looked at.
template <class T>
status topk_rows(const T* x, std::int64_t rows, std::int64_t n, std::int64_t k, T* values, std::int64_t* indices,
                 topk_options options = {}) noexcept {
  static_assert(data_type_of<T> != data_type::undefined, "not an element type of ONNX");
  const std::int64_t in[2] = {rows, n};
  const std::int64_t out[2] = {rows, k};
  options.axis = 1;
  return topk({x, data_type_of<T>, in, 2}, k, {values, data_type_of<T>, out, 2}, {indices, data_type::i64, out, 2},
              options);
}

}  // namespace topsplit

#endif
