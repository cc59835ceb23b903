// The C interface: turns its arguments into those of the C++ interface, and the status back.
//
// Nothing is computed here. What C++ cannot be given is refused: null where it takes a reference, a struct_size that
// makes no sense, and string, whose elements C does not have. Every body is noexcept, as all that it calls is.

#include "topsplit/c_api.h"

#include <cstddef>
#include <cstdint>
#include <new>

#include "src/c_call.h"
#include "topsplit/topsplit.h"

struct topsplit_topk_operator {
  topsplit::topk_operator op;
};
struct topsplit_split_operator {
  topsplit::split_operator op;
};

namespace {

using topsplit::data_type;
using topsplit::status;
using topsplit::status_code;
using topsplit::tensor;
using topsplit::detail::answer;
using topsplit::detail::error;
using topsplit::detail::need;
using topsplit::detail::read_execution;
using topsplit::detail::read_options;
using topsplit::detail::read_struct;
using topsplit::detail::view;
using topsplit::detail::write_struct;

// An array of outputs is handed on as it lies: copying it would need memory without a bound.
static_assert(sizeof(topsplit_tensor) == sizeof(tensor) && alignof(topsplit_tensor) == alignof(tensor) &&
              offsetof(topsplit_tensor, data) == offsetof(tensor, data) &&
              offsetof(topsplit_tensor, type) == offsetof(tensor, type) &&
              offsetof(topsplit_tensor, shape) == offsetof(tensor, shape) &&
              offsetof(topsplit_tensor, rank) == offsetof(tensor, rank));

status refuse_string(std::int32_t type) noexcept {
  if (type != TOPSPLIT_TYPE_STRING) return {};
  return error(status_code::unsupported_type, "Split: type string is not supported by the C interface");
}

status need_split_input(const topsplit_const_tensor* input) noexcept {
  if (status s = need("Split", {{"input", input}}); !s.ok()) return s;
  return refuse_string(input->type);
}

const tensor* view_array(const topsplit_tensor* t) noexcept { return reinterpret_cast<const tensor*>(t); }

status read_options(const topsplit_split_options* given, std::int64_t axis, topsplit::split_options& options) noexcept {
  topsplit_split_options o = {};
  if (status s = read_struct("topsplit_split_options", given, sizeof(o), o); !s.ok()) return s;
  options.axis = axis;
  return read_execution(o.run, options.run);
}

// Checks the struct to fill before explain runs, and fills it after.
template <class Explain>
status explain_into(topsplit_explanation* given, const Explain& explain) noexcept {
  topsplit_explanation e = {};
  if (status s = read_struct("topsplit_explanation", given, sizeof(e), e); !s.ok()) return s;
  topsplit::explanation told = {};
  if (status s = explain(told); !s.ok()) return s;
  e.algorithm = told.algorithm;
  e.unit = told.unit;
  e.units = told.units;
  e.grain = told.grain;
  e.isa = static_cast<std::int32_t>(told.isa);
  e.tasks = told.tasks;
  e.stack_bytes = told.stack_bytes;
  e.heap_bytes = told.heap_bytes;
  write_struct(e, given);
  return {};
}

// Makes an operator with make(op) and gives it to the caller, or frees it again.
template <class Operator, class Make>
status create(const char* op, Operator** result, const Make& make) noexcept {
  if (status s = need(op, {{"result", result}}); !s.ok()) return s;
  *result = nullptr;
  auto* made = new (std::nothrow) Operator;
  if (made == nullptr) return error(status_code::out_of_memory, "%s: no memory for an operator", op);
  status s = make(made->op);
  if (s.ok()) {
    *result = made;
  } else {
    delete made;
  }
  return s;
}

}  // namespace

const char* topsplit_status_code_name(std::int32_t code) {
  return topsplit::status_code_name(static_cast<status_code>(code));
}

const char* topsplit_status_text(const topsplit_status* status) { return status == nullptr ? "" : status->text; }

const char* topsplit_version(void) { return topsplit::version(); }

void topsplit_version_numbers(std::int32_t* major, std::int32_t* minor, std::int32_t* patch) {
  if (major != nullptr) *major = TOPSPLIT_VERSION_MAJOR;
  if (minor != nullptr) *minor = TOPSPLIT_VERSION_MINOR;
  if (patch != nullptr) *patch = TOPSPLIT_VERSION_PATCH;
}

const char* topsplit_data_type_name(std::int32_t type) {
  return topsplit::data_type_name(static_cast<data_type>(type));
}

std::size_t topsplit_data_type_bytes(std::int32_t type) {
  return type == TOPSPLIT_TYPE_STRING ? 0 : topsplit::data_type_bytes(static_cast<data_type>(type));
}

std::size_t topsplit_isa_count(void) { return topsplit::isa_count(); }

