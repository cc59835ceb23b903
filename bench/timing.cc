#include "bench/timing.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace topsplit::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr double sample_ns = 20'000;  // some hundred times what reading the clock costs

double ns_between(clock::time_point begin, clock::time_point end) {
  return std::chrono::duration<double, std::nano>(end - begin).count();
}

struct sampler {
  const timed_call& call;
  std::size_t batch = 1;
  std::size_t round = 0;
  std::vector<double> samples;

  double sample() {
    const auto begin = clock::now();
    for (std::size_t i = 0; i < batch; ++i) call(round++);
    return ns_between(begin, clock::now()) / static_cast<double>(batch);
  }

  // The first sample of short calls pays for what the call before it, another one, left in the caches.
  double settled_sample() {
    if (batch > 1) sample();
    return sample();
  }

  // The first calls, which are not counted, tell how many make a sample.
  void warm_up() {
    sample();
    while (batch < 1'000'000 && sample() * static_cast<double>(batch) < sample_ns) batch *= 2;
  }

  double median() {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
  }
};

}  // namespace

std::vector<double> median_ns(const std::vector<timed_call>& calls, const timing_effort& effort) {
  std::vector<sampler> samplers;
  for (const timed_call& call : calls) samplers.push_back({call, 1, 0, {}});
  for (sampler& s : samplers) effort.rest_seconds > 0 ? void(s.sample()) : s.warm_up();
  const auto begin = clock::now();
  for (std::size_t i = 0; i < effort.repeats || ns_between(begin, clock::now()) < effort.seconds * 1e9; ++i) {
    for (sampler& s : samplers) {
      if (effort.rest_seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(effort.rest_seconds));
      s.samples.push_back(s.settled_sample());
    }
  }
  std::vector<double> medians;
  for (sampler& s : samplers) medians.push_back(s.median());
  return medians;
}

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

void tell_progress(const std::string& text) {
  if (is_terminal()) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

}  // namespace topsplit::bench
