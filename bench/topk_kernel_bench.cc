// TopK's kernels straight from their tables, always serial. The kernel is the one that the plan picks;
// std::partial_sort stands beside it.

#include <string>
#include <vector>

#include "bench/topk_kernels.h"
#include "src/dispatch.h"

namespace topsplit::bench {
namespace {

void register_all() {
  for (const topk_workload& w : topk_workloads) {
    std::vector<named_way> ways = {{"std", baseline_of(w)}};
    for (std::size_t i = 0; i < isa_count(); ++i) {
      for (const isa_info& info : measured_isas()) {
        if (info.id != isa_at(i).id) continue;
        const std::size_t algorithm = planned_algorithm(w, info.id);
        ways.push_back({std::string(info.name) + "/" + kernels::topk_algorithm_names[algorithm],
                        kernel_of(w, detail::built_table(i), algorithm)});
      }
    }
    register_workload(
        w.id, [&w] { return tensors_of(w); }, baseline_of(w), ways);
  }
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) { return topsplit::bench::run_benchmarks(argc, argv, topsplit::bench::register_all); }