std::int32_t topsplit_isa_at(std::size_t index, topsplit_isa_info* info, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("isa_at", {{"info", info}}); !s.ok()) return s;
    if (index >= topsplit::isa_count()) {
      return error(status_code::invalid_argument, "isa_at: index = %zu is not below the count, %zu", index,
                   topsplit::isa_count());
    }
    topsplit_isa_info i = {};
    if (auto s = read_struct("topsplit_isa_info", info, sizeof(i), i); !s.ok()) return s;
    const topsplit::isa_info told = topsplit::isa_at(index);
    i.name = told.name;
    i.id = static_cast<std::int32_t>(told.id);
    i.available = told.available ? 1 : 0;
    i.selected = told.selected ? 1 : 0;
    i.reserved = 0;
    i.vector_bytes = told.vector_bytes;
    write_struct(i, info);
    return {};
  });
}

const char* topsplit_isa_name(std::int32_t isa) { return topsplit::isa_name(static_cast<topsplit::isa>(isa)); }

std::int32_t topsplit_isa_from_name(const char* name, std::int32_t* isa, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("isa_from_name", {{"isa", isa}}); !s.ok()) return s;
    topsplit::isa id = topsplit::isa::automatic;
    auto s = topsplit::isa_from_name(name, id);
    if (s.ok()) *isa = static_cast<std::int32_t>(id);
    return s;
  });
}

std::int32_t topsplit_force_isa(std::int32_t isa, topsplit_status* status) {
  return answer(status, [&]() noexcept { return topsplit::force_isa(static_cast<topsplit::isa>(isa)); });
}

std::int32_t topsplit_selected_isa(std::int32_t* isa, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("selected_isa", {{"isa", isa}}); !s.ok()) return s;
    topsplit::isa id = topsplit::isa::automatic;
    auto s = topsplit::selected_isa(id);
    if (s.ok()) *isa = static_cast<std::int32_t>(id);
    return s;
  });
}

std::int32_t topsplit_topk(const topsplit_const_tensor* x, std::int64_t k, std::int64_t axis,
                           const topsplit_tensor* values, const topsplit_tensor* indices,
                           const topsplit_topk_options* options, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"x", x}, {"values", values}, {"indices", indices}}); !s.ok()) return s;
    topsplit::topk_options o;
    if (auto s = read_options(options, axis, o); !s.ok()) return s;
    return topsplit::topk(view(x), k, view(values), view(indices), o);
  });
}

std::int32_t topsplit_infer_topk(const topsplit_const_tensor* x, std::int64_t k, std::int64_t axis,
                                 std::int64_t* output_shape, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"x", x}, {"output_shape", output_shape}}); !s.ok()) return s;
    return topsplit::infer_topk(view(x), k, axis, output_shape);
  });
}

std::int32_t topsplit_explain_topk(const topsplit_const_tensor* x, std::int64_t k, std::int64_t axis,
                                   const topsplit_topk_options* options, topsplit_explanation* result,
                                   topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"x", x}, {"result", result}}); !s.ok()) return s;
    topsplit::topk_options o;
    if (auto s = read_options(options, axis, o); !s.ok()) return s;
    return explain_into(result, [&](topsplit::explanation& e) { return topsplit::explain_topk(view(x), k, o, e); });
  });
}

std::int32_t topsplit_split(const topsplit_const_tensor* input, const std::int64_t* sizes, std::int64_t axis,
                            const topsplit_tensor* outputs, std::size_t count, const topsplit_split_options* options,
                            topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need_split_input(input); !s.ok()) return s;
    if (auto s = need("Split", {{"outputs", outputs}}); !s.ok()) return s;
    topsplit::split_options o;
    if (auto s = read_options(options, axis, o); !s.ok()) return s;
    return topsplit::split(view(input), sizes, view_array(outputs), count, o);
  });
}

std::int32_t topsplit_infer_split(const topsplit_const_tensor* input, const std::int64_t* sizes, std::size_t count,
                                  std::int64_t axis, std::int64_t* output_sizes, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need_split_input(input); !s.ok()) return s;
    if (auto s = need("Split", {{"output_sizes", output_sizes}}); !s.ok()) return s;
    return topsplit::infer_split(view(input), sizes, count, axis, output_sizes);
  });
}

std::int32_t topsplit_explain_split(const topsplit_const_tensor* input, const std::int64_t* sizes, std::size_t count,
                                    std::int64_t axis, const topsplit_split_options* options,
                                    topsplit_explanation* result, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need_split_input(input); !s.ok()) return s;
    if (auto s = need("Split", {{"result", result}}); !s.ok()) return s;
    topsplit::split_options o;
    if (auto s = read_options(options, axis, o); !s.ok()) return s;
    return explain_into(
        result, [&](topsplit::explanation& e) { return topsplit::explain_split(view(input), sizes, count, o, e); });
  });
}

