// The memory law's second half: no task needs more than 32 KiB of stack, nor more than explain says. The call and each of its
// tasks run on painted stacks, for every ISA, algorithm and type, with n and k up to large ones. Sanitizers
// make frames larger; there this test is not registered.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/painted_stack.h"
#include "tests/runs.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::data_type;
using topsplit::status;

constexpr std::size_t bound = 32 * 1024;

// An engine's parallel-for that runs every task on a painted stack and keeps the greatest depth.
struct painted_tasks {
  painted_stack stack;
  std::size_t deepest = 0;

  static void run(void* self, std::int32_t count, void (*task)(void*, std::int32_t), void* context) {
    auto& tasks = *static_cast<painted_tasks*>(self);
    for (std::int32_t i = 0; i < count; ++i) {
      tasks.deepest = std::max(tasks.deepest, tasks.stack.depth_of([&] { task(context, i); }));
    }
  }
  topsplit::execution execution(topsplit::isa isa) {
    topsplit::execution result = on_caller(isa, 3);
    result.parallel_for = run;
    result.parallel_for_context = this;
    return result;
  }
};

TEST(stack, the_paint_shows_what_was_used) {
  painted_stack stack;
  const auto use = [&stack](std::size_t bytes) {
    return stack.depth_of([bytes] {
      auto* const memory = static_cast<volatile char*>(__builtin_alloca(bytes));
      std::fill_n(memory, bytes, 'x');
    });
  };
  EXPECT_GE(use(100000), 100000U);
  EXPECT_LE(use(1000), 4096U);
}

// Runs call(execution) both ways; explained is what the library promises.
template <class Call>
void check_depth(topsplit::isa isa, std::size_t explained, const std::string& what, Call call) {
  static painted_stack stack;
  static painted_tasks tasks;
  tasks.deepest = 0;
  bool ok = false;
  const std::size_t whole_call = stack.depth_of([&] { ok = call(serial(isa)); });
  EXPECT_TRUE(ok) << what;
  EXPECT_LE(whole_call, bound) << what << ", serial " << topsplit::isa_name(isa);
  EXPECT_LE(whole_call, explained) << what << ", serial " << topsplit::isa_name(isa);
  EXPECT_TRUE(call(tasks.execution(isa))) << what;
  EXPECT_LE(tasks.deepest, bound) << what << ", a task, " << topsplit::isa_name(isa);
  EXPECT_LE(explained, bound) << what;
}

struct topk_size {
  oracle::shape_t shape;
  std::int64_t axis, k;
};

void check_topk(data_type type, const topk_size& size, inputs::distribution input) {
  const oracle::shape_t out = oracle::with_axis(size.shape, size.axis, size.k);
  const oracle::bytes_t x = inputs::make(input, type, size.shape, size.axis, 1);
  oracle::bytes_t values(oracle::elements(out) * oracle::element_bytes(type));
  std::vector<std::int64_t> indices(oracle::elements(out));
  const topsplit::const_tensor in{x.data(), type, size.shape.data(), size.shape.size()};
  const std::string what = std::string(topsplit::data_type_name(type)) + testing::PrintToString(size.shape) + " axis " +
                           std::to_string(size.axis) + " k " + std::to_string(size.k);
  for (const topsplit::isa isa : available_isas()) {
    for (const auto select : {topsplit::topk_select::largest, topsplit::topk_select::smallest}) {
      for (const auto order : {topsplit::topk_order::by_value, topsplit::topk_order::by_index}) {
        topsplit::topk_options options;
        options.axis = size.axis;
        options.select = select;
        options.order = order;
        options.run = serial(isa);
        topsplit::explanation explained;
        ASSERT_TRUE(topsplit::explain_topk(in, size.k, options, explained).ok());
        check_depth(isa, explained.stack_bytes, what, [&](const topsplit::execution& run) {
          options.run = run;
          return topsplit::topk(in, size.k, {values.data(), type, out.data(), out.size()},
                                {indices.data(), data_type::i64, out.data(), out.size()}, options)
              .ok();
        });
      }
    }
  }
}

class stack_of : public testing::TestWithParam<data_type> {};

TEST_P(stack_of, topk) {
  const topk_size sizes[] = {
      {{3, 17}, 1, 1},      {{3, 17}, 1, 5},      {{3, 17}, 1, 17},       {{3, 5000}, 1, 1},
      {{3, 5000}, 1, 50},   {{3, 5000}, 1, 2500}, {{3, 5000}, 1, 5000},   {{1 << 15}, 0, 1 << 12},
      {{2, 300, 70}, 1, 1}, {{2, 300, 70}, 1, 7}, {{2, 300, 70}, 1, 150}, {{2, 300, 70}, 1, 300},
      {{9, 3}, 0, 4},
  };
  auto input = inputs::distribution::random;
  for (const topk_size& size : sizes) {
    ASSERT_NO_FATAL_FAILURE(check_topk(GetParam(), size, input));
    input = input == inputs::distribution::random ? inputs::distribution::ascending : inputs::distribution::random;
  }
}

