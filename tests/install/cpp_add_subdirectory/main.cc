// Runs both operators prepared from a model's node, on enough data for several tasks.

#include <cstdint>
#include <cstdio>
#include <vector>

#include "topsplit/topsplit.h"

namespace {

constexpr std::int64_t rows = 1000;
constexpr std::int64_t columns = 2000;

int fail(const char* what, const topsplit::status& s) {
  std::fprintf(stderr, "cpp_add_subdirectory: %s: %s\n", what, s.text());
  return 1;
}

// The largest of row r is r + columns - 1, at the place where its ascending numbers, begun at column r, end.
int run_topk(const std::vector<std::int32_t>& x) {
  topsplit::topk_operator op;
  if (auto s = topsplit::topk_operator::make(24, {}, topsplit::data_type::i32, {}, op); !s.ok()) return fail("make", s);
  std::vector<std::int32_t> values(rows);
  std::vector<std::int64_t> indices(rows);
  const std::int64_t shape[] = {rows, columns}, result_shape[] = {rows, 1}, k = 1, k_shape[] = {1};
  const auto s = op.run({x.data(), topsplit::data_type::i32, shape, 2}, {&k, topsplit::data_type::i64, k_shape, 1},
                        {values.data(), topsplit::data_type::i32, result_shape, 2},
                        {indices.data(), topsplit::data_type::i64, result_shape, 2});
  if (!s.ok()) return fail("topk", s);
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (values[i] != r + columns - 1 || indices[i] != (r + columns - 1) % columns) return fail("topk is wrong", s);
  }
  return 0;
}

int run_split(const std::vector<std::int32_t>& x) {
  topsplit::split_attributes attributes;
  attributes.axis = -1;
  attributes.num_outputs = 2;
  topsplit::split_operator op;
  if (auto s = topsplit::split_operator::make(18, attributes, topsplit::data_type::i32, 2, {}, op); !s.ok()) {
    return fail("make", s);
  }
  std::vector<std::int32_t> halves[2] = {std::vector<std::int32_t>(rows * columns / 2),
                                         std::vector<std::int32_t>(rows * columns / 2)};
  const std::int64_t shape[] = {rows, columns}, half_shape[] = {rows, columns / 2};
  const topsplit::tensor outputs[] = {{halves[0].data(), topsplit::data_type::i32, half_shape, 2},
                                      {halves[1].data(), topsplit::data_type::i32, half_shape, 2}};
  const auto s = op.run({x.data(), topsplit::data_type::i32, shape, 2}, {}, outputs, 2);
  if (!s.ok()) return fail("split", s);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns, width = columns / 2;
    if (halves[column / width][row * width + column % width] != x[i]) return fail("split is wrong", s);
  }
  return 0;
}

}  // namespace

int main() {
  std::vector<std::int32_t> x(rows * columns);
  for (std::int32_t r = 0; r < rows; ++r) {
    for (std::int32_t i = 0; i < columns; ++i) x[static_cast<std::size_t>(r * columns + (r + i) % columns)] = r + i;
  }
  return run_topk(x) + run_split(x);
}
