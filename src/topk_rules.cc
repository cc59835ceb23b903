// The checks of TopK. Nothing is narrowed before it was compared: k and the dimensions stay 64-bit.

#include "src/topk_rules.h"

#include <cinttypes>

#include "src/execution_check.h"
#include "src/message.h"

namespace topsplit::detail {
namespace {

constexpr argument about_x = {"TopK", "x"};
constexpr argument about_values = {"TopK", "values"};
constexpr argument about_indices = {"TopK", "indices"};

struct typed_element {
  data_type type;
  kernels::element element;
};

constexpr typed_element elements[kernels::element_count] = {
    {data_type::u8, kernels::element::u8},   {data_type::u16, kernels::element::u16},
    {data_type::u32, kernels::element::u32}, {data_type::u64, kernels::element::u64},
    {data_type::i8, kernels::element::i8},   {data_type::i16, kernels::element::i16},
    {data_type::i32, kernels::element::i32}, {data_type::i64, kernels::element::i64},
    {data_type::f16, kernels::element::f16}, {data_type::bf16, kernels::element::bf16},
    {data_type::f32, kernels::element::f32}, {data_type::f64, kernels::element::f64},
};

const typed_element* find_element(data_type type) noexcept {
  for (const typed_element& candidate : elements) {
    if (candidate.type == type) return &candidate;
  }
  return nullptr;
}

}  // namespace

status check_topk_options(const topk_options& options) noexcept {
  if (options.select != topk_select::largest && options.select != topk_select::smallest) {
    return error(status_code::invalid_argument, "TopK: select = %d is neither largest (0) nor smallest (1)",
                 static_cast<int>(options.select));
  }
  if (options.order != topk_order::by_value && options.order != topk_order::by_index) {
    return error(status_code::invalid_argument, "TopK: order = %d is neither by_value (0) nor by_index (1)",
                 static_cast<int>(options.order));
  }
  return check_execution("TopK", options.run);
}

status check_topk_type(const argument& who, data_type type, kernels::element& element) noexcept {
  const typed_element* found = find_element(type);
  if (found == nullptr) {
    return refuse(who, status_code::unsupported_type, "has type %s (%d), which TopK does not take",
                  data_type_name(type), static_cast<int>(type));
  }
  element = found->element;
  return {};
}

bool is_topk_type(data_type type) noexcept { return find_element(type) != nullptr; }

status check_topk_shape(const const_tensor& x, std::int64_t k, std::int64_t axis, folded_shape& folded) noexcept {
  kernels::element element;
  if (status s = check_topk_type(about_x, x.type, element); !s.ok()) return s;
  if (status s = fold_shape(about_x, x, axis, sizeof(std::int64_t), folded); !s.ok()) return s;
  if (k < 0) {
    return error(status_code::invalid_argument, "TopK: k = %" PRId64 " is negative", k);
  }
  if (static_cast<std::uint64_t>(k) > folded.n) {
    return error(status_code::invalid_argument, "TopK: k = %" PRId64 " exceeds axis %zu of length %zu", k, folded.axis,
                 folded.n);
  }
  return {};
}

status check_topk(const const_tensor& x, std::int64_t k, const topk_options& options, folded_shape& folded,
                  topk_problem& problem) noexcept {
  if (status s = check_topk_shape(x, k, options.axis, folded); !s.ok()) return s;
  if (status s = check_topk_options(options); !s.ok()) return s;
  problem = {folded.outer,
             folded.n,
             folded.inner,
             static_cast<std::size_t>(k),
             find_element(x.type)->element,
             data_type_bytes(x.type),
             options.order == topk_order::by_index};
  return {};
}

status check_topk_outputs(const const_tensor& x, const tensor& values, const tensor& indices, std::size_t axis,
                          const topk_problem& problem, topk_outputs& outputs) noexcept {
  const auto k = static_cast<std::int64_t>(problem.k);
  if (status s = check_output(about_values, values, x.type, x, axis, k); !s.ok()) return s;
  if (status s = check_output(about_indices, indices, data_type::i64, x, axis, k); !s.ok()) return s;

  const std::size_t chosen = problem.slices() * problem.k;
  const byte_range v = range_of(values.data, chosen * problem.element_bytes);
  const byte_range i = range_of(indices.data, chosen * sizeof(std::int64_t));
  if (status s = check_data(about_values, values.data, v.bytes, problem.element_bytes); !s.ok()) return s;
  if (status s = check_data(about_indices, indices.data, i.bytes, alignof(std::int64_t)); !s.ok()) return s;
  if (overlap(i, v)) return refuse_overlap(about_indices, i, about_values, v);
  outputs = {v, i};
  return {};
}

status check_topk_input(const argument& who, const void* data, std::size_t bytes, std::size_t alignment,
                        const topk_outputs& outputs) noexcept {
  if (status s = check_data(who, data, bytes, alignment); !s.ok()) return s;
  const byte_range range = range_of(data, bytes);
  if (overlap(outputs.values, range)) return refuse_overlap(about_values, outputs.values, who, range);
  if (overlap(outputs.indices, range)) return refuse_overlap(about_indices, outputs.indices, who, range);
  return {};
}

status check_topk_tensors(const const_tensor& x, const tensor& values, const tensor& indices,
                          const folded_shape& folded, const topk_problem& problem) noexcept {
  topk_outputs outputs;
  if (status s = check_topk_outputs(x, values, indices, folded.axis, problem, outputs); !s.ok()) return s;
  const std::size_t bytes = problem.slices() * problem.n * problem.element_bytes;
  return check_topk_input(about_x, x.data, bytes, problem.element_bytes, outputs);
}

}  // namespace topsplit::detail

namespace topsplit {

status infer_topk(const const_tensor& x, std::int64_t k, std::int64_t axis, std::int64_t* output_shape) noexcept {
  detail::folded_shape folded;
  if (status s = detail::check_topk_shape(x, k, axis, folded); !s.ok()) return s;
  if (output_shape == nullptr) return detail::error(status_code::invalid_argument, "TopK: output_shape is null");
  for (std::size_t d = 0; d < x.rank; ++d) output_shape[d] = d == folded.axis ? k : x.shape[d];
  return {};
}

}  // namespace topsplit
