// FAISS: its heap of the k best, as its result handlers use it, slices shared among threads. The heap evicts the lower id
// first among equal values when it keeps the largest, so ids are given negated there, and the lower index wins as ONNX
// asks. The last axis only.

#include <faiss/utils/Heap.h>

#include <algorithm>
#include <type_traits>

#include "bench/peers.h"

namespace topsplit::bench {
namespace {

// The id -1 is taken by "no result", hence -2 - j.
template <class Order>
void one_slice(const baseline_problem& p, const void* x, std::size_t slice, void* values, std::int64_t* indices) {
  using T = typename Order::T;
  constexpr bool largest = !Order::is_max;
  const T* row = static_cast<const T*>(x) + slice * p.n;
  T* best = static_cast<T*>(values) + slice * p.k;
  std::int64_t* ids = indices + slice * p.k;
  const auto id = [](std::size_t j) {
    return largest ? -2 - static_cast<std::int64_t>(j) : static_cast<std::int64_t>(j);
  };
  for (std::size_t j = 0; j < p.k; ++j) faiss::heap_push<Order>(j + 1, best, ids, row[j], id(j));
  for (std::size_t j = p.k; j < p.n; ++j) {
    if (Order::cmp(best[0], row[j])) faiss::heap_replace_top<Order>(p.k, best, ids, row[j], id(j));
  }
  if (p.order == topk_order::by_value) faiss::heap_reorder<Order>(p.k, best, ids);
  for (std::size_t j = 0; largest && j < p.k; ++j) ids[j] = -2 - ids[j];
}

using slice_function = void (*)(const baseline_problem&, const void*, std::size_t, void*, std::int64_t*);

template <class T>
slice_function function_for(topk_select select) {
  return select == topk_select::largest ? one_slice<faiss::CMin<T, std::int64_t>>
                                        : one_slice<faiss::CMax<T, std::int64_t>>;
}

slice_function function_for(const baseline_problem& p) {
  switch (p.type) {
    case data_type::f32:
      return function_for<float>(p.select);
    case data_type::f64:
      return function_for<double>(p.select);
    case data_type::i16:
      return function_for<std::int16_t>(p.select);
    case data_type::i32:
      return function_for<std::int32_t>(p.select);
    case data_type::i64:
      return function_for<std::int64_t>(p.select);
    case data_type::u8:
      return function_for<std::uint8_t>(p.select);
    default:
      return nullptr;
  }
}

class faiss_peer : public peer {
 public:
  std::string version() const override { return "heap"; }

  way topk_way(const baseline_problem& p, int threads) override {
    const slice_function slice = function_for(p);
    if (slice == nullptr || p.inner != 1 || p.k == 0) return {};
    const auto pool = std::make_shared<thread_pool>(threads, false);
    return [p, slice, pool](const std::byte* input, const tensors& t) {
      void* values = t.outputs[0].data();
      auto* indices = reinterpret_cast<std::int64_t*>(t.outputs[1].data());
      const auto shares = static_cast<std::size_t>(pool->width());
      const auto work = [&](std::int32_t share) {
        const auto i = static_cast<std::size_t>(share);
        for (std::size_t s = p.outer * i / shares; s < p.outer * (i + 1) / shares; ++s) {
          slice(p, input, s, values, indices);
        }
      };
      shares == 1 ? work(0) : pool->run(pool->width(), work);
      return status();
    };
  }

  way split_way(const split_layout&, int) override { return {}; }
};

}  // namespace

std::unique_ptr<peer> open_faiss_peer() { return std::make_unique<faiss_peer>(); }

}  // namespace topsplit::bench
