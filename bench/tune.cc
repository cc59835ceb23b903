#include "bench/tune.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/split_shapes.h"
#include "bench/timing.h"
#include "bench/topk_shapes.h"
#include "topsplit/topsplit.h"

namespace topsplit::bench {
namespace {

constexpr std::size_t kibi = 1024, mebi = kibi * kibi;
constexpr std::size_t never = std::size_t{1} << 62;
constexpr double least_gain = 0.02;

// One shape: its tensors and a call on all threads or on one.
struct tried_shape {
  tensors data;
  way run;
};

// What a threshold may be, and the shapes that it decides about. `make` gives the i-th shape.
struct tried_size {
  const char* name;
  std::vector<std::size_t> values;
  std::size_t shapes;
  std::function<tried_shape(std::size_t i)> make;
  bool needs_threads;
};

execution on_threads(bool all) {
  execution run;
  run.threads = all ? threading::arena : threading::serial;
  return run;
}

tried_shape topk_shape(std::int64_t rows, std::int64_t n, std::int64_t k, bool all_threads) {
  static std::vector<std::unique_ptr<topk_workload>> kept;
  kept.push_back(std::make_unique<topk_workload>(
      topk_workload{"", "", {rows, n}, 2, 1, k, data_type::f32, distribution::uniform}));
  const topk_workload& w = *kept.back();
  topk_options options = options_of(w, isa::automatic);
  options.run = on_threads(all_threads);
  return {tensors_of(w), call_of(w, options)};
}

tried_shape split_shape(std::size_t bytes, bool all_threads) {
  static std::vector<std::unique_ptr<split_layout>> kept;
  const auto rows = static_cast<std::int64_t>(bytes / (4 * kibi));
  kept.push_back(std::make_unique<split_layout>(make_layout(data_type::f32, {rows, 1024}, 1, {512, 256, 256})));
  const split_layout& l = *kept.back();
  tried_shape shape = {{}, call_of(l, on_threads(all_threads))};
  shape.data.inputs.emplace_back(bytes);
  fill_bytes(1, bytes, shape.data.inputs[0].data());
  add_outputs(l, 0, shape.data);
  return shape;
}

std::vector<tried_size> tried_sizes(bool quick) {
  const std::size_t most = quick ? 4 : 64;  // MiB
  const auto many_rows = [](std::size_t i) { return topk_shape(std::int64_t{8} << i, 1024, 8, true); };
  const auto blocks = [](std::size_t i) { return split_shape(64 * kibi << i, true); };
  const auto large = [](std::size_t i) { return split_shape(mebi << (2 * i), false); };
  const auto lengths = [](std::size_t i) {
    constexpr std::int64_t ns[] = {300, 600, 1000, 1500, 2000};
    return topk_shape(64, ns[i % 5], i < 5 ? 4 : 32, false);
  };
  const auto large_k = [](std::size_t i) {
    constexpr std::int64_t parts[] = {6, 12, 24, 48};
    const std::int64_t n = i < 4 ? 4000 : 16000;
    return topk_shape(8, n, n / parts[i % 4], false);
  };
  return {
      {"topk_parallel_from_bytes", {64 * kibi, 128 * kibi, 256 * kibi, mebi, 2 * mebi}, 7, many_rows, true},
      {"topk_grain_bytes", {16 * kibi, 32 * kibi, 128 * kibi, 256 * kibi}, 7, many_rows, true},
      {"split_parallel_from_bytes", {128 * kibi, 256 * kibi, mebi, 2 * mebi, 4 * mebi}, 7, blocks, true},
      {"split_grain_bytes", {32 * kibi, 64 * kibi, 256 * kibi, mebi}, 7, blocks, true},
      {"split_stream_from_bytes",
       {2 * mebi, 8 * mebi, 32 * mebi, 128 * mebi, never},
       most == 4 ? 2U : 4U,
       large,
       false},
      {"topk_rows_longest", {128, 256, 1024, 2048}, 10, lengths, false},
      {"topk_rows_longer_per_k", {8, 16, 64, 128}, 10, lengths, false},
      {"topk_reservoir_elements_per_k", {4, 16, 32, 64}, 8, large_k, false},
  };
}

std::size_t own_value(const std::string& name) {
  for (std::size_t i = 0; i < threshold_count(); ++i) {
    if (name == threshold_at(i).name) return threshold_at(i).own;
  }
  throw std::logic_error("tune: no threshold " + name);
}

// A file without a place: the library loads profiles by path alone.
void load_text(const std::string& text) {
  const int file = memfd_create("topsplit-profile", MFD_CLOEXEC);
  const bool is_written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const status loaded = load_profile(("/proc/self/fd/" + std::to_string(file)).c_str());
  if (file >= 0) close(file);
  if (!is_written || !loaded.ok()) throw std::runtime_error(std::string("tune: ") + loaded.text());
}

double time_of(const tried_shape& shape, double seconds) {
  const std::vector<buffer>& inputs = shape.data.inputs;
  const timed_call call = [&](std::size_t round) { (void)shape.run(inputs[round % inputs.size()].data(), shape.data); };
  return median_ns({call}, {seconds, 3})[0];
}

// Geometric mean of the times over those of the plan's own, for each value; the first two are the plan's own.
std::vector<double> compare_values(const std::vector<std::string>& profiles, const tried_size& size, bool quick) {
  std::vector<double> logarithms(profiles.size());
  for (std::size_t i = 0; i < size.shapes; ++i) {
    const tried_shape shape = size.make(i);
    std::vector<double> best(profiles.size(), INFINITY);
    for (int round = 0; round < (quick ? 1 : 7); ++round) {
      for (std::size_t p = 0; p < profiles.size(); ++p) {
        load_text(profiles[p]);
        best[p] = std::min(best[p], time_of(shape, quick ? 0 : 0.004));
      }
    }
    for (std::size_t p = 0; p < profiles.size(); ++p) logarithms[p] += std::log(best[p] / best[0]);
  }
  for (double& value : logarithms) value = std::exp(value / static_cast<double>(size.shapes));
  return logarithms;
}

tuned_size try_size(const std::string& processor, const std::vector<tuned_size>& before, const tried_size& size,
                    bool quick) {
  const auto profile_with = [&](std::size_t value) {
    std::vector<tuned_size> sizes = before;
    sizes.push_back({size.name, 0, value});
    return profile_of(processor, sizes);
  };
  std::vector<std::string> profiles = {profile_with(0), profile_with(0)};
  for (const std::size_t value : size.values) profiles.push_back(profile_with(value));
  const std::vector<double> times = compare_values(profiles, size, quick);
  const auto best = std::min_element(times.begin() + 2, times.end());
  tuned_size result = {size.name, own_value(size.name), 0, 0, std::fabs(times[1] - 1)};
  if (1 - *best > std::max(least_gain, 2 * result.noise)) {
    result.gain = 1 - *best;
    result.value = size.values[static_cast<std::size_t>(best - times.begin()) - 2];
  }
  return result;
}

}  // namespace

std::string profile_of(const std::string& processor, const std::vector<tuned_size>& sizes) {
  std::string text = "# A profile of topsplit tune; topsplit/profile.h says how it is used.\nformat = 1\n";
  text += std::string("version = ") + version() + "\ncpu = " + processor + "\n";
  for (const tuned_size& size : sizes) {
    if (size.value == 0) continue;
    text += size.name + " = " + std::to_string(size.value) + "  # the plan's own: " + std::to_string(size.own) + "\n";
  }
  return text;
}

std::vector<tuned_size> tune(const std::string& processor, int usable_threads, bool quick) {
  std::vector<tuned_size> done;
  const std::vector<tried_size> all = tried_sizes(quick);
  for (const tried_size& size : all) {
    tell_progress("[" + std::string(done.size(), '#') + std::string(all.size() - done.size(), '.') + "] " + size.name);
    const bool decides = usable_threads > 1 || !size.needs_threads;
    done.push_back(decides ? try_size(processor, done, size, quick) : tuned_size{size.name, own_value(size.name)});
  }
  tell_progress("");
  return status(load_profile(nullptr)).ok() ? done : std::vector<tuned_size>();
}

}  // namespace topsplit::bench
