// A TopK workload as the library, its kernels, the baseline and the limit take it.

#ifndef TOPSPLIT_BENCH_TOPK_SHAPES_H
#define TOPSPLIT_BENCH_TOPK_SHAPES_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/baseline.h"
#include "bench/data/workloads.h"
#include "bench/harness.h"
#include "bench/streaming.h"

namespace topsplit::bench {

inline baseline_problem problem_of(const topk_workload& w) {
  baseline_problem p = {w.type, w.select, w.order, 1, 1, 1, static_cast<std::size_t>(w.k)};
  for (std::size_t i = 0; i < w.rank; ++i) {
    const auto length = static_cast<std::size_t>(w.shape[i]);
    const auto axis = static_cast<std::size_t>(w.axis);
    (i < axis ? p.outer : i == axis ? p.n : p.inner) *= length;
  }
  return p;
}

// outputs[0] holds the values, outputs[1] the indices.
inline tensors tensors_of(const topk_workload& w) {
  const baseline_problem p = problem_of(w);
  const std::size_t element_bytes = data_type_bytes(w.type);
  const std::size_t results = p.outer * p.k * p.inner;
  tensors t;
  t.elements = p.outer * p.n * p.inner;
  t.inputs = rotating_inputs(t.elements * element_bytes, [&](std::uint64_t seed, void* data) {
    fill(w.values, w.type, p.outer, p.n, p.inner, seed, data);
  });
  t.outputs.emplace_back(results * element_bytes);
  t.outputs.emplace_back(results * sizeof(std::int64_t));
  return t;
}

inline std::int64_t* indices_of(const tensors& t) { return reinterpret_cast<std::int64_t*>(t.outputs[1].data()); }

inline way baseline_of(const topk_workload& w) {
  return [p = problem_of(w)](const std::byte* input, const tensors& t) {
    const bool known = baseline_topk(p, input, t.outputs[0].data(), indices_of(t));
    return known ? status() : status(status_code::unsupported_type);
  };
}

// The options of a call of this workload on this ISA.
inline topk_options options_of(const topk_workload& w, isa id) {
  topk_options options;
  options.axis = w.axis;
  options.select = w.select;
  options.order = w.order;
  options.run = execution_on(id);
  return options;
}

// The public call.
inline way call_of(const topk_workload& w, const topk_options& options) {
  std::array<std::int64_t, 5> shape;
  std::copy_n(w.shape, w.rank, shape.begin());
  shape[static_cast<std::size_t>(w.axis)] = w.k;
  return [&w, shape, options](const std::byte* input, const tensors& t) {
    return topk({input, w.type, w.shape, w.rank}, w.k, {t.outputs[0].data(), w.type, shape.data(), w.rank},
                {indices_of(t), data_type::i64, shape.data(), w.rank}, options);
  };
}

// std, the limit (one read of the input), the public call on the ISA that the library picks and on each ISA.
inline std::vector<named_way> public_ways(const topk_workload& w) {
  const way read = [](const std::byte* input, const tensors& t) {
    keep(read_all(input, t.inputs[0].size()));
    return status();
  };
  std::vector<named_way> ways = {
      {"std", baseline_of(w)}, {"read", read, false}, {"public", call_of(w, options_of(w, isa::automatic))}};
  for (const isa_info& info : measured_isas()) ways.push_back({info.name, call_of(w, options_of(w, info.id))});
  return ways;
}

}  // namespace topsplit::bench

#endif
