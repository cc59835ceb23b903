// Prints, for this machine, the tables that the constants of src/topk_plan.cc and src/topk_thresholds.h come from:
//   algorithm   each kernel that is valid for a shape, timed straight from the table; the fastest, the plan's, and what
//               the plan loses where that is another
//   work        a slice's time in bytes of a streaming read, which is how the plan measures work
//   parallel    one task against more, by size, with workers that are awake and that are asleep (parallel_from)
//   grain       the same tasks with more or less work each (grain)
// A kernel whose bytes are not those of std::partial_sort ends the program.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/timing.h"
#include "bench/topk_kernels.h"
#include "src/dispatch.h"
#include "src/parallel.h"

namespace topsplit::bench {
namespace {

struct options {
  std::string isa_name;
  std::string values = "uniform";
  std::vector<std::string> tables = {"algorithm", "work", "parallel", "grain"};
  std::int32_t threads = 0;
  bool by_index = false;
  bool quick = false;
  isa id = isa::automatic;
  distribution distribution_of_values = distribution::uniform;
};
options chosen;

// --quick is for a look, and for the test.
timing_effort effort() { return chosen.quick ? timing_effort{0.001, 3} : timing_effort{0.02, 7}; }

std::vector<timed_call> on_inputs(const std::vector<way>& ways, const tensors& t) {
  std::vector<timed_call> calls;
  for (const way& w : ways) {
    calls.push_back([&w, &t](std::size_t round) {
      if (!w(t.inputs[round % t.inputs.size()].data(), t).ok()) std::abort();
    });
  }
  return calls;
}

// Whether the way leaves the bytes that the baseline leaves.
bool is_right(const topk_workload& w, const way& run, const tensors& t) {
  const auto bytes_after = [&t](const way& any) {
    if (!any(t.inputs[0].data(), t).ok()) std::abort();
    std::string bytes;
    for (const buffer& output : t.outputs) bytes.append(reinterpret_cast<const char*>(output.data()), output.size());
    return bytes;
  };
  return bytes_after(baseline_of(w)) == bytes_after(run);
}

// What the plan lost, over all shapes of the algorithm tables.
struct losses {
  std::size_t shapes = 0, lost = 0;
  double log_sum = 0, worst = 1;
  std::string worst_shape;

