// A Split as the library, a memcpy for each piece and the limit take it.

#ifndef TOPSPLIT_BENCH_SPLIT_SHAPES_H
#define TOPSPLIT_BENCH_SPLIT_SHAPES_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/data/workloads.h"
#include "bench/harness.h"
#include "topsplit/split.h"

namespace topsplit::bench {

// Unfolded: `outer` rows of parts of so many bytes. The ways keep pointers into it.
struct split_layout {
  data_type type = data_type::undefined;
  std::vector<std::int64_t> shape;
  std::int64_t axis = 0;
  std::size_t outer = 1;
  std::size_t inner_bytes = 1;  // of one step along the axis
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> shapes;  // of the parts, one after the other

  std::size_t part_bytes(std::size_t i) const { return static_cast<std::size_t>(sizes[i]) * inner_bytes; }
  std::size_t bytes() const { return outer * static_cast<std::size_t>(shape[axis_index()]) * inner_bytes; }
  std::size_t axis_index() const { return static_cast<std::size_t>(axis); }
};

inline split_layout make_layout(data_type type, std::vector<std::int64_t> shape, std::int64_t axis,
                                std::vector<std::int64_t> sizes) {
  split_layout l{type, std::move(shape), axis, 1, data_type_bytes(type), std::move(sizes), {}};
  for (std::size_t i = 0; i < l.shape.size(); ++i) {
    if (i < l.axis_index()) l.outer *= static_cast<std::size_t>(l.shape[i]);
    if (i > l.axis_index()) l.inner_bytes *= static_cast<std::size_t>(l.shape[i]);
  }
  for (const std::int64_t size : l.sizes) {
    l.shapes.insert(l.shapes.end(), l.shape.begin(), l.shape.end());
    l.shapes[l.shapes.size() - l.shape.size() + l.axis_index()] = size;
  }
  return l;
}

inline split_layout layout_of(const split_workload& w) {
  std::vector<std::int64_t> sizes;
  for (const part_run& run : w.parts) sizes.insert(sizes.end(), static_cast<std::size_t>(run.count), run.size);
  return make_layout(w.type, {w.shape, w.shape + w.rank}, w.axis, std::move(sizes));
}

// Outputs that start `offset` bytes after a cache line's boundary.
inline void add_outputs(const split_layout& l, std::size_t offset, tensors& t) {
  const std::size_t rank = l.shape.size();
  for (std::size_t i = 0; i < l.sizes.size(); ++i) {
    t.outputs.emplace_back(l.outer * l.part_bytes(i), offset);
    t.views.push_back({t.outputs[i].data(), l.type, &l.shapes[i * rank], rank});
  }
}

inline way call_of(const split_layout& l, const execution& run) {
  return [&l, options = split_options{l.axis, run}](const std::byte* input, const tensors& t) {
    return split({input, l.type, l.shape.data(), l.shape.size()}, l.sizes.data(), t.views.data(), t.views.size(),
                 options);
  };
}

inline way memcpy_each(const split_layout& l) {
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

// std, the public call on the ISA that the library picks and on each ISA.
inline std::vector<named_way> public_ways(const split_layout& l) {
  std::vector<named_way> ways = {{"std", memcpy_each(l)}, {"public", call_of(l, execution_on(isa::automatic))}};
  for (const isa_info& info : measured_isas()) ways.push_back({info.name, call_of(l, execution_on(info.id))});
  return ways;
}

// The limit, one memcpy of the same bytes, is a workload of its own: its output is one block, not the parts.
inline way memcpy_all() {
  return [](const std::byte* input, const tensors& t) {
    std::memcpy(t.outputs[0].data(), input, t.outputs[0].size());
    return status();
  };
}

}  // namespace topsplit::bench

#endif
