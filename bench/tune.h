// Finds the thresholds that suit this machine: each is tried at several values, by loading a profile that has it, on shapes
// that it decides about; the best one stays where it gains more than the noise.

#ifndef TOPSPLIT_BENCH_TUNE_H
#define TOPSPLIT_BENCH_TUNE_H

#include <cstddef>
#include <string>
#include <vector>

namespace topsplit::bench {

struct tuned_size {
  std::string name;       // as a profile has it
  std::size_t own = 0;    // the plan's own
  std::size_t value = 0;  // 0: the plan's own was not beaten
  double gain = 0;        // part of the time that it saves, as a geometric mean over the shapes
  double noise = 0;       // what two measurements of the plan's own differ by
};

// Shows a progress bar on a terminal. No profile is in force afterwards. quick: a look in seconds.
std::vector<tuned_size> tune(const std::string& processor, int usable_threads, bool quick);

// The file's text.
std::string profile_of(const std::string& processor, const std::vector<tuned_size>& sizes);

}  // namespace topsplit::bench

#endif
