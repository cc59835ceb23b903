// Split: cuts a tensor along an axis into parts that are copied to tensors of their own.
//
// ONNX Split, versions 1, 2, 11, 13 and 18 (onnx.ai/onnx/operators/onnx__Split.html). This call has the rules of
// version 18; operator.h applies those of any opset.
//
// Contract
//   shapes      input of rank >= 1; part i has the input's shape with the axis replaced by its size. Dense, row-major.
//   types       all 16 of ONNX: the 12 numeric ones, boolean, complex64, complex128, and string as std::string.
//   sizes       each >= 0, as many as outputs, summing to the axis; a size may be 0. Without sizes the parts are equal:
//               with n outputs over length d every part is d/n when that is whole, else d/n + 1 for all but the last, which
//               gets the rest; where the rest would be negative (d = 5, n = 4) the call is an error.
//   pointers    any address will do (strings aligned to their element); outputs overlap neither the input nor each other.
//               (To find out is linear for outputs at ascending addresses, and slow for 100,000 in any other order.)
//   errors      found before anything is written; the text names the argument and the numbers.
//   memory      no heap allocation and at most 32 KiB of stack a task. Strings apart: they are assigned to the
//               std::string objects that each output holds; when memory runs out the call says so, every string is still
//               valid, its text unspecified.
//   threads     execution.h; any number of threads may call at once.
//   results     the same bytes for every ISA, thread count and tuning.

#ifndef TOPSPLIT_SPLIT_H
#define TOPSPLIT_SPLIT_H

#include <cstddef>
#include <cstdint>

#include "topsplit/execution.h"
#include "topsplit/explain.h"
#include "topsplit/export.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"

namespace topsplit {

struct split_options {
  std::int64_t axis = 0;  // in [-rank, rank - 1]
  execution run;
};

// Cuts input into `count` outputs. sizes points to count sizes along the axis, or is null for equal parts.
TOPSPLIT_EXPORT status split(const const_tensor& input, const std::int64_t* sizes, const tensor* outputs,
                             std::size_t count, const split_options& options = {}) noexcept;

// The sizes of the parts along the axis: checks sizes, or where it is null makes equal parts, and writes count sizes
// to output_sizes (which may be sizes itself). input.data is not looked at.
TOPSPLIT_EXPORT status infer_split(const const_tensor& input, const std::int64_t* sizes, std::size_t count,
                                   std::int64_t axis, std::int64_t* output_sizes) noexcept;

// Where a part lies in the input: `runs` runs of `length` adjacent elements, the first at element `offset` of the
// input, each `pitch` elements after the one before. The output of split is the same runs without the gaps.
struct split_part_layout {
  std::int64_t offset;
  std::int64_t length;
  std::int64_t pitch;
  std::int64_t runs;
  bool is_view;  // there are no gaps: the part is dense where it lies, and a caller may use it there instead of a copy
};

// Writes `count` layouts. Needs no data: input.data is not looked at.
TOPSPLIT_EXPORT status layout_split(const const_tensor& input, const std::int64_t* sizes, std::size_t count,
                                    std::int64_t axis, split_part_layout* parts) noexcept;

// What split would do with such a call. input.data is not looked at.
TOPSPLIT_EXPORT status explain_split(const const_tensor& input, const std::int64_t* sizes, std::size_t count,
                                     const split_options& options, explanation& result) noexcept;

}  // namespace topsplit

#endif
