// The plan of TopK over a grid of calls: pure, bounded by the width, covering all of the work, serial where
// the work is small. White box: includes the plan itself; explain is compared with it at the end.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "src/topk_merge_plan.h"
#include "src/topk_plan.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::detail::is_merge_worth_sharing;
using topsplit::detail::is_worth_sharing;
using topsplit::detail::merge_plan;
using topsplit::detail::plan_merge;
using topsplit::detail::plan_topk;
using topsplit::detail::topk_plan;
using topsplit::detail::topk_problem;
using topsplit::detail::topk_tuning;
using topsplit::kernels::topk_can_do;

constexpr int widths[] = {-1, 0, 1, 2, 3, 4, 7, 64, std::numeric_limits<int>::max()};
constexpr std::size_t tunings[] = {0, 1, 1000, 1 << 20, std::numeric_limits<std::size_t>::max()};

topsplit::kernels::element element_of_bytes(std::size_t bytes) {
  using topsplit::kernels::element;
  return bytes == 1 ? element::u8 : bytes == 2 ? element::f16 : bytes == 4 ? element::f32 : element::f64;
}

std::string describe(const topk_problem& p, const topk_tuning& t, int width) {
  return "outer " + std::to_string(p.outer) + ", n " + std::to_string(p.n) + ", inner " + std::to_string(p.inner) +
         ", k " + std::to_string(p.k) + ", bytes " + std::to_string(p.element_bytes) + ", grain " +
         std::to_string(t.grain_bytes) + ", from " + std::to_string(t.parallel_from_bytes) + ", width " +
         std::to_string(width);
}

constexpr std::size_t outers[] = {0, 1, 2, 3, 50, 1000, 100000};
constexpr std::size_t lengths[] = {0, 1, 8, 257, 1000, 1000000};
constexpr std::size_t inners[] = {0, 1, 3, 16, 64, 100, 4096};
constexpr std::size_t element_sizes[] = {1, 2, 4, 8};

template <class Visit>
void for_each_problem(const Visit& visit) {
  for (const std::size_t outer : outers)
    for (const std::size_t n : lengths)
      for (const std::size_t inner : inners)
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{10}, n / 2, n})
          for (const std::size_t bytes : element_sizes)
            if (k <= n) visit(topk_problem{outer, n, inner, k, element_of_bytes(bytes), bytes, false});
}

template <class Visit>
void for_each_tuning(const Visit& visit) {
  for (const std::size_t grain : tunings)
    for (const std::size_t from : tunings) visit(topk_tuning{32, grain, from});
}

bool same(const topk_plan& a, const topk_plan& b) {
  return a.algorithm == b.algorithm && a.tasks == b.tasks && a.units == b.units && a.grain == b.grain &&
         a.stack_bytes == b.stack_bytes;
}

// What must hold of the numbers of any plan.
void check_sharing(int tasks, std::size_t units, std::size_t grain, std::size_t stack_bytes, int width) {
  ASSERT_GE(tasks, 1);
  ASSERT_LE(tasks, std::max(width, 1));
  ASSERT_LE(stack_bytes, std::size_t{32 * 1024});
  if (tasks == 1) {
    ASSERT_EQ(grain, units);
  } else {
    ASSERT_GE(grain, 1u);
    ASSERT_LT(grain, units);
    ASSERT_GE((units + grain - 1) / grain, static_cast<std::size_t>(tasks)) << "a task without a range";
  }
}

TEST(topk_plan_test, grid) {
  for_each_problem([](const topk_problem& p) {
    for_each_tuning([&](const topk_tuning& t) {
      for (const int width : widths) {
        SCOPED_TRACE(describe(p, t, width));
        const topk_plan plan = plan_topk(p, t, width);
        check_sharing(plan.tasks, plan.units, plan.grain, plan.stack_bytes, width);
        ASSERT_EQ(plan.units, p.k == 0 ? 0 : plan.in_slices ? p.n : p.outer * p.inner);
        ASSERT_TRUE(plan.units == 0 || topk_can_do(plan.algorithm, p.n, p.k, p.inner, p.element_bytes));
        ASSERT_TRUE(same(plan, plan_topk(p, t, width)));
        if (plan.tasks == 1) continue;
        const std::size_t slice_bytes = p.n * p.element_bytes;
        ASSERT_TRUE(is_worth_sharing(p, t));
        ASSERT_GE(p.slices() * slice_bytes, t.parallel_from_bytes);
        ASSERT_GE(plan.grain * (plan.in_slices ? p.element_bytes : slice_bytes), t.grain_bytes);
        if (plan.in_slices) {
          ASSERT_LE((plan.units + plan.grain - 1) / plan.grain, topsplit::detail::most_ranges_in_slice);
        }
      }
    });
  });
}

TEST(topk_plan_test, the_width_is_not_looked_at_where_sharing_does_not_pay) {
  for_each_problem([](const topk_problem& p) {
    for_each_tuning([&](const topk_tuning& t) {
      if (is_worth_sharing(p, t)) return;
      for (const int width : widths) ASSERT_TRUE(same(plan_topk(p, t, width), plan_topk(p, t, 1)));
    });
  });
}

TEST(topk_plan_test, ranges_across_slices_begin_at_lines_or_at_outer_blocks) {
  for_each_problem([](const topk_problem& p) {
    if (p.inner <= 1) return;
    for (const int width : {2, 4, 64}) {
      const topk_plan plan = plan_topk(p, {32, 1, 1}, width);
      if (plan.tasks > 1) {
        const std::size_t line = 64 / p.element_bytes;
        ASSERT_TRUE(plan.grain % line == 0 || plan.grain % p.inner == 0) << describe(p, {32, 1, 1}, width);
      }
    }
  });
}

