// Google Benchmark calls a case several times with more and more iterations; what is done once for a case (first call,
// check of the bytes, peak memory) and once for a workload (its data) is therefore kept between those calls.

#include "bench/harness.h"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <regex>
#include <utility>

#include "topsplit/topsplit.h"

namespace topsplit::bench {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

struct options {
  std::string isa_name;
  isa only_isa = isa::automatic;
  std::int32_t threads = 1;
};
options chosen;
measuring method;
bool failed = false;
volatile std::sig_atomic_t stopped = 0;

std::size_t last_level_cache_bytes() {
  if (method.cache_bytes > 0) return method.cache_bytes;
  for (const int name : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    const long bytes = sysconf(name);
    if (bytes > 0) return static_cast<std::size_t>(bytes);
  }
  return 32 * mebibyte;
}

// Small inputs: enough of them that the branch predictor cannot learn one by heart, few enough to stay in the cache.
// Large ones: more than the last-level cache holds, so that every call reads memory; within reason.
std::size_t rotation_count(std::size_t bytes) {
  if (method.cache != cache_state::rotating) return 1;
  if (bytes < 16 * mebibyte) return std::clamp<std::size_t>(8 * mebibyte / bytes, 2, 61);
  const std::size_t wanted = last_level_cache_bytes() / bytes + 2;
  return std::clamp<std::size_t>(wanted, 2, std::max<std::size_t>(2, 1024 * mebibyte / bytes));
}

struct workload {
  std::string id;
  std::function<tensors()> make_tensors;
  way baseline;
};

struct bench_case {
  std::shared_ptr<const workload> of;
  named_way what;
  bool prepared = false;
  double first_us = 0;
  double extra_peak = -1;  // -1: not known
};

// The data of the workload at work.
struct held_data {
  std::shared_ptr<const workload> of;
  std::vector<tensors> sets;     // one, or with cache_state::memory as many as do not fit into the cache
  std::vector<buffer> expected;  // the baseline's outputs for the first input of the first set
};

std::size_t bytes_of(const tensors& t) {
  std::size_t bytes = 0;
  for (const std::vector<buffer>* buffers : {&t.inputs, &t.outputs}) {
    for (const buffer& b : *buffers) bytes += b.size();
  }
  return bytes;
}

// The sets that are made already: to fill a gigabyte with random numbers takes long, so after some of them the others get
// copies.
const std::vector<tensors>* sets_so_far = nullptr;
constexpr std::size_t sets_to_fill = 4;

std::vector<tensors> make_sets(const workload& of) {
  std::vector<tensors> sets;
  sets_so_far = &sets;
  sets.push_back(of.make_tensors());
  const std::size_t total = std::min(2 * last_level_cache_bytes(), 1024 * mebibyte);
  const std::size_t wanted = std::clamp<std::size_t>(total / std::max<std::size_t>(1, bytes_of(sets[0])), 2, 100'000);
  while (method.cache == cache_state::memory && sets.size() < wanted) sets.push_back(of.make_tensors());
  sets_so_far = nullptr;
  return sets;
}

const held_data& hold(const std::shared_ptr<const workload>& wanted) {
  static held_data held;
  if (held.of == wanted) return held;
  held = {};
  held.sets = make_sets(*wanted);
  held.of = wanted;
  const tensors& first = held.sets[0];
  if (!wanted->baseline(first.inputs[0].data(), first).ok()) std::abort();
  for (const buffer& output : first.outputs) {
    held.expected.emplace_back(output.size());
    std::memcpy(held.expected.back().data(), output.data(), output.size());
  }
  return held;
}

// VmHWM of /proc/self/status, the process's peak so far, in bytes; without a heap of its own.
double peak_bytes() {
  char text[4096] = "";
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  const char* line = length > 0 ? std::strstr(text, "VmHWM:") : nullptr;
  return line == nullptr ? -1 : std::strtod(line + std::strlen("VmHWM:"), nullptr) * 1024;
}

// How much the call raises the peak above what is resident now, which writing 5 to clear_refs makes the peak again.
double peak_raised_by(const std::function<void()>& call) {
  malloc_trim(0);
  const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  const bool reset = file >= 0 && write(file, "5", 1) == 1;
  if (file >= 0) close(file);
  const double before = peak_bytes();
  call();
  const double after = peak_bytes();
  return reset && before >= 0 && after >= 0 ? after - before : -1;
}

// In a child, so that neither earlier cases nor later ones are seen.
double extra_peak_bytes(const std::function<void()>& call) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    (void)peak_raised_by(call);  // brings in the pages of code and stack
    const double bytes = peak_raised_by(call);
    _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
  }
  close(ends[1]);
  double bytes = -1;
  if (child < 0 || read(ends[0], &bytes, sizeof bytes) != sizeof bytes) bytes = -1;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return bytes;
}

