// The two sides of a row that asks for speed, made from its JSON: a call of the library, or what it is measured against.

#ifndef TOPSPLIT_BENCH_PERF_SIDES_H
#define TOPSPLIT_BENCH_PERF_SIDES_H

#include <memory>
#include <string>

#include "bench/timing.h"
#include "tests/cases_numbers.h"

namespace topsplit::bench {

using cases::json;

// A call with what it works on.
struct side {
  std::shared_ptr<void> data;
  timed_call call;
};

// The row's own fields overlaid by those of `run`.
json run_fields(const json& row);

// What the row needs and this machine lacks (cores, an instruction set); empty where it can run.
std::string missing_for(const json& row);

// All throw std::runtime_error, or a json::exception, where the row asks for what they do not know.
side run_side(const json& row);
side side_with_k(const json& row, const json& k);
side baseline_side(const json& row);

}  // namespace topsplit::bench

#endif
