// The outputs' shape is what every input is held against: it is there even where k exceeds each part.

#include "src/topk_merge_rules.h"

#include <algorithm>
#include <cinttypes>

#include "src/message.h"
#include "src/topk_rules.h"

namespace topsplit::detail {
namespace {

constexpr status_code invalid = status_code::invalid_argument;
constexpr argument about_values = {"TopK", "values"};
constexpr argument about_x = {"TopK", "x"};

const_tensor view(const tensor& t) noexcept { return {t.data, t.type, t.shape, t.rank}; }
tensor without_data(const const_tensor& t) noexcept { return {nullptr, t.type, t.shape, t.rank}; }

// What is known from the outputs and options alone. k is values' own length along the axis where the caller gives none.
status check_chosen(const std::int64_t* k, const tensor& values, const tensor& indices, const topk_options& options,
                    merge_problem& result, topk_outputs& outputs) noexcept {
  kernels::element element;
  folded_shape folded;
  if (status s = check_topk_type(about_values, values.type, element); !s.ok()) return s;
  if (status s = fold_shape(about_values, view(values), options.axis, sizeof(std::int64_t), folded); !s.ok()) return s;
  if (k != nullptr && *k < 0) return error(invalid, "TopK: k = %" PRId64 " is negative", *k);
  if (status s = check_topk_options(options); !s.ok()) return s;
  result.problem = {folded.outer,
                    0,
                    folded.inner,
                    k != nullptr ? static_cast<std::size_t>(*k) : folded.n,
                    element,
                    data_type_bytes(values.type),
                    options.order == topk_order::by_index};
  result.axis = folded.axis;
  return check_topk_outputs(view(values), values, indices, folded.axis, result.problem, outputs);
}

// An input of values' type and shape but for the axis, whose length is told.
status check_elements(const argument& who, const const_tensor& t, const tensor& values, const merge_problem& p,
                      const topk_outputs& outputs, std::size_t& length) noexcept {
  const bool has_axis = t.rank == values.rank && t.shape != nullptr;
  const std::int64_t along = has_axis ? t.shape[p.axis] : 0;
  folded_shape folded;
  if (status s = check_output(who, without_data(t), values.type, view(values), p.axis, along); !s.ok()) return s;
  const auto axis = static_cast<std::int64_t>(p.axis);
  if (status s = fold_shape(who, t, axis, sizeof(std::int64_t), folded); !s.ok()) return s;
  length = folded.n;
  const std::size_t bytes = p.problem.slices() * length * p.problem.element_bytes;
  return check_topk_input(who, t.data, bytes, p.problem.element_bytes, outputs);
}

status check_part(const topk_part& part, std::size_t number, const tensor& values, const merge_problem& p,
                  const topk_outputs& outputs, std::size_t& length) noexcept {
  const argument about_part_values = {"TopK", "values of part", static_cast<std::int64_t>(number)};
  const argument about_part_indices = {"TopK", "indices of part", static_cast<std::int64_t>(number)};
  if (status s = check_elements(about_part_values, part.values, values, p, outputs, length); !s.ok()) return s;
  if (status s = check_output(about_part_indices, without_data(part.indices), data_type::i64, part.values, p.axis,
                              part.values.shape[p.axis]);
      !s.ok()) {
    return s;
  }
  if (part.index_offset < 0) {
    return error(invalid, "TopK: index_offset of part %zu = %" PRId64 " is negative", number, part.index_offset);
  }
  const std::size_t bytes = p.problem.slices() * length * sizeof(std::int64_t);
  return check_topk_input(about_part_indices, part.indices.data, bytes, alignof(std::int64_t), outputs);
}

// Lengths of axes are below 2^60 each; of their sum only the plan wants to know more than whether it reaches k.
void add_elements(topk_problem& problem, std::size_t length) noexcept {
  problem.n = std::min<std::size_t>(problem.n + length, PTRDIFF_MAX / sizeof(std::int64_t));
}

}  // namespace

status check_merge(const topk_part* parts, std::size_t count, std::int64_t k, const tensor& values,
                   const tensor& indices, const topk_options& options, merge_problem& result) noexcept {
  topk_outputs outputs;
  if (status s = check_chosen(&k, values, indices, options, result, outputs); !s.ok()) return s;
  if (count == 0) return error(invalid, "TopK: count = 0: there is no part to merge");
  if (parts == nullptr) return error(invalid, "TopK: parts is null, but count = %zu", count);
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t length = 0;
    if (status s = check_part(parts[p], p, values, result, outputs, length); !s.ok()) return s;
    add_elements(result.problem, length);
  }
  if (result.problem.n >= result.problem.k) return {};
  return error(invalid, "TopK: k = %" PRId64 " exceeds the %zu elements that %zu parts have along axis %zu", k,
               result.problem.n, count, result.axis);
}

status check_extend(const const_tensor& x, std::int64_t index_offset, std::int64_t held, const tensor& values,
                    const tensor& indices, const topk_options& options, merge_problem& result) noexcept {
  topk_outputs outputs;
  if (status s = check_chosen(nullptr, values, indices, options, result, outputs); !s.ok()) return s;
  if (held < 0) return error(invalid, "TopK: held = %" PRId64 " is negative", held);
  if (static_cast<std::uint64_t>(held) > result.problem.k) {
    return error(invalid, "TopK: held = %" PRId64 " exceeds axis %zu of values of length %zu", held, result.axis,
                 result.problem.k);
  }
  if (index_offset < 0) return error(invalid, "TopK: index_offset = %" PRId64 " is negative", index_offset);
  std::size_t length = 0;
  if (status s = check_elements(about_x, x, values, result, outputs, length); !s.ok()) return s;
  if (length != 0 && static_cast<std::int64_t>(length - 1) > INT64_MAX - index_offset) {
    return error(invalid, "TopK: index_offset = %" PRId64 " takes the last of axis %zu of length %zu beyond %" PRId64,
                 index_offset, result.axis, length, INT64_MAX);
  }
  add_elements(result.problem, static_cast<std::size_t>(held));
  add_elements(result.problem, length);
  return {};
}

std::size_t find_bad_index(const std::int64_t* indices, std::size_t count, std::int64_t offset) noexcept {
  const auto most = static_cast<std::uint64_t>(INT64_MAX - offset);  // a negative index is a larger unsigned number
  std::size_t i = 0;
  while (i < count && static_cast<std::uint64_t>(indices[i]) <= most) ++i;
  return i;
}

status refuse_index(const topk_part& part, std::size_t number, std::size_t at) noexcept {
  const argument who = {"TopK", "indices of part", static_cast<std::int64_t>(number)};
  const std::int64_t index = static_cast<const std::int64_t*>(part.indices.data)[at];
  if (index < 0) return refuse(who, invalid, "has %" PRId64 " at element %zu, which is negative", index, at);
  return refuse(who, invalid, "has %" PRId64 " at element %zu, which index_offset = %" PRId64 " takes beyond %" PRId64,
                index, at, part.index_offset, INT64_MAX);
}

}  // namespace topsplit::detail