// An error's text where the outputs are not the baseline's.
std::string check_outputs(const named_way& what, const held_data& held) {
  const std::vector<buffer>& outputs = held.sets[0].outputs;
  if (what.judge) {
    what.judge(held.expected, outputs);
    return {};
  }
  for (std::size_t i = 0; what.same_outputs && i < held.expected.size(); ++i) {
    if (std::memcmp(outputs[i].data(), held.expected[i].data(), outputs[i].size()) != 0) {
      return "output " + std::to_string(i) + " is not the baseline's";
    }
  }
  return {};
}

// What is done once for a case. Returns an error's text.
std::string prepare(bench_case& c, const held_data& held) {
  const tensors& data = held.sets[0];
  const std::byte* input = data.inputs[0].data();
  for (const buffer& output : data.outputs) std::memset(output.data(), 0xa5, output.size());
  const auto begin = std::chrono::steady_clock::now();
  const status answer = c.what.run(input, data);
  c.first_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  if (!answer.ok()) return answer.text();
  const std::string difference = check_outputs(c.what, held);
  if (!difference.empty()) return difference;
  if (method.extra_peak) c.extra_peak = extra_peak_bytes([&] { (void)c.what.run(input, data); });
  // After a fork each page that is written next is first taken back from the child, which is no part of a call.
  (void)c.what.run(input, data);
  c.prepared = true;
  return {};
}

// Fills the caches with other data than a call's, of so many bytes.
std::size_t evict() {
  static const buffer other(std::min(last_level_cache_bytes() + 8 * mebibyte, 512 * mebibyte));
  for (std::size_t i = 0; i < other.size(); i += 64) ++*reinterpret_cast<unsigned char*>(other.data() + i);
  benchmark::ClobberMemory();
  return other.size();
}

// Google Benchmark's clock, which is read before the first call and after the last.
void measure_in_turn(benchmark::State& state, const way& run, const std::vector<tensors>& sets) {
  std::size_t set = 0, input = 0;
  for (auto _ : state) {
    const tensors& data = sets[set];
    const status answer = run(data.inputs[input].data(), data);
    benchmark::DoNotOptimize(answer.ok());
    benchmark::ClobberMemory();
    if (++input == data.inputs.size()) {
      input = 0;
      set = set + 1 == sets.size() ? 0 : set + 1;
    }
    if (stopped != 0) {
      state.SkipWithError("stopped");
      break;
    }
  }
}

// Its own clock around each call, since between two of them something else is done.
void measure_cold(benchmark::State& state, const way& run, const tensors& data) {
  std::size_t evicted = 0;
  for (auto _ : state) {
    evicted += evict();
    const auto begin = std::chrono::steady_clock::now();
    const status answer = run(data.inputs[0].data(), data);
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    benchmark::DoNotOptimize(answer.ok());
    if (stopped != 0) {
      state.SkipWithError("stopped");
      break;
    }
  }
  state.counters["evicted"] = {static_cast<double>(evicted), benchmark::Counter::kAvgIterations};
}

void run_case(benchmark::State& state, bench_case& c) {
  if (stopped != 0) return state.SkipWithError("stopped");
  const held_data& held = hold(c.of);
  if (!c.prepared) {
    const std::string error = prepare(c, held);
    if (!error.empty()) {
      failed = true;
      state.SkipWithError(error.c_str());
      return;
    }
  }
  const tensors& data = held.sets[0];
  if (method.cache == cache_state::cold) {
    measure_cold(state, c.what.run, data);
  } else {
    measure_in_turn(state, c.what.run, held.sets);
  }
  const std::size_t input_bytes = data.inputs[0].size();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(data.elements));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(input_bytes));
  state.counters["first_us"] = c.first_us;
  if (c.extra_peak >= 0) state.counters["extra_peak"] = c.extra_peak;
  state.counters["input"] = static_cast<double>(input_bytes);
  state.counters["rotation"] = static_cast<double>(input_bytes * data.inputs.size() * held.sets.size());
  state.counters["llc"] = static_cast<double>(last_level_cache_bytes());
}

