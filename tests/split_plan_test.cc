// The plan of Split over a grid of calls: pure, bounded by the width, covering all of the work, serial where the work
// is small; the algorithm that each form of call gets; and explain, which tells it.

#include "src/split_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "src/cache_size.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::detail::is_worth_sharing;
using topsplit::detail::kept_bytes;
using topsplit::detail::plan_split;
using topsplit::detail::split_form;
using topsplit::detail::split_plan;
using topsplit::detail::split_tuning;
using topsplit::kernels::split_algorithm;

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
constexpr int widths[] = {-1, 0, 1, 2, 3, 4, 7, 64, std::numeric_limits<int>::max()};
constexpr std::size_t tunings[] = {0, 1, 1000, 1 << 20, never};

split_form one_block(std::size_t bytes) { return {1, bytes, 2, bytes / 2, bytes - bytes / 2, 64, true}; }

TEST(split_plan_test, grid) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                                  std::size_t{1000}, std::size_t{524288}, std::size_t{1} << 30, std::size_t{1} << 62}) {
    for (const std::size_t grain : tunings)
      for (const std::size_t from : tunings)
        for (const int width : widths) {
          SCOPED_TRACE(std::to_string(bytes) + " bytes, grain " + std::to_string(grain) + ", from " +
                       std::to_string(from) + ", width " + std::to_string(width));
          const split_tuning tuning = {grain, from, never};
          const split_plan plan = plan_split(one_block(bytes), tuning, width);
          ASSERT_EQ(plan.units, bytes);
          ASSERT_GE(plan.tasks, 1);
          ASSERT_LE(plan.tasks, std::max(width, 1));
          ASSERT_LE(plan.stack_bytes, std::size_t{32 * 1024});
          const split_plan again = plan_split(one_block(bytes), tuning, is_worth_sharing(bytes, tuning) ? width : 1);
          ASSERT_EQ(plan.tasks, again.tasks);
          ASSERT_EQ(plan.grain, again.grain);
          if (plan.tasks == 1) {
            ASSERT_EQ(plan.grain, plan.units);
            continue;
          }
          ASSERT_GE(bytes, from);
          ASSERT_GE(plan.grain, std::max<std::size_t>(grain, 1));
          ASSERT_LT(plan.grain, plan.units);
          ASSERT_GE((plan.units + plan.grain - 1) / plan.grain, static_cast<std::size_t>(plan.tasks));
        }
  }
}

TEST(split_plan_test, small_is_serial_and_large_is_shared) {
  EXPECT_EQ(plan_split(one_block(100000), {0, 0, never}, 8).tasks, 1);
  EXPECT_EQ(plan_split(one_block(std::size_t{1} << 25), {0, 0, never}, 8).tasks, 8);
  EXPECT_EQ(plan_split(one_block(128), {1, 1, never}, 8).tasks, 2);
}

struct algorithm_case {
  const char* what;
  split_form form;
  split_algorithm cached;
  split_algorithm streamed;
};

constexpr algorithm_case algorithm_cases[] = {
    {"one row", {1, 4096, 2, 1, 4095, 64, true}, split_algorithm::blocks, split_algorithm::streamed_blocks},
    {"one part", {1000, 3, 1, 3, 3, 64, true}, split_algorithm::blocks, split_algorithm::streamed_blocks},
    {"nothing", {1000, 0, 0, never, 0, 64, true}, split_algorithm::blocks, split_algorithm::blocks},
    {"long pieces", {99, 9216, 3, 3072, 3072, 64, true}, split_algorithm::blocks, split_algorithm::streamed_blocks},
    {"middling", {9999, 256, 2, 128, 128, 64, true}, split_algorithm::pieces, split_algorithm::streamed_blocks},
    {"short", {9999, 96, 2, 16, 80, 64, true}, split_algorithm::pieces, split_algorithm::pieces},
    {"colours", {9999, 3, 3, 1, 1, 64, true}, split_algorithm::deinterleave, split_algorithm::streamed_deinterleave},
    {"colours, no shuffle", {9999, 3, 3, 1, 1, 0, true}, split_algorithm::pieces, split_algorithm::pieces},
    {"colours, short shuffle",
     {9999, 12, 3, 4, 4, 16, true},
     split_algorithm::deinterleave,
     split_algorithm::streamed_deinterleave},
    {"four of eight",
     {9999, 32, 4, 8, 8, 16, true},
     split_algorithm::deinterleave,
     split_algorithm::streamed_deinterleave},
    {"eight of eight", {9999, 64, 8, 8, 8, 16, true}, split_algorithm::pieces, split_algorithm::pieces},
    {"five of two", {9999, 10, 5, 2, 2, 64, true}, split_algorithm::deinterleave, split_algorithm::deinterleave},
    {"five of eight", {9999, 40, 5, 8, 8, 16, true}, split_algorithm::pieces, split_algorithm::pieces},
    {"three of three", {9999, 9, 3, 3, 3, 16, true}, split_algorithm::deinterleave, split_algorithm::deinterleave},
    {"unequal", {9999, 20, 2, 6, 14, 64, true}, split_algorithm::deinterleave, split_algorithm::deinterleave},
    {"no stores past the cache", {9999, 256, 2, 128, 128, 64, false}, split_algorithm::pieces, split_algorithm::pieces},
};

