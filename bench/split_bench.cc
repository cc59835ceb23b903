// Split by the public call: on the ISA that the library picks (public), on each ISA; beside them a memcpy for each
// piece (std) and the limit, one memcpy of the same bytes (memcpy).

#include <list>

#include "bench/split_shapes.h"

namespace topsplit::bench {
namespace {

tensors inputs_of(const split_layout& l) {
  tensors t;
  const std::size_t bytes = l.bytes();
  t.elements = bytes / data_type_bytes(l.type);
  t.inputs = rotating_inputs(bytes, [bytes](std::uint64_t seed, void* data) { fill_bytes(seed, bytes, data); });
  return t;
}

void register_all() {
  static std::list<split_layout> layouts;
  for (const split_workload& w : split_workloads) {
    const split_layout& l = layouts.emplace_back(layout_of(w));
    const auto make_block = [&l] {
      tensors t = inputs_of(l);
      t.outputs.emplace_back(l.bytes());
      return t;
    };
    const auto make_parts = [&l] {
      tensors t = inputs_of(l);
      add_outputs(l, 0, t);
      return t;
    };
    register_workload(w.id, make_block, memcpy_all(), {{"memcpy", memcpy_all()}});
    register_workload(w.id, make_parts, memcpy_each(l), public_ways(l));
  }
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) { return topsplit::bench::run_benchmarks(argc, argv, topsplit::bench::register_all); }
