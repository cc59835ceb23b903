// Medians of calls that are timed in turn, for programs that compare calls with each other: what disturbs the machine
// for a while then disturbs all of them.

#ifndef TOPSPLIT_BENCH_TIMING_H
#define TOPSPLIT_BENCH_TIMING_H

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace topsplit::bench {

// Does the work once; `round` counts up from 0, so that a call may take another input each time.
using timed_call = std::function<void(std::size_t round)>;

struct timing_effort {
  double seconds;           // for all calls together, at least
  std::size_t repeats;      // samples of each call, at least
  double rest_seconds = 0;  // asleep before each sample, which is then one call: workers and caches have gone cold
};

// Median wall time of one call in nanoseconds, for each. A sample of short calls is many of them in a row.
std::vector<double> median_ns(const std::vector<timed_call>& calls, const timing_effort& effort);

// A line that the next one overwrites, for who waits at a terminal; nothing elsewhere.
void tell_progress(const std::string& text);
bool is_terminal();  // whether somebody does

}  // namespace topsplit::bench

#endif
