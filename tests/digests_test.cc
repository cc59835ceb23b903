// The same bytes on every processor: fixed calls of every type and regime, and the SHA-256 of their results as an x86-64 machine
// made them (data/digests.txt). Here they are made again by every ISA that this machine runs, serially and as tasks.
//
// Where a line differs or is missing, all lines of this machine are written to digests.txt in the working directory.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/runs.h"
#include "tests/seeds.h"
#include "tests/sha256.h"
#include "tests/split_check.h"
#include "tests/tables.h"
#include "topsplit/merge.h"
#include "topsplit/topk.h"

namespace {

using inputs::distribution;
using oracle::bytes_t;
using oracle::shape_t;
using topsplit::data_type;
using topsplit::execution;

void append(bytes_t& all, const bytes_t& more) { all.insert(all.end(), more.begin(), more.end()); }

std::string line_of(const std::string& name, const char* type, const bytes_t& all) {
  return name + " " + type + " " + sha256::of(all.data(), all.size());
}

// ---- TopK. A regime is the algorithm of the plan, but for `merge`, which comes in two blocks.

struct topk_regime {
  const char* name;
  shape_t shape;
  std::int64_t axis;
  std::int64_t k;
};
const topk_regime topk_regimes[] = {
    {"rows", {3, 100}, 1, 10},    {"reservoir", {2, 3000}, 1, 20}, {"select", {2, 5000}, 1, 2000},
    {"lists", {2, 60, 37}, 1, 5}, {"across", {2, 700, 9}, 1, 50},  {"heap_across", {1, 2500, 5}, 1, 1100},
    {"merge", {1, 3000}, 1, 20},
};

struct topk_results {
  bytes_t values, indices;
  topsplit::status done;
};

topk_results run_topk(const topk_regime& regime, data_type type, const bytes_t& x,
                      const topsplit::topk_options& options) {
  const shape_t out = oracle::with_axis(regime.shape, regime.axis, regime.k);
  const std::size_t count = oracle::elements(out), size = oracle::element_bytes(type);
  topk_results r = {bytes_t(count * size), bytes_t(count * 8), {}};
  const topsplit::tensor values = {r.values.data(), type, out.data(), out.size()};
  const topsplit::tensor indices = {r.indices.data(), data_type::i64, out.data(), out.size()};
  if (std::strcmp(regime.name, "merge") != 0) {
    r.done =
        topsplit::topk({x.data(), type, regime.shape.data(), regime.shape.size()}, regime.k, values, indices, options);
    return r;
  }
  const shape_t first = {1, 1000}, second = {1, regime.shape[1] - 1000};
  r.done = topsplit::extend_topk({x.data(), type, first.data(), 2}, 0, 0, values, indices, options);
  if (!r.done.ok()) return r;
  r.done =
      topsplit::extend_topk({x.data() + 1000 * size, type, second.data(), 2}, 1000, regime.k, values, indices, options);
  return r;
}

std::string topk_line(const topk_regime& regime, data_type type, const execution& run) {
  bytes_t all;
  for (const auto d : {distribution::bit_patterns, distribution::few_values}) {
    const bytes_t x = inputs::make(d, type, regime.shape, regime.axis, fixed_seed);
    for (const auto select : {topsplit::topk_select::largest, topsplit::topk_select::smallest}) {
      for (const auto order : {topsplit::topk_order::by_value, topsplit::topk_order::by_index}) {
        topsplit::topk_options options;
        options.axis = regime.axis;
        options.select = select;
        options.order = order;
        options.run = run;
        const topk_results r = run_topk(regime, type, x, options);
        EXPECT_TRUE(r.done.ok()) << r.done.text();
        append(all, r.values);
        append(all, r.indices);
      }
    }
  }
  return line_of(std::string("topk ") + regime.name, topsplit::data_type_name(type), all);
}

// ---- Split. What the plan makes of a shape depends on the ISA; together they are all of it.

struct split_regime {
  const char* name;
  shape_t shape;
  std::int64_t axis;
  sizes_t sizes;
};
const split_regime split_regimes[] = {
    {"long_pieces", {2, 1200}, 1, {500, 700}}, {"short_pieces", {200, 40}, 1, {7, 0, 24, 9}},
    {"two_ways", {5000, 2}, 1, {1, 1}},        {"three_ways", {5001, 3}, 1, {1, 1, 1}},
    {"four_ways", {5000, 4}, 1, {1, 1, 1, 1}}, {"eight_ways", {5000, 8}, 1, {1, 1, 1, 1, 1, 1, 1, 1}},
    {"narrow_rows", {3000, 5}, 1, {2, 3}},     {"first_axis", {9, 301}, 0, {4, 5}},
};

std::string split_line(const split_regime& regime, data_type type, const execution& run) {
  const split_subject subject = {type, regime.shape, regime.axis, regime.sizes};
  bytes_t all;
  if (type == data_type::string) {
    const std::vector<std::string> input = inputs::random_strings(oracle::elements(regime.shape), fixed_seed);
    std::vector<std::vector<std::string>> parts;
    std::vector<void*> outputs;
    for (const std::int64_t size : regime.sizes)
      parts.emplace_back(oracle::elements(oracle::with_axis(regime.shape, regime.axis, size)));
    for (auto& part : parts) outputs.push_back(part.data());
    EXPECT_TRUE(subject.run(input.data(), outputs, run).ok());
    for (const auto& part : parts) {
      for (const std::string& text : part) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(text.c_str());
        append(all, bytes_t(bytes, bytes + text.size() + 1));
      }
    }
  } else {
    const bytes_t input = inputs::random_bytes(type, oracle::elements(regime.shape), fixed_seed);
    std::vector<bytes_t> parts;
    std::vector<void*> outputs;
    for (const std::int64_t size : regime.sizes)
      parts.emplace_back(oracle::elements(oracle::with_axis(regime.shape, regime.axis, size)) *
                         oracle::element_bytes(type));
    for (bytes_t& part : parts) outputs.push_back(part.data());
    EXPECT_TRUE(subject.run(input.data(), outputs, run).ok());
    for (const bytes_t& part : parts) append(all, part);
  }
  return line_of(std::string("split ") + regime.name, topsplit::data_type_name(type), all);
}

