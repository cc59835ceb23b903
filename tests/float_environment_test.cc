// The calling thread's floating-point mode changes no result, and no call, nor loading the library, changes the mode: with
// denormals flushed and in every rounding direction, on every ISA, serially and on four threads.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>

#include <atomic>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/float_mode.h"
#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/runs.h"
#include "tests/split_check.h"
#include "tests/topk_check.h"
#include "topsplit/c_api.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::data_type;

constexpr int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
constexpr data_type float_types[] = {data_type::f16, data_type::bf16, data_type::f32, data_type::f64};
constexpr inputs::distribution hard_inputs[] = {inputs::distribution::denormals, inputs::distribution::nan_mix,
                                                inputs::distribution::both_zeros, inputs::distribution::bit_patterns};

// Serial, four tasks in the arena, and four threads of the caller's.
std::vector<topsplit::execution> all_runs() {
  std::vector<topsplit::execution> runs;
  for (const topsplit::isa isa : available_isas()) {
    runs.insert(runs.end(), {serial(isa), forced_parallel(isa, 4), on_threads(isa, 4)});
  }
  return runs;
}

// The answer is found in the default mode; then the calls are made in others, and the mode is looked at after each.
class float_environment : public testing::TestWithParam<data_type> {
 protected:
  static bool same_in_every_mode(topk_subject& subject, red_zone_buffer& values, red_zone_buffer& indices,
                                 std::int64_t k, topsplit::topk_options options) {
    for (const topsplit::execution& run : all_runs()) {
      options.run = run;
      for (const int rounding : roundings) {
        for (const bool flush : {true, false}) {
          const oracle::topk_result expected = subject.expected(k, options);
          const float_mode mode(rounding, flush);
          const auto before = float_control();
          const bool good = subject.check_one(k, options, values, indices, expected);
          const bool mode_kept = float_control() == before;
          EXPECT_TRUE(mode_kept) << describe(run) << " changed the floating-point mode";
          if (!good || !mode_kept) {
            ADD_FAILURE() << "rounding " << rounding << (flush ? ", denormals flushed" : "");
            return false;
          }
        }
      }
    }
    return true;
  }
};

TEST_P(float_environment, topk_is_the_same_in_every_mode) {
  const oracle::shape_t shape{4, 41, 5};
  const std::size_t size = oracle::element_bytes(GetParam());
  for (const std::int64_t axis : {1, 2}) {
    const std::int64_t k = axis == 1 ? 6 : 2;
    const std::size_t count = oracle::elements(oracle::with_axis(shape, axis, k));
    red_zone_buffer values(count * size);
    red_zone_buffer indices(count * sizeof(std::int64_t));
    for (const inputs::distribution input : hard_inputs) {
      topk_subject subject(GetParam(), shape, axis, inputs::make(input, GetParam(), shape, axis, 125));
      for (const auto select : {topsplit::topk_select::largest, topsplit::topk_select::smallest}) {
        topsplit::topk_options options;
        options.axis = axis;
        options.select = select;
        ASSERT_TRUE(same_in_every_mode(subject, values, indices, k, options)) << "axis " << axis;
      }
    }
  }
}

TEST_P(float_environment, split_is_the_same_in_every_mode) {
  const oracle::shape_t shape{4, 41, 5};
  const oracle::bytes_t x = inputs::make(inputs::distribution::bit_patterns, GetParam(), shape, 1, 1);
  const std::vector<oracle::bytes_t> expected = oracle::split_bytes(GetParam(), x.data(), shape, 1, {40, 1});
  oracle::bytes_t first(expected[0].size());
  oracle::bytes_t second(expected[1].size());
  for (const topsplit::execution& run : all_runs()) {
    for (const int rounding : roundings) {
      const float_mode mode(rounding, true);
      const auto before = float_control();
      const split_subject subject{GetParam(), shape, 1, {40, 1}};
      ASSERT_TRUE(subject.run(x.data(), {first.data(), second.data()}, run).ok());
      ASSERT_EQ(float_control(), before) << describe(run);
      ASSERT_TRUE(first == expected[0] && second == expected[1]) << describe(run);
    }
  }
}

