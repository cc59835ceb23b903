// A sweep: a grid of shapes and ways, measured by Google Benchmark shape by shape, each shape's ways in random turns, and
// kept after each shape. What is kept is Google Benchmark's own JSON ("context", "benchmarks") with two members more:
// "points" says what each run_name stands for, "topsplit" how it was measured.
//
// Errors of the request are std::invalid_argument, of peers std::runtime_error, both with one line for the user.

#ifndef TOPSPLIT_BENCH_SWEEP_H
#define TOPSPLIT_BENCH_SWEEP_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/sweep_grid.h"

namespace topsplit::bench {

struct sweep_request {
  std::vector<std::string> sets;
  sweep_axes
      axes;  // --op, shape_options, --isa, --threads, --pool, --limits, --cache, --cache-bytes, --min-time, --repetitions
  std::vector<std::string> against;
  std::string filter;                                        // an expression that a point's name must hold
  std::vector<std::pair<std::string, std::string>> machine;  // what the result says of where it was measured
  std::size_t memory = 0;                                    // bytes that tensors may take
  int usable_threads = 1;
};

struct sweep_outcome {
  std::size_t measured = 0;
  std::size_t failed = 0;   // points whose call failed, or of ours whose bytes were wrong
  std::size_t unknown = 0;  // points that a peer has no call for
  bool stopped = false;
};

class sweep {
 public:
  explicit sweep(const sweep_request& request);
  ~sweep();

  // Goes on with an earlier result: its points are not measured again. An error where it was measured otherwise, or is no
  // result.
  void resume(const std::string& json);

  // The names of the points that are still to be measured, one a line.
  std::string list() const;

  // Measures; save gets the whole result before the first shape and after each.
  sweep_outcome run(const std::function<void(const std::string& json)>& save);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace topsplit::bench

#endif
