// Split by the public call: on the ISA that the library picks (public), on each ISA; beside them a memcpy for each
// piece (std) and the limit, one memcpy of the same bytes (memcpy).

#include <cstring>
#include <string>
#include <vector>

#include "bench/harness.h"
#include "bench/workloads.h"
#include "topsplit/split.h"

namespace topsplit::bench {
namespace {

// The workload unfolded: `outer` rows of parts of so many bytes.
struct layout {
  std::size_t outer = 1;
  std::size_t inner_bytes = 1;  // of one step along the axis
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> shapes;  // rank dimensions for each part

  std::size_t part_bytes(std::size_t i) const { return static_cast<std::size_t>(sizes[i]) * inner_bytes; }
};

layout layout_of(const split_workload& w) {
  layout result;
  for (std::size_t i = 0; i < w.rank; ++i) {
    const auto length = static_cast<std::size_t>(w.shape[i]);
    const auto axis = static_cast<std::size_t>(w.axis);
    if (i < axis) result.outer *= length;
    if (i > axis) result.inner_bytes *= length;
  }
  result.inner_bytes *= data_type_bytes(w.type);
  for (const part_run& run : w.parts) {
    result.sizes.insert(result.sizes.end(), static_cast<std::size_t>(run.count), run.size);
  }
  for (const std::int64_t size : result.sizes) {
    result.shapes.insert(result.shapes.end(), w.shape, w.shape + w.rank);
    result.shapes[result.shapes.size() - w.rank + static_cast<std::size_t>(w.axis)] = size;
  }
  return result;
}

tensors tensors_of(const split_workload& w, const layout& l) {
  tensors t;
  const auto length = static_cast<std::size_t>(w.shape[w.axis]);
  const std::size_t bytes = l.outer * length * l.inner_bytes;
  t.elements = bytes / data_type_bytes(w.type);
  t.inputs = rotating_inputs(bytes, [bytes](std::uint64_t seed, void* data) { fill_bytes(seed, bytes, data); });
  for (std::size_t i = 0; i < l.sizes.size(); ++i) {
    t.outputs.emplace_back(l.outer * l.part_bytes(i));
    t.views.push_back({t.outputs[i].data(), w.type, &l.shapes[i * w.rank], w.rank});
  }
  return t;
}

way call_of(const split_workload& w, const layout& l, isa id) {
  return [&w, &l, options = split_options{w.axis, execution_on(id)}](const std::byte* input, const tensors& t) {
    return split({input, w.type, w.shape, w.rank}, l.sizes.data(), t.views.data(), t.views.size(), options);
  };
}

way memcpy_each(const layout& l) {
  return [&l](const std::byte* input, const tensors& t) {
    for (std::size_t row = 0; row < l.outer; ++row) {
      for (std::size_t i = 0; i < l.sizes.size(); ++i) {
        const std::size_t bytes = l.part_bytes(i);
        std::memcpy(t.outputs[i].data() + row * bytes, input, bytes);
        input += bytes;
      }
    }
    return status();
  };
}

// A way of its own workload: its output is one block, not the parts.
void register_limit(const split_workload& w, const layout& l) {
  const way copy = [](const std::byte* input, const tensors& t) {
    std::memcpy(t.outputs[0].data(), input, t.outputs[0].size());
    return status();
  };
  const auto make = [&w, &l] {
    tensors t = tensors_of(w, l);
    const std::size_t bytes = t.inputs[0].size();
    t.outputs.clear();
    t.outputs.emplace_back(bytes);
    return t;
  };
  register_workload(w.id, make, copy, {{"memcpy", copy}});
}

void register_all() {
  static std::vector<layout> layouts;
  for (const split_workload& w : split_workloads) layouts.push_back(layout_of(w));
  std::size_t number = 0;
  for (const split_workload& w : split_workloads) {
    const layout& l = layouts[number++];
    std::vector<named_way> ways = {{"std", memcpy_each(l)}, {"public", call_of(w, l, isa::automatic)}};
    for (const isa_info& info : measured_isas()) ways.push_back({info.name, call_of(w, l, info.id)});
    register_limit(w, l);
    register_workload(
        w.id, [&w, &l] { return tensors_of(w, l); }, memcpy_each(l), ways);
  }
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) { return topsplit::bench::run_benchmarks(argc, argv, topsplit::bench::register_all); }