  void add(double ratio, const std::string& shape) {
    ++shapes;
    log_sum += std::log(ratio);
    if (ratio > 1.05) ++lost;
    if (ratio > worst) {
      worst = ratio;
      worst_shape = shape;
    }
  }
};

std::string shape_name(const topk_workload& w) {
  return std::string(data_type_name(w.type)) + " [" + std::to_string(w.shape[0]) + "," + std::to_string(w.shape[1]) +
         "," + std::to_string(w.shape[2]) + "] k=" + std::to_string(w.k);
}

// Medians; but of calls that take more than three times as long as the fastest a single sample must do.
std::vector<double> medians_of_the_fast(const std::vector<timed_call>& calls) {
  std::vector<double> ns = median_ns(calls, {0, 1});
  const double limit = 3 * *std::min_element(ns.begin(), ns.end());
  std::vector<timed_call> fast;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (ns[i] <= limit) fast.push_back(calls[i]);
  }
  const std::vector<double> medians = median_ns(fast, effort());
  for (std::size_t i = 0, f = 0; i < calls.size(); ++i) {
    if (ns[i] <= limit) ns[i] = medians[f++];
  }
  return ns;
}

// One row. Returns whether all kernels were right.
bool print_algorithms(const topk_workload& w, const kernels::kernel_table& table, losses& lost) {
  tell_progress(shape_name(w));
  const tensors t = tensors_of(w);
  std::vector<std::size_t> valid;
  std::vector<way> ways;
  for (std::size_t i = 0; i < kernels::topk_algorithm_count; ++i) {
    if (!is_valid_for(static_cast<kernels::topk_algorithm>(i), checked_problem(w))) continue;
    valid.push_back(i);
    ways.push_back(kernel_of(w, table, i));
    if (is_right(w, ways.back(), t)) continue;
    std::fprintf(stderr, "%s: %s is wrong\n", shape_name(w).c_str(), kernels::topk_algorithm_names[i]);
    return false;
  }
  const std::vector<double> ns = medians_of_the_fast(on_inputs(ways, t));
  const std::size_t planned = planned_algorithm(w, chosen.id);
  const auto fastest = static_cast<std::size_t>(std::min_element(ns.begin(), ns.end()) - ns.begin());
  double planned_ns = 0;  // an algorithm that is not valid here would stand out
  tell_progress("");
  std::printf("%-34s", shape_name(w).c_str());
  for (std::size_t i = 0, v = 0; i < kernels::topk_algorithm_count; ++i) {
    if (v == valid.size() || valid[v] != i) {
      std::printf(" %12s", "-");
      continue;
    }
    if (i == planned) planned_ns = ns[v];
    std::printf(" %12.3f", ns[v++] / 1000);
  }
  const double loss = planned_ns / ns[fastest];
  lost.add(loss, shape_name(w));
  std::printf("  %-12s %-12s %5.0f%s\n", kernels::topk_algorithm_names[valid[fastest]],
              kernels::topk_algorithm_names[planned], 100 * (loss - 1), loss > 1.05 ? " <-" : "");
  return true;
}

topk_order order_of_results() { return chosen.by_index ? topk_order::by_index : topk_order::by_value; }

// Enough rows that a call is some 64 KiB, or one.
topk_workload workload_of(data_type type, std::int64_t n, std::int64_t inner, std::int64_t k) {
  const std::int64_t rows =
      std::max<std::int64_t>(1, 65536 / (n * inner * static_cast<std::int64_t>(data_type_bytes(type))));
  return {
      "", "", {rows, n, inner}, 3, 1, k, type, chosen.distribution_of_values, topk_select::largest, order_of_results()};
}

std::vector<std::int64_t> ks_of(std::int64_t n) {
  std::vector<std::int64_t> ks = {1, 4, 16, 64, 256, 1024, 4096, n / 8, n / 4, n / 2, n};
  if (chosen.quick) ks = {1, 16, n / 4, n};
  ks.erase(std::remove_if(ks.begin(), ks.end(), [n](std::int64_t k) { return k < 1 || k > n; }), ks.end());
  std::sort(ks.begin(), ks.end());
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  return ks;
}

struct grid {
  std::vector<data_type> types;
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> inner_sizes;
};

std::vector<grid> grids() {
  if (chosen.quick) return {{{data_type::f32}, {64, 4096}, {1}}, {{data_type::f32}, {64}, {3, 64}}};
  return {{{data_type::f32, data_type::f64, data_type::bf16, data_type::u8},
           {16, 64, 256, 1024, 4096, 16384, 65536, 1048576},
           {1}},
          {{data_type::f32, data_type::i8}, {8, 64, 1024}, {3, 16, 64, 1024}}};
}

const kernels::kernel_table& table_of(isa id) {
  for (std::size_t i = 0; i < isa_count(); ++i) {
    if (isa_at(i).id == id) return detail::built_table(i);
  }
  std::abort();
}

bool print_algorithm_tables() {
  losses lost;
  for (const grid& g : grids()) {
    std::printf("\nalgorithm, %s, %s, microseconds\n%-34s", isa_name(chosen.id), chosen.values.c_str(), "shape");
    for (const char* name : kernels::topk_algorithm_names) std::printf(" %12s", name);
    std::printf("  %-12s %-12s %5s\n", "fastest", "plan", "loss%");
    for (const data_type type : g.types) {
      for (const std::int64_t inner : g.inner_sizes) {
        for (const std::int64_t n : g.lengths) {
          for (const std::int64_t k : ks_of(n)) {
            if (!print_algorithms(workload_of(type, n, inner, k), table_of(chosen.id), lost)) return false;
          }
        }
      }
    }
  }
  std::printf("%zu shapes; the plan loses more than 5 %% on %zu, %.1f %% in the mean, at worst %.0f %%: %s\n",
              lost.shapes, lost.lost, 100 * (std::exp(lost.log_sum / static_cast<double>(lost.shapes)) - 1),
              100 * (lost.worst - 1), lost.worst_shape.c_str());
  return true;
}

// What one slice costs, turned into bytes by the speed of k = 1 on long slices of the type that lie in the cache.
void print_work_table(data_type type) {
  std::printf("\nwork, %s, KiB of streaming a slice\n%9s", data_type_name(type), "n");
  const std::vector<std::int64_t> ks = {1, 8, 64, 512, 4096};
  for (const std::int64_t k : ks) std::printf(" %6s%5lld", "k =", static_cast<long long>(k));
  std::printf(" %10s\n", "input, KiB");
  const auto ns_per_byte_of = [](const topk_workload& w) {
    tell_progress(shape_name(w));
    const tensors t = tensors_of(w);
    const std::vector<way> ways = {call_of(w, options_of(w, chosen.id))};
    return median_ns(on_inputs(ways, t), effort())[0] / static_cast<double>(t.inputs[0].size());
  };
  const double streaming = ns_per_byte_of(workload_of(type, 65536, 1, 1));
  for (const std::int64_t n : {64, 1024, 16384, 262144}) {
    const double slice_kib = static_cast<double>(n) * static_cast<double>(data_type_bytes(type)) / 1024;
    std::string line;
    for (const std::int64_t k : ks) {
      char cell[32] = "           -";
      if (k <= n) {
        const double relative = ns_per_byte_of(workload_of(type, n, 1, k)) / streaming;
        std::snprintf(cell, sizeof cell, " %11.1f", relative * slice_kib);
      }
      line += cell;
    }
    tell_progress("");
    std::printf("%9lld%s %10.1f\n", static_cast<long long>(n), line.c_str(), slice_kib);
  }
}

// The public call as so many tasks (0: as the plan has it), with so much work each (0: the plan's own).
way tasks_way(const topk_workload& w, std::int32_t tasks, std::size_t grain_bytes) {
  topk_options options = options_of(w, chosen.id);
  options.run.threads = tasks == 1 ? threading::serial : threading::arena;
  options.run.max_tasks = tasks == 0 ? chosen.threads : tasks;
  options.run.parallel_from_bytes = tasks == 0 ? 0 : 1;
  options.run.grain_bytes = grain_bytes;
  return call_of(w, options);
}

explanation planned(const topk_workload& w) {
  topk_options options = options_of(w, chosen.id);
  options.run.threads = threading::arena;
  options.run.max_tasks = chosen.threads;
  explanation plan;
  if (!explain_topk({nullptr, w.type, w.shape, w.rank}, w.k, options, plan).ok()) std::abort();
  return plan;
}

struct kind_of_row {
  const char* what;
  std::int64_t n, k;
};
constexpr kind_of_row kinds_of_row[] = {
    {"rows of 1024, k = 8", 1024, 8}, {"rows of 128, k = 8", 128, 8}, {"rows of 16384, k = 1024", 16384, 1024}};

std::vector<topk_workload> sized_workloads(const kind_of_row& kind, std::int64_t from, std::int64_t to,
                                           std::int64_t factor) {
  std::vector<topk_workload> all;
  for (std::int64_t bytes = from; bytes <= to; bytes *= factor) {
    const std::int64_t rows = bytes / (kind.n * 4);
    if (rows < 2) continue;
    all.push_back({"",
                   "",
                   {rows, kind.n},
                   2,
                   1,
                   kind.k,
                   data_type::f32,
                   chosen.distribution_of_values,
                   topk_select::largest,
                   order_of_results()});
  }
  return all;
}

double kib_of(const topk_workload& w) { return static_cast<double>(w.shape[0] * w.shape[1]) * 4 / 1024; }

void print_parallel_table(const kind_of_row& kind, std::int32_t width) {
  std::vector<std::int32_t> tasks = {1};
  for (std::int32_t count = 2; count < width; count *= 2) tasks.push_back(count);
  tasks.push_back(width);
  std::printf("\nparallel, %s, microseconds\n%9s", kind.what, "KiB");
  for (const std::int32_t count : tasks) std::printf(" %7d task%s", count, count == 1 ? " " : "s");
  std::printf(" %12s %12s %11s %6s\n", "1 task cold", "most cold", "plan", "loss%");
  for (const topk_workload& w :
       sized_workloads(kind, 16 << 10, chosen.quick ? 256 << 10 : 16 << 20, chosen.quick ? 4 : 2)) {
    tell_progress(shape_name(w));
    const tensors t = tensors_of(w);
    std::vector<way> ways;
    for (const std::int32_t count : tasks) ways.push_back(tasks_way(w, count, 0));
    const std::vector<way> cold = {ways.front(), ways.back()};
    ways.push_back(tasks_way(w, 0, 0));
    const std::vector<double> ns = median_ns(on_inputs(ways, t), effort());
    const std::vector<double> cold_ns = median_ns(on_inputs(cold, t), {0, effort().repeats, 0.003});
    tell_progress("");
    std::printf("%9.0f", kib_of(w));
    for (std::size_t i = 0; i < tasks.size(); ++i) std::printf(" %13.1f", ns[i] / 1000);
    const double best = *std::min_element(ns.begin(), ns.end());
    std::printf(" %12.1f %12.1f %4d: %5.1f %6.0f\n", cold_ns[0] / 1000, cold_ns[1] / 1000, planned(w).tasks,
                ns.back() / 1000, 100 * (ns.back() / best - 1));
  }
}

void print_grain_table(const kind_of_row& kind, std::int32_t width) {
  std::vector<std::size_t> grains;
  for (std::size_t bytes = 4 << 10; bytes <= 1 << 20; bytes *= 4) grains.push_back(bytes);
  std::printf("\ngrain, %s, at most %d tasks, microseconds\n%9s", kind.what, width, "KiB");
  for (const std::size_t bytes : grains) std::printf(" %8zu KiB", bytes >> 10);
  std::printf(" %10s %15s\n", "plan", "its grain, KiB");
  for (const topk_workload& w :
       sized_workloads(kind, 128 << 10, chosen.quick ? 256 << 10 : 8 << 20, chosen.quick ? 2 : 4)) {
    tell_progress(shape_name(w));
    const tensors t = tensors_of(w);
    std::vector<way> ways;
    for (const std::size_t bytes : grains) ways.push_back(tasks_way(w, width, bytes));
    ways.push_back(tasks_way(w, 0, 0));
    const std::vector<double> ns = median_ns(on_inputs(ways, t), effort());
    tell_progress("");
    std::printf("%9.0f", kib_of(w));
    for (std::size_t i = 0; i < grains.size(); ++i) std::printf(" %12.1f", ns[i] / 1000);
    std::printf(" %10.1f %15.1f\n", ns.back() / 1000, static_cast<double>(planned(w).grain * w.shape[1]) * 4 / 1024);
  }
}

bool is_chosen(const char* table) {
  return std::find(chosen.tables.begin(), chosen.tables.end(), table) != chosen.tables.end();
}

int print_tables() {
  if (is_chosen("algorithm") && !print_algorithm_tables()) return 1;
  for (const data_type type : {data_type::f32, data_type::u8}) {
    if (is_chosen("work")) print_work_table(type);
  }
  execution run;
  run.max_tasks = chosen.threads;
  const std::int32_t width = detail::parallel_width(run);
  if (width == 1) {
    std::printf("\nparallel, grain: left out, as only one task can run at once here\n");
    return 0;
  }
  for (const kind_of_row& kind : kinds_of_row) {
    if (is_chosen("parallel")) print_parallel_table(kind, width);
    if (is_chosen("grain")) print_grain_table(kind, width);
  }
  return 0;
}

// Fills what the names stand for; an error's text, or an empty one.
std::string check_options() {
  if (chosen.threads < 0) return "--threads is negative";
  if (const status s = isa_from_name(chosen.isa_name.c_str(), chosen.id); !s.ok()) return s.text();
  if (chosen.id != isa::automatic) {
    if (const status s = force_isa(chosen.id); !s.ok()) return s.text();
  }
  if (const status s = selected_isa(chosen.id); !s.ok()) return s.text();
  for (const named_distribution& d : named_distributions) {
    if (chosen.values == d.name) {
      chosen.distribution_of_values = d.values;
      return {};
    }
  }
  return "--values " + chosen.values + " is unknown";
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) {
  using namespace topsplit::bench;
  CLI::App app("Prints this machine's crossover tables of TopK's plan.");
  app.add_option("--table", chosen.tables, "algorithm, work, parallel, grain; all of them unless said")
      ->check(CLI::IsMember({"algorithm", "work", "parallel", "grain"}));
  app.add_option("--isa", chosen.isa_name, "This ISA instead of the one that the library picks");
  app.add_option("--threads", chosen.threads, "At most so many tasks; 0 (the default): as many as there are");
  app.add_option("--values", chosen.values, "What the data looks like, by topk_sweep's names");
  app.add_flag("--by-index", chosen.by_index, "Results in ascending index order (sorted = 0)");
  app.add_flag("--quick", chosen.quick, "Few shapes, short measurements");
  CLI11_PARSE(app, argc, argv);
  if (const std::string error = check_options(); !error.empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.c_str());
    return 2;
  }
  return print_tables();
}
