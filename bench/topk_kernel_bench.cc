// TopK's kernels as they lie in each ISA's table, one call over all slices: what the public call adds to them is
// checks, plan and threads. The kernel is the one that the plan picks; std::partial_sort stands beside it. Always
// serial.

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "arch/kernel_table.h"
#include "bench/topk_shapes.h"
#include "src/dispatch.h"

namespace topsplit::bench {
namespace {

kernels::element element_of(data_type type) {
  switch (type) {
    case data_type::u8:
      return kernels::element::u8;
    case data_type::i8:
      return kernels::element::i8;
    case data_type::f16:
      return kernels::element::f16;
    case data_type::bf16:
      return kernels::element::bf16;
    default:
      return kernels::element::f32;
  }
}

// The index in the table's rows of the algorithm that the plan picks on this ISA.
std::size_t algorithm_of(const topk_workload& w, isa id) {
  explanation plan;
  if (!explain_topk({nullptr, w.type, w.shape, w.rank}, w.k, options_of(w, id), plan).ok()) std::abort();
  for (std::size_t i = 0; i < kernels::topk_algorithm_count; ++i) {
    if (std::strcmp(plan.algorithm, kernels::topk_algorithm_names[i]) == 0) return i;
  }
  std::abort();
}

way kernel_of(const topk_workload& w, const kernels::kernel_table& table, std::size_t algorithm) {
  const auto& row = w.select == topk_select::largest ? table.largest : table.smallest;
  const kernels::topk_kernel kernel = row[algorithm][static_cast<std::size_t>(element_of(w.type))];
  return [kernel, p = problem_of(w)](const std::byte* input, const tensors& t) {
    const bool by_index = p.order == topk_order::by_index;
    kernel({input, t.outputs[0].data(), indices_of(t), p.n, p.k, p.inner, by_index}, 0, p.outer * p.inner);
    return status();
  };
}

void register_all() {
  for (const topk_workload& w : topk_workloads) {
    std::vector<named_way> ways = {{"std", baseline_of(w)}};
    for (std::size_t i = 0; i < isa_count(); ++i) {
      for (const isa_info& info : measured_isas()) {
        if (info.id != isa_at(i).id) continue;
        const std::size_t algorithm = algorithm_of(w, info.id);
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
