// Split as a model's node has it: the versions' types, attributes and where the sizes come from.

#include <algorithm>
#include <cinttypes>
#include <new>
#include <utility>

#include "src/dispatch.h"
#include "src/execution_check.h"
#include "src/message.h"
#include "src/operator_rules.h"
#include "src/split_run.h"
#include "topsplit/operator.h"

namespace topsplit {
namespace {

using detail::error;

constexpr std::int32_t versions[] = {1, 2, 11, 13, 18};
constexpr detail::argument about_input = {"Split", "input"};
constexpr detail::argument about_sizes = {"Split", "the input split"};

constexpr std::uint32_t types_of(std::int32_t version) noexcept {
  if (version == 1) return detail::float_types;
  const std::uint32_t types =
      detail::float_types | detail::integer_types |
      detail::type_set(data_type::boolean, data_type::string, data_type::complex64, data_type::complex128);
  return version < 13 ? types : types | detail::type_bit(data_type::bf16);
}

bool takes_sizes_input(std::int32_t version) noexcept { return version == 1 || version >= 13; }

// The attribute split, known to version 11: its sum is the axis' business, all else is known now.
status check_split_attribute(std::int32_t version, const split_attributes& attributes,
                             std::size_t output_count) noexcept {
  const std::size_t count = attributes.split_count;
  if (attributes.split == nullptr) {
    if (count == 0) return {};
    return error(status_code::invalid_argument, "Split: attribute split is null but of %zu sizes", count);
  }
  if (version > 11) {
    return error(status_code::invalid_argument,
                 "Split: version %d has no attribute split, but one of %zu sizes is given", static_cast<int>(version),
                 count);
  }
  if (count != output_count) {
    return error(status_code::invalid_argument, "Split: attribute split has %zu sizes for %zu outputs", count,
                 output_count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (attributes.split[i] < 0) {
      return error(status_code::invalid_argument, "Split: split[%zu] = %" PRId64 " is negative", i,
                   attributes.split[i]);
    }
  }
  return {};
}

status check_num_outputs(std::int32_t version, const std::optional<std::int64_t>& num_outputs,
                         std::size_t output_count) noexcept {
  if (!num_outputs) return {};
  if (version < 18) return detail::refuse_attribute("Split", version, "num_outputs", *num_outputs);
  if (*num_outputs < 1) {
    return error(status_code::invalid_argument, "Split: num_outputs = %" PRId64 " is below 1", *num_outputs);
  }
  if (static_cast<std::uint64_t>(*num_outputs) != output_count) {
    return error(status_code::invalid_argument, "Split: num_outputs = %" PRId64 ", but there are %zu outputs",
                 *num_outputs, output_count);
  }
  return {};
}

}  // namespace

split_operator::split_operator() noexcept = default;
split_operator::~split_operator() = default;

split_operator::split_operator(split_operator&& other) noexcept : split_operator() { *this = std::move(other); }

// Without its sizes the other one would cut equal parts, so it goes back to before make.
split_operator& split_operator::operator=(split_operator&& other) noexcept {
  type_ = other.type_;
  output_count_ = other.output_count_;
  has_num_outputs_ = other.has_num_outputs_;
  split_ = std::move(other.split_);
  options_ = other.options_;
  version_ = std::exchange(other.version_, 0);
  return *this;
}

status split_operator::make(std::int64_t opset, const split_attributes& attributes, data_type type,
                            std::size_t output_count, const execution& run, split_operator& result) noexcept {
  split_operator made;
  const kernels::kernel_table* table = nullptr;
  if (status s = detail::resolve_version("Split", opset, versions, made.version_); !s.ok()) return s;
  if (status s = detail::check_version_type("Split", made.version_, type, types_of(made.version_)); !s.ok()) return s;
  if (output_count == 0) return error(status_code::invalid_argument, "Split: 0 outputs; there must be at least 1");
  if (status s = check_split_attribute(made.version_, attributes, output_count); !s.ok()) return s;
  if (status s = check_num_outputs(made.version_, attributes.num_outputs, output_count); !s.ok()) return s;
  if (status s = detail::check_execution("Split", run); !s.ok()) return s;
  if (status s = detail::select_table("Split", run.isa, table); !s.ok()) return s;
  if (attributes.split != nullptr) {
    made.split_.reset(new (std::nothrow) std::int64_t[output_count]);
    if (made.split_ == nullptr) {
      return error(status_code::out_of_memory, "Split: no memory for the %zu sizes of the attribute split",
                   output_count);
    }
    std::copy_n(attributes.split, output_count, made.split_.get());
  }
  made.type_ = type;
  made.output_count_ = output_count;
  made.has_num_outputs_ = attributes.num_outputs.has_value();
  made.options_ = {attributes.axis.value_or(0), run};
  made.options_.run.isa = table->id;
  result = std::move(made);
  return {};
}

status split_operator::resolve_sizes(const const_tensor& input, const const_tensor& sizes,
                                     detail::part_sizes& result) const noexcept {
  if (status s = detail::check_made(about_input, version_, type_, input); !s.ok()) return s;
  if (detail::is_absent(sizes)) {
    if (version_ >= 18 && !has_num_outputs_) {
      return error(status_code::invalid_argument,
                   "Split: version 18 needs the input split or the attribute num_outputs; for %zu outputs neither is "
                   "given",
                   output_count_);
    }
    result = split_ != nullptr ? detail::given_sizes(split_.get(), output_count_)
                               : detail::equal_sizes(output_count_, version_ < 18);
    return {};
  }
  if (!takes_sizes_input(version_)) {
    return error(status_code::invalid_argument, "Split: version %d has no input split", static_cast<int>(version_));
  }
  if (split_ != nullptr || has_num_outputs_) {
    return error(status_code::invalid_argument,
                 "Split: the input split and the attribute %s are given both, of %zu parts",
                 has_num_outputs_ ? "num_outputs" : "split", output_count_);
  }
  const data_type type = version_ == 1 ? type_ : data_type::i64;
  if (status s = detail::check_vector(about_sizes, sizes, type, output_count_); !s.ok()) return s;
  result = detail::given_sizes(sizes.data, output_count_, type);
  return {};
}

status split_operator::run(const const_tensor& input, const const_tensor& sizes, const tensor* outputs,
                           std::size_t count) const noexcept {
  detail::part_sizes parts = detail::equal_sizes(0);
  if (status s = resolve_sizes(input, sizes, parts); !s.ok()) return s;
  if (count != output_count_) {
    return error(status_code::invalid_argument, "Split: %zu outputs, but the operator was made for %zu", count,
                 output_count_);
  }
  return detail::run_split(input, parts, outputs, options_);
}

status split_operator::infer(const const_tensor& input, const const_tensor& sizes,
                             std::int64_t* output_sizes) const noexcept {
  detail::part_sizes parts = detail::equal_sizes(0);
  if (status s = resolve_sizes(input, sizes, parts); !s.ok()) return s;
  return detail::infer_split_sizes(input, parts, options_.axis, output_sizes);
}

status split_operator::explain(const const_tensor& input, const const_tensor& sizes,
                               explanation& result) const noexcept {
  detail::part_sizes parts = detail::equal_sizes(0);
  if (status s = resolve_sizes(input, sizes, parts); !s.ok()) return s;
  return detail::explain_split_run(input, parts, options_, result);
}

}  // namespace topsplit