TEST(split_plan_test, algorithms) {
  for (const algorithm_case& c : algorithm_cases) {
    SCOPED_TRACE(c.what);
    const std::size_t total = c.form.total_bytes();
    EXPECT_EQ(plan_split(c.form, {0, 0, never}, 1).algorithm, c.cached);
    EXPECT_EQ(plan_split(c.form, {0, 0, total + 1}, 1).algorithm, c.cached) << "what fits is not streamed";
    EXPECT_EQ(plan_split(c.form, {0, 0, std::max<std::size_t>(total, 1)}, 1).algorithm, c.streamed);
    EXPECT_EQ(plan_split(c.form, {1, 1, 1}, 4).algorithm, c.streamed);
  }
}

TEST(cache_size, a_quarter_of_the_last_level_if_that_can_be) {
  constexpr std::size_t mib = std::size_t{1} << 20;
  EXPECT_EQ(kept_bytes(mib / 2, 16 * mib), 4 * mib);
  EXPECT_EQ(kept_bytes(mib, 96 * mib), 24 * mib);
  EXPECT_EQ(kept_bytes(mib, 508 * mib), 8 * mib) << "a whole machine's, seen by a virtual one";
  EXPECT_EQ(kept_bytes(0, 0), 8 * mib) << "not known";
  EXPECT_EQ(kept_bytes(2 * mib, 0), 8 * mib);
  EXPECT_EQ(kept_bytes(4 * mib, 8 * mib), 8 * mib) << "at least twice level 2";
  EXPECT_GT(kept_bytes(), std::size_t{0});
  EXPECT_EQ(kept_bytes(), kept_bytes());
}

topsplit::explanation explained(const topsplit::execution& run, std::int64_t parts) {
  const std::int64_t shape[] = {1000, 10000};
  topsplit::explanation told = {};
  const topsplit::status s = explain_split({nullptr, topsplit::data_type::f16, shape, 2}, nullptr,
                                           static_cast<std::size_t>(parts), {1, run}, told);
  EXPECT_TRUE(s.ok()) << s.text();
  return told;
}

TEST(explain_test, split_tells_the_plan) {
  topsplit::execution run;
  run.threads = topsplit::threading::callback;
  run.parallel_for_width = 3;
  run.parallel_for = [](void*, std::int32_t, void (*)(void*, std::int32_t), void*) { FAIL() << "explain ran a task"; };
  run.stream_from_bytes = never;
  const topsplit::explanation told = explained(run, 2);
  EXPECT_STREQ(told.algorithm, "blocks");
  EXPECT_EQ(told.tasks, 3);
  EXPECT_EQ(told.units, 20000000);
  EXPECT_STREQ(told.unit, "bytes");
  EXPECT_EQ(told.heap_bytes, 0u);
  EXPECT_STREQ(explained(run, 100).algorithm, "pieces");
  run.isa = topsplit::isa::generic;
  run.stream_from_bytes = 1;
  EXPECT_STREQ(explained(run, 2).algorithm, "blocks") << "no stores past the cache";
}

// Rows of four bytes would be narrow pieces, were they not one after the other in both.
TEST(explain_test, a_part_that_takes_the_whole_axis_is_one_block) {
  const std::int64_t shape[] = {1000, 2}, sizes[] = {0, 2, 0};
  topsplit::explanation told = {};
  const topsplit::const_tensor in = {nullptr, topsplit::data_type::f16, shape, 2};
  ASSERT_TRUE(explain_split(in, sizes, 3, {1, {}}, told).ok());
  EXPECT_STREQ(told.algorithm, "blocks");
  EXPECT_EQ(told.units, 4000);
}

#if defined(TOPSPLIT_HAVE_SSE2)
TEST(explain_test, split_is_streamed_when_its_outputs_are_large) {
  topsplit::execution run;
  run.threads = topsplit::threading::serial;
  run.isa = topsplit::isa::sse2;
  run.stream_from_bytes = 20000000;
  EXPECT_STREQ(explained(run, 2).algorithm, "streamed_blocks");
  run.stream_from_bytes = 20000001;
  EXPECT_STREQ(explained(run, 2).algorithm, "blocks");
}
#endif

TEST(explain_test, strings_are_counted_and_their_memory_is_not_known) {
  const std::int64_t shape[] = {5, 2};
  topsplit::explanation told = {};
  const topsplit::status s = explain_split({nullptr, topsplit::data_type::string, shape, 2}, nullptr, 5, {}, told);
  ASSERT_TRUE(s.ok()) << s.text();
  EXPECT_EQ(told.tasks, 1);
  EXPECT_EQ(told.units, 10);
  EXPECT_STREQ(told.unit, "strings");
  EXPECT_EQ(told.heap_bytes, std::numeric_limits<std::size_t>::max());
}

}  // namespace
