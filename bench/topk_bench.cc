// TopK by the public call: on the ISA that the library picks (public), on each ISA, and std::partial_sort beside them.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bench/topk_shapes.h"
#include "topsplit/topk.h"

namespace topsplit::bench {
namespace {

way call_of(const topk_workload& w, isa id) {
  std::array<std::int64_t, 5> shape;
  std::copy_n(w.shape, w.rank, shape.begin());
  shape[static_cast<std::size_t>(w.axis)] = w.k;
  return [&w, shape, options = options_of(w, id)](const std::byte* input, const tensors& t) {
    return topk({input, w.type, w.shape, w.rank}, w.k, {t.outputs[0].data(), w.type, shape.data(), w.rank},
                {indices_of(t), data_type::i64, shape.data(), w.rank}, options);
  };
}

void register_all() {
  for (const topk_workload& w : topk_workloads) {
    std::vector<named_way> ways = {{"std", baseline_of(w)}, {"public", call_of(w, isa::automatic)}};
    for (const isa_info& info : measured_isas()) ways.push_back({info.name, call_of(w, info.id)});
    register_workload(
        w.id, [&w] { return tensors_of(w); }, baseline_of(w), ways);
  }
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) { return topsplit::bench::run_benchmarks(argc, argv, topsplit::bench::register_all); }