TEST(topk_plan_test, small_is_serial_and_large_is_shared) {
  const auto f32 = topsplit::kernels::element::f32;
  const topk_plan one_slice = plan_topk({1, 1000000, 1, 10, f32, 4, false}, {32, 0, 0}, 8);
  EXPECT_TRUE(one_slice.in_slices);
  EXPECT_EQ(one_slice.tasks, 8);
  EXPECT_EQ(plan_topk({1, 1000, 1, 10, f32, 4, false}, {32, 0, 0}, 8).tasks, 1) << "one short slice";
  EXPECT_EQ(plan_topk({10, 1000, 1, 10, f32, 4, false}, {32, 0, 0}, 8).tasks, 1) << "40 kB";
  EXPECT_EQ(plan_topk({1000, 10000, 1, 10, f32, 4, false}, {32, 0, 0}, 8).tasks, 8) << "40 MB";
  EXPECT_EQ(plan_topk({1, 1000, 10000, 10, f32, 4, false}, {32, 0, 0}, 8).tasks, 8) << "40 MB across";
}

TEST(topk_plan_test, a_forced_grain_gives_a_task_to_each_slice) {
  const auto f32 = topsplit::kernels::element::f32;
  const topk_plan plan = plan_topk({3, 2, 1, 1, f32, 4, false}, {32, 1, 1}, 8);
  EXPECT_EQ(plan.tasks, 3);
  EXPECT_EQ(plan.grain, 1u);
}

TEST(merge_plan_test, grid) {
  for_each_problem([](const topk_problem& p) {
    for_each_tuning([&](const topk_tuning& t) {
      for (const int width : widths) {
        SCOPED_TRACE(describe(p, t, width));
        const std::size_t input_bytes = p.element_bytes + 8;
        const merge_plan plan = plan_merge(p, input_bytes, t, width);
        check_sharing(plan.tasks, p.slices(), plan.grain, 0, width);
        if (plan.tasks == 1) continue;
        ASSERT_TRUE(is_merge_worth_sharing(p, input_bytes, t));
        ASSERT_GE(p.slices() * std::max<std::size_t>(p.n * input_bytes, 1), t.parallel_from_bytes);
        ASSERT_GE(plan.grain * std::max<std::size_t>(p.n * input_bytes, 1), t.grain_bytes);
      }
    });
  });
}

TEST(merge_plan_test, small_is_serial_and_large_is_shared) {
  const auto f32 = topsplit::kernels::element::f32;
  EXPECT_EQ(plan_merge({1, 1000000, 1, 10, f32, 4, false}, 12, {0, 0, 0}, 8).tasks, 1) << "one slice";
  EXPECT_EQ(plan_merge({100, 30, 1, 10, f32, 4, false}, 12, {0, 0, 0}, 8).tasks, 1) << "36 kB";
  EXPECT_EQ(plan_merge({10000, 100, 1, 50, f32, 4, false}, 12, {0, 0, 0}, 8).tasks, 8) << "12 MB";
  EXPECT_EQ(plan_merge({3, 2, 1, 1, f32, 4, false}, 12, {0, 1, 1}, 8).tasks, 3) << "forced";
  EXPECT_EQ(plan_merge({1u << 20, PTRDIFF_MAX / 8, 1, 1000, f32, 4, false}, 12, {0, 0, 0}, 8).tasks, 8) << "saturated";
}

// A callback of this width that fails the test when it is called: explain runs nothing.
topsplit::execution callback_of_width(std::int32_t width) {
  topsplit::execution run;
  run.threads = topsplit::threading::callback;
  run.parallel_for_width = width;
  run.parallel_for = [](void*, std::int32_t, void (*)(void*, std::int32_t), void*) { FAIL() << "explain ran a task"; };
  return run;
}

TEST(explain_test, topk_tells_the_plan) {
  const std::int64_t shape[] = {1000, 10000};
  topsplit::topk_options options;
  options.run = callback_of_width(3);
  options.run.isa = topsplit::isa::generic;
  topsplit::explanation told = {};
  const topsplit::status s = explain_topk({nullptr, topsplit::data_type::f32, shape, 2}, 10, options, told);
  ASSERT_TRUE(s.ok()) << s.text();
  EXPECT_STREQ(told.algorithm, "reservoir");
  EXPECT_EQ(told.isa, topsplit::isa::generic);
  EXPECT_EQ(told.tasks, 3);
  EXPECT_EQ(told.units, 1000);
  EXPECT_STREQ(told.unit, "slices");
  EXPECT_GE(told.grain, 1);
  EXPECT_GT(told.stack_bytes, 0u);
  EXPECT_EQ(told.heap_bytes, 0u);

  options.axis = 0;
  options.run.threads = topsplit::threading::serial;
  ASSERT_TRUE(explain_topk({nullptr, topsplit::data_type::f32, shape, 2}, 10, options, told).ok());
  EXPECT_STREQ(told.algorithm, "across");
  EXPECT_EQ(told.tasks, 1);
  EXPECT_EQ(told.grain, 10000);

  ASSERT_TRUE(explain_topk({nullptr, topsplit::data_type::f32, shape, 2}, 0, options, told).ok());
  EXPECT_EQ(told.units, 0) << "k = 0: nothing to do";
}

}  // namespace
