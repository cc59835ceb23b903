// Prepared operators: made once from a model's node, run many times.
//
// A graph loader hands over what the model says (the opset it imports, the node's attributes, the element type) and how
// calls shall run. make applies the rules of the operator version that this opset resolves to: its types, attributes
// and defaults, where k or the sizes come from, and what it refuses. A run then only checks shapes and pointers, and
// computes with topk or split of topk.h and split.h, whose contract holds here too.
//
//   TopK   version 1 for opsets 1 to 9, 10 for 10, 11 for 11 to 23, 24 from 24
//   Split  version 1 for opset 1, 2 for 2 to 10, 11 for 11 and 12, 13 for 13 to 17, 18 from 18
//
// make also settles the ISA: a later force_isa does not change what a made operator runs. A make that fails leaves its
// result as it was. An operator never changes after make, so any number of threads may run one at once. It keeps no
// pointer into what make was given but those inside execution (a lent arena, a callback and its context), which must
// outlive it. An optional input that is absent is const_tensor{}.

#ifndef TOPSPLIT_OPERATOR_H
#define TOPSPLIT_OPERATOR_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "topsplit/execution.h"
#include "topsplit/explain.h"
#include "topsplit/export.h"
#include "topsplit/split.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"
#include "topsplit/topk.h"

namespace topsplit {

namespace detail {
struct part_sizes;
}

// The attributes as the node has them; one that the version does not know is an error when it is given.
struct topk_attributes {
  std::optional<std::int64_t> axis;     // all versions, default -1
  std::optional<std::int64_t> k;        // version 1 only, required there
  std::optional<std::int64_t> largest;  // from version 11: 0 or 1, default 1
  std::optional<std::int64_t> sorted;   // from version 11: 0 or 1, default 1
};

class TOPSPLIT_EXPORT topk_operator {
 public:
  // Until make has succeeded every call is an error. Allocates nothing.
  static status make(std::int64_t opset, const topk_attributes& attributes, data_type type, const execution& run,
                     topk_operator& result) noexcept;

  // k is the operator's second input, an i64 tensor of shape [1]; absent for version 1.
  status run(const const_tensor& x, const const_tensor& k, const tensor& values, const tensor& indices) const noexcept;

  // The outputs' shape (x.rank dimensions); k's data is read, x's is not.
  status infer(const const_tensor& x, const const_tensor& k, std::int64_t* output_shape) const noexcept;

  status explain(const const_tensor& x, const const_tensor& k, explanation& result) const noexcept;

  std::int32_t version() const noexcept { return version_; }  // 1, 10, 11 or 24; 0 before make

 private:
  status resolve_k(const const_tensor& x, const const_tensor& k, std::int64_t& value) const noexcept;

  std::int32_t version_ = 0;
  data_type type_ = data_type::undefined;
  std::int64_t k_ = 0;  // version 1
  topk_options options_;
};

// split is null when the node has no such attribute; it is copied.
struct split_attributes {
  std::optional<std::int64_t> axis;     // default 0 in all versions
  const std::int64_t* split = nullptr;  // versions 1, 2 and 11
  std::size_t split_count = 0;
  std::optional<std::int64_t> num_outputs;  // from version 18
};

class TOPSPLIT_EXPORT split_operator {
 public:
  // Movable; one that was moved from is as before make.
  split_operator() noexcept;
  split_operator(split_operator&& other) noexcept;
  split_operator& operator=(split_operator&& other) noexcept;
  ~split_operator();

  // output_count is the number of the node's outputs, at least 1. Until make has succeeded every call is an error.
  // Copies the split attribute to the heap: out_of_memory is the error that this can add. Nothing else allocates.
  static status make(std::int64_t opset, const split_attributes& attributes, data_type type, std::size_t output_count,
                     const execution& run, split_operator& result) noexcept;

  // sizes is the operator's second input: i64 of shape [output_count] from version 13, the input's own type in version
  // 1, else absent.
  status run(const const_tensor& input, const const_tensor& sizes, const tensor* outputs,
             std::size_t count) const noexcept;

  // The parts' sizes along the axis (output_count of them); the data of sizes is read, the input's is not.
  status infer(const const_tensor& input, const const_tensor& sizes, std::int64_t* output_sizes) const noexcept;

  status explain(const const_tensor& input, const const_tensor& sizes, explanation& result) const noexcept;

  std::int32_t version() const noexcept { return version_; }  // 1, 2, 11, 13 or 18; 0 before make
  std::size_t output_count() const noexcept { return output_count_; }
  std::int64_t axis() const noexcept { return options_.axis; }

 private:
  status resolve_sizes(const const_tensor& input, const const_tensor& sizes, detail::part_sizes& result) const noexcept;

  std::int32_t version_ = 0;
  data_type type_ = data_type::undefined;
  std::size_t output_count_ = 0;
  bool has_num_outputs_ = false;
  std::unique_ptr<std::int64_t[]> split_;  // the attribute's sizes, output_count of them; null: no such attribute
  split_options options_;
};

}  // namespace topsplit

#endif
