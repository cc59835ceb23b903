// Split swept over the bytes of a piece, the number of equal parts, the element's size, the distance of input and outputs
// from a cache line's boundary, and where the data lies: 256 KiB that stay in the second-level cache, or 256 MiB in
// memory. The ways of split_bench. Names are piece=BYTES/parts=N/element=BYTES/offset=BYTES/l2|memory/WAY. Without a
// filter a case differs from one of the common shapes in one thing; with one, it picks from the whole grid.

#include <algorithm>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "bench/split_shapes.h"

namespace topsplit::bench {
namespace {

constexpr std::size_t pieces[] = {1,  2,   3,   4,   6,   8,   12,  16,   24,   32,   48,    64,
                                  96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 16384, 65536};
constexpr std::size_t part_counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 96, 128};
constexpr std::size_t offsets[] = {0, 1, 7};

struct element {
  std::size_t bytes;
  data_type type;
};
constexpr element elements[] = {
    {1, data_type::u8}, {2, data_type::f16}, {4, data_type::f32}, {8, data_type::f64}, {16, data_type::complex128}};

struct place {
  const char* name;
  std::size_t bytes;  // of the input; at least one row is made
};
constexpr place places[] = {{"l2", std::size_t{256} << 10}, {"memory", std::size_t{256} << 20}};

struct point {
  std::size_t piece, parts;
  element of;
  std::size_t offset;
  place where;

  std::string name() const {
    return "piece=" + std::to_string(piece) + "/parts=" + std::to_string(parts) +
           "/element=" + std::to_string(of.bytes) + "/offset=" + std::to_string(offset) + "/" + where.name;
  }

  std::size_t rows() const { return std::max<std::size_t>(1, where.bytes / (piece * parts)); }

  // In how many things it differs from the nearer of two common shapes: narrow (8 bytes) and middling (256 bytes) pieces
  // of 4 parts, of floats where these fit in, at a cache line's boundary.
  int distance() const {
    const bool usual_element = of.bytes == 4 || (of.bytes < 4 && piece % (2 * of.bytes) != 0);
    return int{piece != 8 && piece != 256} + int{parts != 4} + int{!usual_element} + int{offset != 0};
  }

  split_layout layout() const {
    const auto size = static_cast<std::int64_t>(piece / of.bytes);
    const auto count = static_cast<std::int64_t>(parts);
    return make_layout(of.type, {static_cast<std::int64_t>(rows()), count * size}, 1,
                       std::vector<std::int64_t>(parts, size));
  }
};

// One input for all calls: what its bytes are does not steer a copy.
tensors inputs_of(const split_layout& l, std::size_t offset) {
  tensors t;
  const std::size_t bytes = l.bytes();
  t.elements = bytes / data_type_bytes(l.type);
  t.inputs.emplace_back(bytes, offset);
  fill_bytes(1, bytes, t.inputs[0].data());
  return t;
}

void register_point(const point& p, const split_layout& l, const std::vector<named_way>& limit,
                    const std::vector<named_way>& ways) {
  const auto make_block = [&l, offset = p.offset] {
    tensors t = inputs_of(l, offset);
    t.outputs.emplace_back(l.bytes(), offset);
    return t;
  };
  const auto make_parts = [&l, offset = p.offset] {
    tensors t = inputs_of(l, offset);
    add_outputs(l, offset, t);
    return t;
  };
  register_workload(p.name(), make_block, memcpy_all(), limit);
  register_workload(p.name(), make_parts, memcpy_each(l), ways);
}

template <class F>
void for_each_point(F f) {
  for (const place& where : places) {
    for (const std::size_t piece : pieces) {
      for (const std::size_t parts : part_counts) {
        for (const element& of : elements) {
          if (piece % of.bytes != 0) continue;
          for (const std::size_t offset : offsets) f(point{piece, parts, of, offset, where});
        }
      }
    }
  }
}

void register_all() {
  static std::list<split_layout> kept;
  for_each_point([&](const point& p) {
    if (!filter_is_given() && p.distance() > 1) return;
    const split_layout& l = kept.emplace_back(p.layout());
    std::vector<named_way> ways = public_ways(l);
    if (!filter_is_given() && p.distance() > 0) ways.resize(2);  // std, public
    const std::vector<named_way> limit = wanted_of(p.name(), {{"memcpy", memcpy_all()}});
    ways = wanted_of(p.name(), std::move(ways));
    if (ways.empty() && limit.empty()) return kept.pop_back();
    register_point(p, l, limit, ways);
  });
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) { return topsplit::bench::run_benchmarks(argc, argv, topsplit::bench::register_all); }
