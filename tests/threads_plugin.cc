// A shared object that uses topsplit, for threads_unload_test to load and unload.

#include <cstdint>
#include <vector>

#include "topsplit/topsplit.h"

// Runs a TopK that is shared among the arena's threads and returns 0 when it is right.
extern "C" __attribute__((visibility("default"))) int topsplit_plugin_run(int max_tasks) {
  constexpr std::int64_t rows = 64, n = 1000, k = 3;
  std::vector<float> x(rows * n);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % n * 7 % n);  // row: each of 0 .. 999 once
  std::vector<float> values(rows * k);
  std::vector<std::int64_t> indices(rows * k);
  topsplit::topk_options options;
  options.run.max_tasks = max_tasks;
  options.run.grain_bytes = options.run.parallel_from_bytes = 1;
  const topsplit::status s = topsplit::topk_rows(x.data(), rows, n, k, values.data(), indices.data(), options);
  if (!s.ok()) return 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto index = static_cast<std::size_t>(indices[i]);
    if (values[i] != static_cast<float>(999 - i % k) || x[i / k * n + index] != values[i]) return 2;
  }
  return 0;
}
