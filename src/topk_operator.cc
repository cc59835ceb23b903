// TopK as a model's node has it: the versions' types, attributes and where k comes from.

#include <cinttypes>
#include <cstring>

#include "src/dispatch.h"
#include "src/execution_check.h"
#include "src/message.h"
#include "src/operator_rules.h"
#include "topsplit/operator.h"

namespace topsplit {
namespace {

using detail::error;

constexpr std::int32_t versions[] = {1, 10, 11, 24};
constexpr detail::argument about_x = {"TopK", "x"};
constexpr detail::argument about_k = {"TopK", "K"};

constexpr std::uint32_t types_of(std::int32_t version) noexcept {
  if (version < 11) return detail::float_types;
  const std::uint32_t types = detail::float_types | detail::integer_types;
  return version < 24 ? types : types | detail::type_bit(data_type::bf16);
}

status check_k_attribute(std::int32_t version, const std::optional<std::int64_t>& k) noexcept {
  if (version > 1) return k ? detail::refuse_attribute("TopK", version, "k", *k) : status();
  if (!k) return error(status_code::invalid_argument, "TopK: version 1 needs the attribute k");
  if (*k < 1) return error(status_code::invalid_argument, "TopK: attribute k = %" PRId64 " is below 1", *k);
  return {};
}

// largest and sorted: known from version 11, 0 or 1.
status check_flag(std::int32_t version, const char* name, const std::optional<std::int64_t>& flag) noexcept {
  if (!flag) return {};
  if (version < 11) return detail::refuse_attribute("TopK", version, name, *flag);
  if (*flag == 0 || *flag == 1) return {};
  return error(status_code::invalid_argument, "TopK: attribute %s = %" PRId64 " is neither 0 nor 1", name, *flag);
}

}  // namespace

status topk_operator::make(std::int64_t opset, const topk_attributes& attributes, data_type type, const execution& run,
                           topk_operator& result) noexcept {
  topk_operator made;
  const kernels::kernel_table* table = nullptr;
  if (status s = detail::resolve_version("TopK", opset, versions, made.version_); !s.ok()) return s;
  if (status s = detail::check_version_type("TopK", made.version_, type, types_of(made.version_)); !s.ok()) return s;
  if (status s = check_k_attribute(made.version_, attributes.k); !s.ok()) return s;
  if (status s = check_flag(made.version_, "largest", attributes.largest); !s.ok()) return s;
  if (status s = check_flag(made.version_, "sorted", attributes.sorted); !s.ok()) return s;
  if (status s = detail::check_execution("TopK", run); !s.ok()) return s;
  if (status s = detail::select_table("TopK", run.isa, table); !s.ok()) return s;
  made.type_ = type;
  made.k_ = attributes.k.value_or(0);
  made.options_ = {attributes.axis.value_or(-1),
                   attributes.largest.value_or(1) != 0 ? topk_select::largest : topk_select::smallest,
                   attributes.sorted.value_or(1) != 0 ? topk_order::by_value : topk_order::by_index, run};
  made.options_.run.isa = table->id;
  result = made;
  return {};
}

status topk_operator::resolve_k(const const_tensor& x, const const_tensor& k, std::int64_t& value) const noexcept {
  if (status s = detail::check_made(about_x, version_, type_, x); !s.ok()) return s;
  if (version_ == 1) {
    value = k_;
    if (detail::is_absent(k)) return {};
    return error(status_code::invalid_argument, "TopK: version 1 has no input K; its attribute k = %" PRId64 " rules",
                 k_);
  }
  if (detail::is_absent(k)) {
    return error(status_code::invalid_argument, "TopK: version %d needs the input K", static_cast<int>(version_));
  }
  if (status s = detail::check_vector(about_k, k, data_type::i64, 1); !s.ok()) return s;
  std::memcpy(&value, k.data, sizeof(value));
  return {};
}

status topk_operator::run(const const_tensor& x, const const_tensor& k, const tensor& values,
                          const tensor& indices) const noexcept {
  std::int64_t value = 0;
  if (status s = resolve_k(x, k, value); !s.ok()) return s;
  return topk(x, value, values, indices, options_);
}

status topk_operator::infer(const const_tensor& x, const const_tensor& k, std::int64_t* output_shape) const noexcept {
  std::int64_t value = 0;
  if (status s = resolve_k(x, k, value); !s.ok()) return s;
  return infer_topk(x, value, options_.axis, output_shape);
}

status topk_operator::explain(const const_tensor& x, const const_tensor& k, explanation& result) const noexcept {
  std::int64_t value = 0;
  if (status s = resolve_k(x, k, value); !s.ok()) return s;
  return explain_topk(x, value, options_, result);
}

}  // namespace topsplit
