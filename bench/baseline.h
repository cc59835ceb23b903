// What a user would write with the standard library: a partial sort of the indices of each slice. It takes 8 n bytes of
// heap for n elements. NaN is above all numbers and ties go to the lower index, so its bytes are those of topk.

#ifndef TOPSPLIT_BENCH_BASELINE_H
#define TOPSPLIT_BENCH_BASELINE_H

#include <cstddef>
#include <cstdint>

#include "topsplit/tensor.h"
#include "topsplit/topk.h"

namespace topsplit::bench {

struct baseline_problem {
  data_type type;
  topk_select select;
  topk_order order;
  std::size_t outer;
  std::size_t n;
  std::size_t inner;
  std::size_t k;
};

// Returns whether the baseline knows the type.
bool baseline_topk(const baseline_problem& problem, const void* x, void* values, std::int64_t* indices);

}  // namespace topsplit::bench

#endif
