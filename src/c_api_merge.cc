// The C interface of TopK in pieces; see c_api.cc for the rest and for the rules.

#include <cstddef>
#include <cstdint>

#include "src/c_call.h"
#include "topsplit/c_api.h"
#include "topsplit/merge.h"

namespace {

using topsplit::const_tensor;
using topsplit::topk_options;
using topsplit::topk_part;
using topsplit::detail::answer;
using topsplit::detail::need;
using topsplit::detail::read_options;
using topsplit::detail::view;

// An array of parts is handed on as it lies, like one of tensors.
static_assert(sizeof(topsplit_const_tensor) == sizeof(const_tensor) &&
              offsetof(topsplit_const_tensor, data) == offsetof(const_tensor, data) &&
              offsetof(topsplit_const_tensor, type) == offsetof(const_tensor, type) &&
              offsetof(topsplit_const_tensor, shape) == offsetof(const_tensor, shape) &&
              offsetof(topsplit_const_tensor, rank) == offsetof(const_tensor, rank));
static_assert(sizeof(topsplit_topk_part) == sizeof(topk_part) && alignof(topsplit_topk_part) == alignof(topk_part) &&
              offsetof(topsplit_topk_part, values) == offsetof(topk_part, values) &&
              offsetof(topsplit_topk_part, indices) == offsetof(topk_part, indices) &&
              offsetof(topsplit_topk_part, index_offset) == offsetof(topk_part, index_offset));

}  // namespace

std::int32_t topsplit_merge_topk(const topsplit_topk_part* parts, std::size_t count, std::int64_t k, std::int64_t axis,
                                 const topsplit_tensor* values, const topsplit_tensor* indices,
                                 const topsplit_topk_options* options, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"parts", parts}, {"values", values}, {"indices", indices}}); !s.ok()) return s;
    topk_options o;
    if (auto s = read_options(options, axis, o); !s.ok()) return s;
    return topsplit::merge_topk(reinterpret_cast<const topk_part*>(parts), count, k, view(values), view(indices), o);
  });
}

std::int32_t topsplit_extend_topk(const topsplit_const_tensor* x, std::int64_t index_offset, std::int64_t held,
                                  std::int64_t axis, const topsplit_tensor* values, const topsplit_tensor* indices,
                                  const topsplit_topk_options* options, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("TopK", {{"x", x}, {"values", values}, {"indices", indices}}); !s.ok()) return s;
    topk_options o;
    if (auto s = read_options(options, axis, o); !s.ok()) return s;
    return topsplit::extend_topk(view(x), index_offset, held, view(values), view(indices), o);
  });
}
