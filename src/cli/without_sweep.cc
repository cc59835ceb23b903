// Stands where the build had no Google Benchmark: the subcommands are there and say why they do nothing.

#include "src/cli/commands.h"
#include "src/cli/failure.h"

namespace topsplit::cli {

void run_sweep(const sweep_arguments&, const execution&) {
  throw failure("sweep: this command was built without Google Benchmark (TOPSPLIT_BUILD_BENCH=ON builds it in)");
}

void run_tune(const tune_arguments&) {
  throw failure("tune: this command was built without Google Benchmark (TOPSPLIT_BUILD_BENCH=ON builds it in)");
}

void run_report(const report_arguments&) {
  throw failure("report: this command was built without the benchmarks (TOPSPLIT_BUILD_BENCH=ON builds it in)");
}

}  // namespace topsplit::cli