// Fills `chosen`; an error's text, or an empty one.
std::string check_options() {
  if (chosen.threads < 0) return "--threads is negative";
  const status answer = isa_from_name(chosen.isa_name.c_str(), chosen.only_isa);
  if (!answer.ok()) return answer.text();
  if (measured_isas().empty()) return "--isa " + chosen.isa_name + " is not available here";
  return {};
}

}  // namespace

buffer::buffer(std::size_t bytes, std::size_t offset)
    : bytes_(bytes),
      offset_(offset),
      data_(static_cast<std::byte*>(std::aligned_alloc(64, (bytes + offset + 63) / 64 * 64 + 64))) {
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data(), 0, bytes);
}

void set_measuring(const measuring& how) { method = how; }

void stop_measuring() noexcept { stopped = 1; }
bool is_stopped() noexcept { return stopped != 0; }

std::vector<buffer> rotating_inputs(std::size_t bytes, const std::function<void(std::uint64_t, void*)>& fill_input,
                                    std::size_t offset) {
  std::vector<buffer> inputs;
  const std::size_t set = sets_so_far == nullptr ? 0 : sets_so_far->size();
  const std::size_t count = rotation_count(bytes);
  for (std::size_t i = 0; i < count; ++i) {
    inputs.emplace_back(bytes, offset);
    if (set < sets_to_fill) {
      fill_input(set + i + 1, inputs.back().data());
    } else {
      std::memcpy(inputs.back().data(), (*sets_so_far)[set % sets_to_fill].inputs[i].data(), bytes);
    }
  }
  return inputs;
}

void register_workload(const std::string& id, std::function<tensors()> make_tensors, way baseline,
                       std::vector<named_way> ways) {
  const auto of = std::make_shared<const workload>(workload{id, std::move(make_tensors), std::move(baseline)});
  for (named_way& named : ways) {
    const std::string name = id + "/" + named.name;
    auto c = std::make_shared<bench_case>();
    c->of = of;
    c->what = std::move(named);
    auto* registered =
        benchmark::RegisterBenchmark(name.c_str(), [c](benchmark::State& state) { run_case(state, *c); });
    registered->MeasureProcessCPUTime();
    method.cache == cache_state::cold ? registered->UseManualTime() : registered->UseRealTime();
    if (method.min_time > 0) registered->MinTime(method.min_time);
    if (method.repetitions > 0) registered->Repetitions(method.repetitions);
  }
}

bool filter_is_given() {
  const std::string text = benchmark::GetBenchmarkFilter();
  return !text.empty() && text != "all" && text[0] != '-';
}

std::vector<named_way> wanted_of(const std::string& workload, std::vector<named_way> ways) {
  if (!filter_is_given()) return ways;
  static const std::regex filter(benchmark::GetBenchmarkFilter(), std::regex::extended);
  const auto is_unwanted = [&](const named_way& named) {
    return !std::regex_search(workload + "/" + named.name + "/process_time/real_time", filter);
  };
  ways.erase(std::remove_if(ways.begin(), ways.end(), is_unwanted), ways.end());
  return ways;
}

execution execution_on(isa id) {
  execution run;
  run.isa = id;
  run.threads = chosen.threads == 1 ? threading::serial : threading::arena;
  run.max_tasks = chosen.threads;
  return run;
}

std::vector<isa_info> measured_isas() {
  std::vector<isa_info> isas;
  for (std::size_t i = 0; i < isa_count(); ++i) {
    const isa_info info = isa_at(i);
    if (info.available && (chosen.only_isa == isa::automatic || chosen.only_isa == info.id)) isas.push_back(info);
  }
  return isas;
}

int run_benchmarks(int argc, char** argv, const std::function<void()>& register_all) {
  CLI::App app("Measures topsplit; takes every --benchmark_... option of Google Benchmark too.");
  app.allow_extras();
  app.add_option("--isa", chosen.isa_name, "Only this ISA, and the baselines");
  app.add_option("--threads", chosen.threads, "Tasks at once; 1 (the default) is serial, 0 as many as there are");
  app.add_option("--min-time", method.min_time, "Seconds to measure each case for");
  CLI11_PARSE(app, argc, argv);
  const std::string error = check_options();
  if (!error.empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.c_str());
    return 2;
  }
  std::vector<std::string> rest = app.remaining();
  std::vector<char*> arguments = {argv[0]};
  for (std::string& argument : rest) arguments.push_back(argument.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::AddCustomContext("topsplit_version", version());
  benchmark::AddCustomContext("topsplit_threads", std::to_string(chosen.threads));
  register_all();
  const std::size_t matched = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return failed || matched == 0 ? 1 : 0;
}

}  // namespace topsplit::bench
