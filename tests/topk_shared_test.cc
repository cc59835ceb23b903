// TopK where tasks share one slice, against the oracle: gathering for small k, select for large k, by every type, ISA and
// way to run tasks. The suite topk_shared_plan asks explain of each of these calls, so that none of the others can come to try
// something else; those ask for bytes alone, and so hold under every profile, too.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/runs.h"
#include "tests/seeds.h"
#include "tests/topk_check.h"
#include "topsplit/topk.h"

namespace {

using inputs::distribution;
using topsplit::data_type;
using topsplit::execution;

constexpr distribution asked[] = {distribution::random,    distribution::constant, distribution::few_values,
                                  distribution::ascending, distribution::nan_mix,  distribution::bit_patterns};
constexpr int asked_count = static_cast<int>(std::size(asked));
constexpr std::int64_t shorter = 3000;
constexpr std::int64_t longer = 40000;

std::vector<std::int64_t> small_ks() { return {1, 10, 100}; }
std::vector<std::int64_t> large_ks(std::int64_t n) { return {n / 4, n / 2, n - 1, n}; }
std::vector<std::int64_t> all_ks(std::int64_t n) {
  std::vector<std::int64_t> ks = {1, 10, 100, 900};  // of 900 a small n makes a large k, and so do elements of 64 bits
  for (const std::int64_t k : large_ks(n)) ks.push_back(k);
  return ks;
}

// A slice is shared where there are at least two tasks for each; for fewer than four, one that counts bytes is as fast.
std::vector<std::int32_t> widths(data_type type, std::int64_t outer) {
  if (topsplit::data_type_bytes(type) == 1) return {4, 5, 8};
  return outer == 1 ? std::vector<std::int32_t>{2, 3, 8} : std::vector<std::int32_t>{4, 8};
}

topsplit::explanation plan_of(data_type type, const oracle::shape_t& shape, std::int64_t k, const execution& run) {
  topsplit::topk_options options;
  options.run = run;
  topsplit::explanation plan = {};
  const topsplit::status s = topsplit::explain_topk({nullptr, type, shape.data(), shape.size()}, k, options, plan);
  EXPECT_TRUE(s.ok()) << s.text();
  return plan;
}

class topk_shared : public testing::TestWithParam<data_type> {
 protected:
  // Calls f(subject, shape, number) for each input, one slice and two; number counts them. Where rounds are few the types begin at
  // inputs of their own.
  template <class F>
  void for_each_subject(std::int64_t n, F f) {
    std::size_t number = 0;
    for (const std::int64_t outer : {1, 2}) {
      for (int i = 0; i < rounds_of(asked_count); ++i) {
        const distribution d = asked[(i + static_cast<int>(GetParam())) % asked_count];
        const oracle::shape_t shape = {outer, n};
        topk_subject subject(GetParam(), shape, 1, inputs::make(d, GetParam(), shape, 1, 11 * number + 5), number % 3);
        SCOPED_TRACE(testing::Message() << "input " << static_cast<int>(d) << " of inputs::distribution");
        f(subject, shape, number++);
        if (HasFailure()) return;
      }
    }
  }
};

// Tasks one after the other, by every ISA; and by the last one on threads of their own.
TEST_P(topk_shared, short_slices) {
  const auto isas = available_isas();
  for_each_subject(shorter, [&](topk_subject& subject, const oracle::shape_t& shape, std::size_t number) {
    const auto tasks = widths(GetParam(), shape[0]);
    for (std::size_t i = 0; i < isas.size(); ++i) {
      const std::int32_t width = tasks[(number + i) % tasks.size()];
      if (!subject.check(all_ks(shorter), on_caller(isas[i], width))) return;
    }
    const std::int32_t width = tasks[number % tasks.size()];
    subject.check(all_ks(shorter), on_threads(isas.back(), width));
  });
}

// By the ISAs in turn, each on threads and by one task after the other.
TEST_P(topk_shared, long_slices) {
  const auto isas = available_isas();
  for_each_subject(longer, [&](topk_subject& subject, const oracle::shape_t& shape, std::size_t number) {
    const auto tasks = widths(GetParam(), shape[0]);
    const std::int32_t width = tasks[number % tasks.size()];
    const topsplit::isa isa = isas[(number + static_cast<std::size_t>(GetParam())) % isas.size()];
    if (!subject.check(all_ks(longer), on_threads(isa, width))) return;
    subject.check({10, 900, longer / 4}, on_caller(isas.back(), width));
  });
}

// In the arena the width is the machine's, so the plan is not held to share; the results are what they are.
TEST_P(topk_shared, in_the_arena) {
  const oracle::shape_t shape = {1, longer};
  topk_subject subject(GetParam(), shape, 1, inputs::make(distribution::random, GetParam(), shape, 1, 3));
  for (const topsplit::isa isa : available_isas())
    for (const std::int32_t width : widths(GetParam(), 1))
      ASSERT_TRUE(subject.check({10, 900, longer / 2}, forced_parallel(isa, width)));
}

INSTANTIATE_TEST_SUITE_P(types, topk_shared, testing::ValuesIn(inputs::topk_types),
                         [](const auto& of) { return std::string(topsplit::data_type_name(of.param)); });

void expect_shared(data_type type, const oracle::shape_t& shape, std::int64_t k, const execution& run) {
  const topsplit::explanation plan = plan_of(type, shape, k, run);
  EXPECT_TRUE(std::string(plan.unit) == "elements" && plan.units == shape.back() && plan.tasks > 1)
      << topsplit::data_type_name(type) << testing::PrintToString(shape) << " k " << k << ", " << describe(run) << ": "
      << plan.algorithm << ", " << plan.tasks << " tasks share " << plan.units << " " << plan.unit;
}

void expect_both_ways(data_type type, const oracle::shape_t& shape, const execution& run) {
  const std::int64_t n = shape.back();
  for (const std::int64_t k : small_ks()) EXPECT_STREQ(plan_of(type, shape, k, run).algorithm, "reservoir");
  for (const std::int64_t k : large_ks(n)) EXPECT_STREQ(plan_of(type, shape, k, run).algorithm, "select");
  for (const std::int64_t k : all_ks(n)) expect_shared(type, shape, k, run);
}

TEST(topk_shared_plan, both_ways_of_sharing_are_asked) {
  for (const data_type type : inputs::topk_types) {
    for (const oracle::shape_t& shape : {oracle::shape_t{1, shorter}, {2, shorter}, {1, longer}, {2, longer}}) {
      for (const std::int32_t width : widths(type, shape[0])) {
        for (const topsplit::isa isa : available_isas()) {
          expect_both_ways(type, shape, on_caller(isa, width));
          expect_both_ways(type, shape, on_threads(isa, width));
        }
      }
    }
  }
}

// The same call again and again, so that tasks come to meet in many orders.
void repeat(std::int64_t k, distribution d) {
  const oracle::shape_t shape = {2, longer};
  const execution run = on_threads(available_isas().back(), 8);
  topk_subject subject(data_type::f32, shape, 1, inputs::make(d, data_type::f32, shape, 1, 17));
  topsplit::topk_options options;
  options.run = run;
  const oracle::topk_result expected = subject.expected(k, options);
  red_zone_buffer values(expected.values.size());
  red_zone_buffer indices(expected.indices.size() * sizeof(std::int64_t));
  for (int i = 0; i < rounds_of(200); ++i)
    ASSERT_TRUE(subject.check_one(k, options, values, indices, expected)) << "call " << i;
}

TEST(topk_shared_repeated, gathering_from_all_ranges) { repeat(900, distribution::random); }
TEST(topk_shared_repeated, gathering_better_and_better) { repeat(100, distribution::ascending); }
TEST(topk_shared_repeated, select) { repeat(longer / 4, distribution::few_values); }

}  // namespace
