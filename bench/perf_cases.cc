// perf_cases FILE...: runs the rows of case files that ask for speed (expect.property "perf"), and prints for each the
// ratio of its call's median time to its baseline's beside the bound. The file says all: a side is the row's own fields,
// overlaid by those of `run`, and for a baseline that is one of the operators by its own. What a machine is too small
// for is said. Exit status: 0 measured (with --strict: and all within bounds), 1 not, 2 for a file that is none.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/perf_sides.h"
#include "bench/timing.h"

namespace topsplit::bench {
namespace {

struct unreadable {
  std::string text;
};

struct totals {
  int within = 0, beyond = 0, left_out = 0, failed = 0;
};

struct measured {
  double ratio, run_ns, baseline_ns;
  std::string note;
};

std::vector<json> perf_rows(const std::string& path) {
  std::ifstream file(path);
  std::vector<json> rows;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    try {
      json row = json::parse(line);
      if (row.at("expect").value("property", "") == "perf" && row["expect"].contains("run")) rows.push_back(row);
    } catch (const json::exception& e) {
      throw unreadable{path + ":" + std::to_string(number) + ": " + e.what()};
    }
  }
  if (number == 0) throw unreadable{path + ": cannot be read, or is empty"};
  return rows;
}

// A row whose k is a list: each against the one before it, of which the worst counts.
measured measure_sweep(const json& row, const timing_effort& effort) {
  std::vector<side> sides;
  const json ks = run_fields(row).at("k");
  for (const json& k : ks) sides.push_back(side_with_k(row, k));
  std::vector<timed_call> calls;
  for (const side& s : sides) calls.push_back(s.call);
  const std::vector<double> ns = median_ns(calls, effort);
  measured worst = {0, 0, 0, ""};
  for (std::size_t i = 1; i < ns.size(); ++i) {
    if (ns[i] / ns[i - 1] <= worst.ratio) continue;
    worst = {ns[i] / ns[i - 1], ns[i], ns[i - 1], "k = " + ks[i].dump() + " against " + ks[i - 1].dump()};
  }
  return worst;
}

measured measure(const json& row, const timing_effort& effort) {
  if (run_fields(row).value("k", json()).is_array()) return measure_sweep(row, effort);
  const std::vector<double> ns = median_ns({run_side(row).call, baseline_side(row).call}, effort);
  return {ns[0] / ns[1], ns[0], ns[1], ""};
}

void print_row(const json& row, const timing_effort& effort, totals& sum) {
  const json& expect = row["expect"];
  const std::string head = row.at("id").get<std::string>() + " " + expect.value("name", "");
  tell_progress(head);
  std::string text;
  try {
    if (const std::string missing = missing_for(row); !missing.empty()) {
      ++sum.left_out;
      text = "left out: " + missing;
    } else {
      const measured m = measure(row, effort);
      const auto bound = expect.at("max_ratio").get<double>();
      ++(m.ratio <= bound ? sum.within : sum.beyond);
      char line[160];
      std::snprintf(line, sizeof line, "%8.3f %8.2f  %-6s %12.3f %12.3f  %s", m.ratio, bound,
                    m.ratio <= bound ? "pass" : "FAIL", m.run_ns / 1000, m.baseline_ns / 1000, m.note.c_str());
      text = line;
    }
  } catch (const std::exception& e) {
    ++sum.failed;
    text = std::string("cannot be measured: ") + e.what();
  }
  tell_progress("");
  std::printf("%-36s %s\n", head.c_str(), text.c_str());
  std::fflush(stdout);
}

int run_files(const std::vector<std::string>& paths, const std::vector<std::string>& only, const timing_effort& effort,
              bool strict) {
  std::vector<json> rows;
  for (const std::string& path : paths) {
    for (json& row : perf_rows(path)) rows.push_back(std::move(row));
  }
  totals sum;
  std::printf("%-36s %8s %8s  %-6s %12s %12s\n", "row", "ratio", "bound", "", "run, us", "baseline, us");
  for (const json& row : rows) {
    const auto is_this = [&row](const std::string& id) { return row.value("id", "") == id; };
    if (only.empty() || std::any_of(only.begin(), only.end(), is_this)) print_row(row, effort, sum);
  }
  std::printf("%d pass, %d fail, %d left out, %d cannot be measured\n", sum.within, sum.beyond, sum.left_out,
              sum.failed);
  const bool something = sum.within + sum.beyond + sum.left_out > 0;
  return something && sum.failed == 0 && !(strict && sum.beyond > 0) ? 0 : 1;
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) {
  using namespace topsplit::bench;
  std::vector<std::string> paths, only;
  timing_effort effort = {0.2, 21};
  bool strict = false;
  CLI::App app("Measures the rows of case files that ask for speed, each beside its bound.");
  app.add_option("FILE", paths, "Case files, one JSON object a line")->required();
  app.add_option("--only", only, "The ids of the rows to run")->delimiter(',');
  app.add_option("--repeats", effort.repeats, "Samples of each side, at least (21)")->check(CLI::PositiveNumber);
  app.add_option("--min-time", effort.seconds, "Seconds for each row, at least (0.2)");
  app.add_flag("--strict", strict, "A ratio beyond its bound makes the exit status 1");
  CLI11_PARSE(app, argc, argv);
  try {
    return run_files(paths, only, effort, strict);
  } catch (const unreadable& e) {
    std::fprintf(stderr, "%s: %s\n", argv[0], e.text.c_str());
    return 2;
  }
}
