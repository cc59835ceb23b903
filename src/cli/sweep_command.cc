// `topsplit sweep` and `topsplit report`: arguments and files; what they do is in bench/.

#include <sys/stat.h>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>

#include "bench/counted.h"
#include "bench/report.h"
#include "bench/sweep.h"
#include "src/cli/commands.h"
#include "src/cli/failure.h"
#include "src/cli/file_io.h"
#include "src/cli/machine.h"

namespace topsplit::cli {
namespace {

constexpr std::uint64_t most_result_bytes = std::uint64_t{1} << 30;

std::string read_text(const std::string& path) {
  const std::vector<std::byte> bytes = read_regular_file(path, most_result_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The result that is to be gone on with: a file that is there and not empty.
std::optional<std::string> earlier_result(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  // It is written anew after each shape, and opening one waits for a reader.
  if (S_ISFIFO(info.st_mode)) throw failure(path + ": a pipe cannot hold a result");
  if (!S_ISREG(info.st_mode) || info.st_size == 0) return std::nullopt;
  return read_text(path);
}

void write_durably(const std::string& path, const std::string& content) {
  output_files files;
  files.add(path, {}, content);
  files.commit(durability::synced);
}

// A result is hours of work; no page is to take its place.
void expect_other_files(const report_arguments& arguments) {
  for (const std::string& output : {arguments.html, arguments.csv, arguments.markdown}) {
    for (const std::string& input : arguments.results) {
      std::error_code none_there;
      if (std::filesystem::equivalent(input, output, none_there)) {
        throw failure("report: " + output + " is a result that is read, and would be written over");
      }
    }
  }
}

// No regression is found where nothing is compared, which must not pass for a good result.
void expect_comparisons(const report_arguments& arguments, const bench::report& report) {
  if (arguments.results.size() < 2) throw failure("report: --fail-on-regression compares results; there is one");
  const std::string other = report.uncompared();
  if (other.empty()) return;
  throw failure("report: --fail-on-regression: " + arguments.results[0] + " and " + other +
                " have no point of ours in common");
}

}  // namespace

void run_sweep(const sweep_arguments& arguments, const execution& how) {
  bench::sweep_request request;
  request.sets = arguments.sets;
  request.axes = arguments.axes;
  request.against = arguments.against;
  request.filter = arguments.filter;
  request.machine = machine_facts();
  request.machine.emplace_back("profile", profile_text());
  request.memory = usable_memory();
  request.usable_threads = usable_threads();
  if (how.max_tasks > 0) request.usable_threads = std::min(request.usable_threads, how.max_tasks);
  bench::sweep sweep(request);
  if (arguments.list) {
    std::cout << sweep.list();
    return;
  }
  if (arguments.output.empty()) throw failure("sweep: -o RESULT.json is missing");
  if (const auto earlier = earlier_result(arguments.output); earlier && !arguments.restart) {
    try {
      sweep.resume(*earlier);
    } catch (const std::exception& error) {
      throw failure(arguments.output + ": " + error.what());
    }
  }
  const bench::sweep_outcome outcome =
      sweep.run([&](const std::string& json) { write_durably(arguments.output, json); });
  std::cout << bench::counted(outcome.measured, "point") << " measured into " << arguments.output
            << (outcome.stopped ? "; stopped: the same command goes on\n" : "\n");
  if (outcome.unknown > 0)
    std::cout << bench::counted(outcome.unknown, "point") << " left out: the peer has no such call\n";
  if (outcome.failed > 0) throw failed_check("");
}

void run_report(const report_arguments& arguments) {
  if (!std::isfinite(arguments.threshold) || arguments.threshold < 0) {
    throw failure("report: --threshold is no number of per cent from 0 on");
  }
  expect_other_files(arguments);
  bench::report report(arguments.threshold);
  for (const std::string& path : arguments.results) {
    const std::string text = read_text(path);
    try {
      report.add(path, text);
    } catch (const std::exception& error) {
      throw failure(path + ": " + error.what());
    }
  }
  if (arguments.fail_on_regression) expect_comparisons(arguments, report);
  output_files files;
  const std::string html = arguments.html.empty() ? "" : report.html();
  const std::string csv = report.csv(), markdown = report.markdown();
  if (!arguments.html.empty()) files.add(arguments.html, {}, html);
  if (!arguments.csv.empty()) files.add(arguments.csv, {}, csv);
  if (!arguments.markdown.empty()) files.add(arguments.markdown, {}, markdown);
  files.commit();
  std::cout << report.summary();
  if (arguments.fail_on_regression && report.regressions() > 0) throw failed_check("");
}

}  // namespace topsplit::cli