// Nothing explains these two: the bound is the contract's.
TEST_P(stack_of, topk_in_pieces) {
  const std::size_t size = oracle::element_bytes(GetParam());
  for (const oracle::shape_t& shape : {oracle::shape_t{9, 300, 1}, oracle::shape_t{3, 20, 70}}) {
    const std::int64_t n = shape[1], k = n / 2;
    const oracle::shape_t out = oracle::with_axis(shape, 1, k);
    const oracle::bytes_t x = inputs::make(inputs::distribution::ascending, GetParam(), shape, 1, 1);
    const std::vector<std::int64_t> labels(oracle::elements(shape), 7);
    oracle::bytes_t values(oracle::elements(out) * size);
    std::vector<std::int64_t> indices(oracle::elements(out));
    const topsplit::const_tensor in{x.data(), GetParam(), shape.data(), 3};
    const topsplit::const_tensor in_labels{labels.data(), data_type::i64, shape.data(), 3};
    const topsplit::tensor v{values.data(), GetParam(), out.data(), 3};
    const topsplit::tensor i{indices.data(), data_type::i64, out.data(), 3};
    const std::vector<topsplit::topk_part> parts(70, {in, in_labels, 1});
    for (const topsplit::isa isa : available_isas()) {
      for (const auto order : {topsplit::topk_order::by_value, topsplit::topk_order::by_index}) {
        topsplit::topk_options options;
        options.axis = 1;
        options.order = order;
        check_depth(isa, bound, "merge", [&](const topsplit::execution& run) {
          options.run = run;
          return topsplit::merge_topk(parts.data(), parts.size(), k, v, i, options).ok();
        });
        check_depth(isa, bound, "extend", [&](const topsplit::execution& run) {
          options.run = run;
          return topsplit::extend_topk(in, 0, 0, v, i, options).ok() &&
                 topsplit::extend_topk(in, n, k, v, i, options).ok();
        });
      }
    }
  }
}

TEST_P(stack_of, split) {
  const std::size_t element = oracle::element_bytes(GetParam());
  for (const std::size_t parts : std::initializer_list<std::size_t>{1, 3, 128, 129, 1000}) {
    const oracle::shape_t shape{9, static_cast<std::int64_t>(3 * parts)};
    const oracle::shape_t part_shape{9, 3};
    const oracle::bytes_t x = inputs::random_bytes(GetParam(), oracle::elements(shape), 1);
    oracle::bytes_t memory(x.size());
    std::vector<topsplit::tensor> outputs;
    for (std::size_t p = 0; p < parts; ++p) {
      outputs.push_back({memory.data() + 27 * element * p, GetParam(), part_shape.data(), 2});
    }
    const topsplit::const_tensor in{x.data(), GetParam(), shape.data(), 2};
    for (const topsplit::isa isa : available_isas()) {
      topsplit::split_options options;
      options.axis = 1;
      options.run = serial(isa);
      topsplit::explanation explained;
      ASSERT_TRUE(topsplit::explain_split(in, nullptr, parts, options, explained).ok());
      check_depth(isa, explained.stack_bytes, std::to_string(parts) + " parts", [&](const topsplit::execution& run) {
        options.run = run;
        return topsplit::split(in, nullptr, outputs.data(), parts, options).ok();
      });
    }
  }
}

std::string name_of(const testing::TestParamInfo<data_type>& info) { return topsplit::data_type_name(info.param); }
INSTANTIATE_TEST_SUITE_P(each, stack_of, testing::ValuesIn(inputs::topk_types), name_of);

// A refused call makes a text: its way down is bounded too.
TEST(stack, refused_calls) {
  painted_stack stack;
  const std::int64_t shape[2] = {3, 7};
  const float x[21] = {};
  std::int64_t inferred[2];
  EXPECT_LE(stack.depth_of([&] { (void)topsplit::infer_topk({x, data_type::f32, shape, 2}, 9, 1, inferred); }), bound);
  EXPECT_LE(stack.depth_of([&] {
    const std::int64_t sizes[2] = {6, -2};
    (void)topsplit::infer_split({x, data_type::f32, shape, 2}, sizes, 2, 1, inferred);
  }),
            bound);
  EXPECT_LE(stack.depth_of([&] { (void)topsplit::merge_topk(nullptr, 1, 9, {}, {}); }), bound);
  topsplit::isa isa;
  EXPECT_LE(stack.depth_of([&] { (void)topsplit::isa_from_name("garbage", isa); }), bound);
}

}  // namespace
