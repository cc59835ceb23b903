// What every call of the C interface is made of: its answer, its pointers, tensors and options as C++ has them.

#ifndef TOPSPLIT_SRC_C_CALL_H
#define TOPSPLIT_SRC_C_CALL_H

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "src/c_struct.h"
#include "src/message.h"
#include "topsplit/c_api.h"
#include "topsplit/execution.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"
#include "topsplit/topk.h"

namespace topsplit::detail {

static_assert(sizeof(topsplit_status::text) == status::text_capacity);

// Runs body, tells *out what it said when there is one, and returns the code.
template <class Body>
std::int32_t answer(topsplit_status* out, const Body& body) noexcept {
  const status result = body();
  const auto code = static_cast<std::int32_t>(result.code());
  if (out != nullptr) {
    out->code = code;
    std::memcpy(out->text, result.text(), std::strlen(result.text()) + 1);
  }
  return code;
}

struct pointer {
  const char* name;
  const void* value;
};

inline status need(const char* op, std::initializer_list<pointer> pointers) noexcept {
  for (const pointer& p : pointers) {
    if (p.value == nullptr) return error(status_code::invalid_argument, "%s: %s is null", op, p.name);
  }
  return {};
}

inline const_tensor view(const topsplit_const_tensor* t) noexcept {
  if (t == nullptr) return {};  // an optional input that is absent
  return {t->data, static_cast<data_type>(t->type), t->shape, t->rank};
}

inline tensor view(const topsplit_tensor* t) noexcept {
  return {t->data, static_cast<data_type>(t->type), t->shape, t->rank};
}

inline status read_execution(const topsplit_execution* given, execution& run) noexcept {
  topsplit_execution e = {};
  if (status s = read_struct("topsplit_execution", given, sizeof(e), e); !s.ok()) return s;
  run.threads = static_cast<threading>(e.threads);
  run.max_tasks = e.max_tasks;
  run.parallel_for = e.parallel_for;
  run.parallel_for_context = e.parallel_for_context;
  run.parallel_for_width = e.parallel_for_width;
  run.isa = static_cast<isa>(e.isa);
  run.grain_bytes = e.grain_bytes;
  run.parallel_from_bytes = e.parallel_from_bytes;
  return {};
}

inline status read_options(const topsplit_topk_options* given, std::int64_t axis, topk_options& options) noexcept {
  topsplit_topk_options o = {};
  if (status s = read_struct("topsplit_topk_options", given, sizeof(o), o); !s.ok()) return s;
  options.axis = axis;
  options.select = static_cast<topk_select>(o.select);
  options.order = static_cast<topk_order>(o.order);
  return read_execution(o.run, options.run);
}

}  // namespace topsplit::detail

#endif
