// The ways a test runs a call: every ISA that this machine has, serially and as tasks.

#ifndef TOPSPLIT_TESTS_RUNS_H
#define TOPSPLIT_TESTS_RUNS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "topsplit/execution.h"
#include "topsplit/isa.h"

inline std::vector<topsplit::isa> built_isas() {
  std::vector<topsplit::isa> result;
  for (std::size_t i = 0; i < topsplit::isa_count(); ++i) {
    result.push_back(topsplit::isa_at(i).id);
  }
  return result;
}

inline bool is_available(topsplit::isa isa) {
  for (std::size_t i = 0; i < topsplit::isa_count(); ++i) {
    if (topsplit::isa_at(i).id == isa) {
      return topsplit::isa_at(i).available;
    }
  }
  return false;
}

inline std::vector<topsplit::isa> available_isas() {
  std::vector<topsplit::isa> result = built_isas();
  result.erase(std::remove_if(result.begin(), result.end(), [](auto isa) { return !is_available(isa); }), result.end());
  return result;
}

inline topsplit::execution serial(topsplit::isa isa) {
  topsplit::execution run;
  run.threads = topsplit::threading::serial;
  run.isa = isa;
  return run;
}

// At most `tasks` of them, with the grain forced down so that even a small call is cut up.
inline topsplit::execution forced_parallel(topsplit::isa isa, std::int32_t tasks) {
  topsplit::execution run;
  run.max_tasks = tasks;
  run.isa = isa;
  run.grain_bytes = 1;
  run.parallel_from_bytes = 1;
  return run;
}

// The caller's own parallel-for: `tasks` tasks, each on a thread of its own however few CPUs there are.
inline topsplit::execution on_threads(topsplit::isa isa, std::int32_t tasks) {
  topsplit::execution run = forced_parallel(isa, tasks);
  run.threads = topsplit::threading::callback;
  run.parallel_for_width = tasks;
  run.parallel_for = [](void*, std::int32_t count, void (*task)(void*, std::int32_t), void* context) {
    std::vector<std::thread> threads;
    for (std::int32_t i = 1; i < count; ++i) {
      threads.emplace_back(task, context, i);
    }
    task(context, 0);
    for (std::thread& thread : threads) {
      thread.join();
    }
  };
  return run;
}

// Likewise, one after the other on the calling thread.
inline topsplit::execution on_caller(topsplit::isa isa, std::int32_t tasks) {
  topsplit::execution run = on_threads(isa, tasks);
  run.parallel_for = [](void*, std::int32_t count, void (*task)(void*, std::int32_t), void* context) {
    for (std::int32_t i = 0; i < count; ++i) {
      task(context, i);
    }
  };
  return run;
}

inline std::string describe(const topsplit::execution& run) {
  const std::string isa = topsplit::isa_name(run.isa);
  const std::string tasks =
      std::to_string(run.max_tasks) + (run.threads == topsplit::threading::arena ? " tasks" : " threads");
  return isa + ", " + (run.threads == topsplit::threading::serial ? "serial" : tasks);
}

#endif
