// TopK by the public call: on the ISA that the library picks (public), on each ISA; std::partial_sort and a bare read of
// the input beside them.

#include "bench/topk_shapes.h"

namespace topsplit::bench {
namespace {

void register_all() {
  for (const topk_workload& w : topk_workloads) {
    register_workload(
        w.id, [&w] { return tensors_of(w); }, baseline_of(w), public_ways(w));
  }
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) { return topsplit::bench::run_benchmarks(argc, argv, topsplit::bench::register_all); }