std::int32_t topsplit_topk_operator_create(std::int64_t opset, const topsplit_topk_attributes* attributes,
                                           std::int32_t type, const topsplit_execution* run,
                                           topsplit_topk_operator** result, topsplit_status* status) {
  return answer(status, [&]() noexcept {
    return create("TopK", result, [&](topsplit::topk_operator& op) noexcept -> topsplit::status {
      topsplit_topk_attributes a = {};
      if (auto s = read_struct("topsplit_topk_attributes", attributes, sizeof(a), a); !s.ok()) return s;
      topsplit::execution e;
      if (auto s = read_execution(run, e); !s.ok()) return s;
      topsplit::topk_attributes given;
      if (a.has_axis != 0) given.axis = a.axis;
      if (a.has_k != 0) given.k = a.k;
      if (a.has_largest != 0) given.largest = a.largest;
      if (a.has_sorted != 0) given.sorted = a.sorted;
      return topsplit::topk_operator::make(opset, given, static_cast<data_type>(type), e, op);
    });
  });
}

void topsplit_topk_operator_destroy(topsplit_topk_operator* op) { delete op; }

std::int32_t topsplit_topk_operator_run(const topsplit_topk_operator* op, const topsplit_const_tensor* x,
                                        const topsplit_const_tensor* k, const topsplit_tensor* values,
                                        const topsplit_tensor* indices, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"op", op}, {"x", x}, {"values", values}, {"indices", indices}}); !s.ok()) return s;
    return op->op.run(view(x), view(k), view(values), view(indices));
  });
}

std::int32_t topsplit_topk_operator_infer(const topsplit_topk_operator* op, const topsplit_const_tensor* x,
                                          const topsplit_const_tensor* k, std::int64_t* output_shape,
                                          topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"op", op}, {"x", x}, {"output_shape", output_shape}}); !s.ok()) return s;
    return op->op.infer(view(x), view(k), output_shape);
  });
}

std::int32_t topsplit_topk_operator_explain(const topsplit_topk_operator* op, const topsplit_const_tensor* x,
                                            const topsplit_const_tensor* k, topsplit_explanation* result,
                                            topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"op", op}, {"x", x}, {"result", result}}); !s.ok()) return s;
    return explain_into(result, [&](topsplit::explanation& e) { return op->op.explain(view(x), view(k), e); });
  });
}

std::int32_t topsplit_topk_operator_version(const topsplit_topk_operator* op) {
  return op == nullptr ? 0 : op->op.version();
}

std::int32_t topsplit_split_operator_create(std::int64_t opset, const topsplit_split_attributes* attributes,
                                            std::int32_t type, std::size_t output_count, const topsplit_execution* run,
                                            topsplit_split_operator** result, topsplit_status* status) {
  return answer(status, [&]() noexcept {
    return create("Split", result, [&](topsplit::split_operator& op) noexcept -> topsplit::status {
      if (auto s = refuse_string(type); !s.ok()) return s;
      topsplit_split_attributes a = {};
      if (auto s = read_struct("topsplit_split_attributes", attributes, sizeof(a), a); !s.ok()) return s;
      topsplit::execution e;
      if (auto s = read_execution(run, e); !s.ok()) return s;
      topsplit::split_attributes given;
      if (a.has_axis != 0) given.axis = a.axis;
      if (a.has_num_outputs != 0) given.num_outputs = a.num_outputs;
      given.split = a.split;
      given.split_count = a.split_count;
      return topsplit::split_operator::make(opset, given, static_cast<data_type>(type), output_count, e, op);
    });
  });
}

void topsplit_split_operator_destroy(topsplit_split_operator* op) { delete op; }

std::int32_t topsplit_split_operator_run(const topsplit_split_operator* op, const topsplit_const_tensor* input,
                                         const topsplit_const_tensor* sizes, const topsplit_tensor* outputs,
                                         std::size_t count, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("Split", {{"op", op}, {"input", input}, {"outputs", outputs}}); !s.ok()) return s;
    return op->op.run(view(input), view(sizes), view_array(outputs), count);
  });
}

std::int32_t topsplit_split_operator_infer(const topsplit_split_operator* op, const topsplit_const_tensor* input,
                                           const topsplit_const_tensor* sizes, std::int64_t* output_sizes,
                                           topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("Split", {{"op", op}, {"input", input}, {"output_sizes", output_sizes}}); !s.ok()) return s;
    return op->op.infer(view(input), view(sizes), output_sizes);
  });
}

std::int32_t topsplit_split_operator_explain(const topsplit_split_operator* op, const topsplit_const_tensor* input,
                                             const topsplit_const_tensor* sizes, topsplit_explanation* result,
                                             topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("Split", {{"op", op}, {"input", input}, {"result", result}}); !s.ok()) return s;
    return explain_into(result, [&](topsplit::explanation& e) { return op->op.explain(view(input), view(sizes), e); });
  });
}

std::int32_t topsplit_split_operator_version(const topsplit_split_operator* op) {
  return op == nullptr ? 0 : op->op.version();
}

std::size_t topsplit_split_operator_output_count(const topsplit_split_operator* op) {
  return op == nullptr ? 0 : op->op.output_count();
}

std::int64_t topsplit_split_operator_axis(const topsplit_split_operator* op) {
  return op == nullptr ? 0 : op->op.axis();
}