std::vector<std::string> all_lines(const execution& run) {
  std::vector<std::string> lines;
  for (const topk_regime& regime : topk_regimes)
    for (const data_type type : inputs::topk_types) lines.push_back(topk_line(regime, type, run));
  for (const split_regime& regime : split_regimes)
    for (const data_type type : inputs::split_types) lines.push_back(split_line(regime, type, run));
  return lines;
}

std::vector<std::string> kept_lines() {
  std::ifstream file(TOPSPLIT_DIGESTS);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void expect_kept(const execution& run) {
  SCOPED_TRACE(describe(run));
  const std::vector<std::string> kept = kept_lines(), made = all_lines(run);
  EXPECT_EQ(kept.size(), made.size());
  for (std::size_t i = 0; i < made.size() && i < kept.size(); ++i) EXPECT_EQ(made[i], kept[i]);
  if (made == kept) return;
  std::ofstream file("digests.txt");
  for (const std::string& line : made) file << line << "\n";
}

class digests : public testing::TestWithParam<tables::table> {
 protected:
  const topsplit::isa isa = GetParam().kernels->id;
};

TEST_P(digests, serial) { expect_kept(serial(isa)); }

// In the arena, and by so many that tasks share the slices of reservoir and select.
TEST_P(digests, tasks) {
  expect_kept(forced_parallel(isa, 3));
  expect_kept(on_caller(isa, 8));
}

TEST_P(digests, streamed) {
  execution run = serial(isa);
  run.stream_from_bytes = 1;
  expect_kept(run);
}

topsplit::explanation plan_of(const topk_regime& regime, data_type type, const execution& run) {
  topsplit::topk_options options;
  options.axis = regime.axis;
  options.run = run;
  topsplit::explanation e{};
  EXPECT_TRUE(
      topsplit::explain_topk({nullptr, type, regime.shape.data(), regime.shape.size()}, regime.k, options, e).ok());
  return e;
}

TEST_P(digests, the_plan_takes_these_regimes) {
  for (const topk_regime& regime : topk_regimes) {
    const std::string name = regime.name;
    if (name == "merge") continue;
    EXPECT_EQ(plan_of(regime, data_type::f32, serial(isa)).algorithm, name);
    if (name == "select") {
      EXPECT_STREQ(plan_of(regime, data_type::u8, serial(isa)).algorithm, "count");
    }
    if (name == "select" || name == "reservoir") {
      EXPECT_STREQ(plan_of(regime, data_type::u8, on_caller(isa, 8)).unit, "elements") << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(isa, digests, testing::ValuesIn(tables::available()), tables::name_of());

}  // namespace