std::string name_of(const testing::TestParamInfo<data_type>& info) { return topsplit::data_type_name(info.param); }
INSTANTIATE_TEST_SUITE_P(each, float_environment, testing::ValuesIn(float_types), name_of);

// The 41 denormals 0, 1, ... 40 units of the last place, shuffled; exact answers are known.
TEST(float_environment, a_row_of_denormals_under_daz) {
  std::vector<float> x(41);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::ldexp(static_cast<float>((7 * i + 3) % 41), -149);
  }
  for (const topsplit::execution& run : all_runs()) {
    std::vector<float> values(6);
    std::vector<std::int64_t> indices(6);
    topsplit::topk_options options;
    options.run = run;
    const float_mode mode(FE_TONEAREST, true);
    ASSERT_TRUE(topsplit::topk_rows(x.data(), 1, 41, 6, values.data(), indices.data(), options).ok());
    ASSERT_EQ(indices, (std::vector<std::int64_t>{17, 11, 5, 40, 34, 28})) << describe(run);
    for (std::size_t i = 0; i < 6; ++i) {
      ASSERT_EQ(std::memcmp(&values[i], &x[static_cast<std::size_t>(indices[i])], sizeof(float)), 0);
    }
  }
}

// What threads of the scheduler's see; they were started in the default mode.
bool workers_have(decltype(float_control()) expected) {
  std::atomic<bool> same{true};
  tbb::parallel_for(0, 1000, [&](int) {
    if (float_control() != expected) {
      same = false;
    }
  });
  return same;
}

TEST(float_environment, workers_keep_the_default_mode) {
  const auto before = float_control();
  for (const topsplit::execution& run : all_runs()) {
    std::vector<float> x(4 * 41, std::ldexp(1.0F, -149));
    std::vector<float> values(4 * 6);
    std::vector<std::int64_t> indices(4 * 6);
    topsplit::topk_options options;
    options.run = run;
    ASSERT_TRUE(topsplit::topk_rows(x.data(), 4, 41, 6, values.data(), indices.data(), options).ok());
    ASSERT_EQ(float_control(), before) << describe(run);
    ASSERT_TRUE(workers_have(before)) << describe(run);
  }
}

// The shared library, loaded by a thread whose mode is known: as a plug-in of a host would be.
TEST(float_environment, loading_the_library_changes_nothing) {
  const std::string path = TOPSPLIT_SHARED_LIBRARY;
  if (path.empty()) {
    GTEST_SKIP() << "float_environment.loading_the_library_changes_nothing: this build has no shared library";
  }
  const auto before = float_control();
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(float_control(), before);
  const auto topk = reinterpret_cast<decltype(&topsplit_topk)>(dlsym(library, "topsplit_topk"));
  ASSERT_NE(topk, nullptr) << dlerror();
  const std::int64_t in_shape[2] = {4, 41};
  const std::int64_t out_shape[2] = {4, 6};
  const std::vector<float> x(4 * 41, std::ldexp(1.0F, -149));
  std::vector<float> values(4 * 6);
  std::vector<std::int64_t> indices(4 * 6);
  const topsplit_const_tensor in{x.data(), TOPSPLIT_TYPE_F32, in_shape, 2};
  const topsplit_tensor out{values.data(), TOPSPLIT_TYPE_F32, out_shape, 2};
  const topsplit_tensor out_indices{indices.data(), TOPSPLIT_TYPE_I64, out_shape, 2};
  topsplit_execution run{};
  run.struct_size = sizeof run;
  run.grain_bytes = 1;
  run.parallel_from_bytes = 1;
  topsplit_topk_options options{};
  options.struct_size = sizeof options;
  options.run = &run;
  for (const std::int32_t tasks : {1, 4}) {
    run.max_tasks = tasks;
    topsplit_status status;
    ASSERT_EQ(topk(&in, 6, -1, &out, &out_indices, &options, &status), TOPSPLIT_OK) << status.text;
    EXPECT_EQ(float_control(), before);
    EXPECT_TRUE(workers_have(before));
    EXPECT_EQ(std::memcmp(values.data(), x.data(), values.size() * sizeof(float)), 0);
  }
  EXPECT_EQ(dlclose(library), 0);
}

}  // namespace
