// Every kind of bad input to merge_topk and extend_topk: refused with the exact text, and no output byte is touched.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/refusal.h"
#include "tests/runs.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::const_tensor;
using topsplit::data_type;
using topsplit::status;
using topsplit::status_code;
using topsplit::tensor;

constexpr std::int64_t most = INT64_MAX;

// Outputs of [2, 3] floats in patterned memory.
struct outputs {
  std::vector<std::int64_t> out_shape = {2, 3};
  patterned<float> values_memory{16};
  patterned<std::int64_t> indices_memory{16};
  tensor values = {values_memory.data(), data_type::f32, out_shape.data(), 2};
  tensor indices = {indices_memory.data(), data_type::i64, out_shape.data(), 2};
  topsplit::topk_options options;

  void expect_text(const status& s, const std::string& text, status_code code) const {
    EXPECT_EQ(s.text(), text);
    EXPECT_EQ(s.code(), code);
    EXPECT_TRUE(values_memory.is_untouched());
    EXPECT_TRUE(indices_memory.is_untouched());
  }
};

// Parts of [2, 3] and [2, 2] floats, k = 3, for a test to spoil.
struct merge_call : outputs {
  std::vector<std::int64_t> shape0 = {2, 3}, shape1 = {2, 2};
  std::vector<float> floats = std::vector<float>(16, 1.0f);
  std::vector<std::int64_t> labels = std::vector<std::int64_t>(16, 4);
  std::vector<topsplit::topk_part> parts = {
      {{floats.data(), data_type::f32, shape0.data(), 2}, {labels.data(), data_type::i64, shape0.data(), 2}, 0},
      {{floats.data(), data_type::f32, shape1.data(), 2}, {labels.data(), data_type::i64, shape1.data(), 2}, 10}};
  std::size_t count = 2;
  std::int64_t k = 3;

  status run() const { return topsplit::merge_topk(parts.data(), count, k, values, indices, options); }
  void refused(const std::string& text, status_code code = status_code::invalid_argument) const {
    expect_text(run(), text, code);
  }
};

// A block of [2, 4] floats after 2 of 3 held elements.
struct extend_call : outputs {
  std::vector<std::int64_t> x_shape = {2, 4};
  std::vector<float> floats = std::vector<float>(16, 1.0f);
  const_tensor x = {floats.data(), data_type::f32, x_shape.data(), 2};
  std::int64_t offset = 2, held = 2;

  status run() const { return topsplit::extend_topk(x, offset, held, values, indices, options); }
  void refused(const std::string& text, status_code code = status_code::invalid_argument) const {
    expect_text(run(), text, code);
  }
};

TEST(topk_merge_errors, the_calls_that_the_others_spoil_are_good) {
  EXPECT_STREQ(merge_call().run().text(), "");
  EXPECT_STREQ(extend_call().run().text(), "");
}

template <class Call>
void check_outputs() {
  Call call;
  call.values.type = data_type::boolean;
  call.refused("TopK: values has type bool (9), which TopK does not take", status_code::unsupported_type);
  call = Call();
  call.values.shape = nullptr;
  call.refused("TopK: values has rank 2 but a null shape");
  call = Call();
  call.options.axis = 2;
  call.refused("TopK: values has rank 2: axis 2 is outside [-2, 1]");
  call = Call();
  call.out_shape = {2, -3};
  call.refused("TopK: values has length -3 in dimension 1");
  call.out_shape = {2, most};
  call.refused(
      "TopK: values is too large: with length 9223372036854775807 in dimension 1 it exceeds "
      "9223372036854775807 bytes");
  call = Call();
  call.indices.type = data_type::i32;
  call.refused("TopK: indices has type int32 (6), expected int64 (7)");
  call = Call();
  const std::int64_t other[2] = {2, 4};
  call.indices.shape = other;
  call.refused("TopK: indices has length 4 in dimension 1, expected 3");
  call = Call();
  call.values.data = nullptr;
  call.refused("TopK: values has null data but 24 bytes");
  call = Call();
  call.indices.data = nullptr;
  call.refused("TopK: indices has null data but 48 bytes");
  call = Call();
  call.indices.data = call.values.data;
  call.refused("TopK: indices (48 bytes) overlaps values (24 bytes)");
}

template <class Call>
void check_options() {
  Call call;
  call.options.select = static_cast<topsplit::topk_select>(2);
  call.refused("TopK: select = 2 is neither largest (0) nor smallest (1)");
  call = Call();
  call.options.order = static_cast<topsplit::topk_order>(-1);
  call.refused("TopK: order = -1 is neither by_value (0) nor by_index (1)");
  call = Call();
  call.options.run.max_tasks = -4;
  call.refused("TopK: max_tasks = -4 is negative");
  call = Call();
  call.options.run.isa = static_cast<topsplit::isa>(99);
  expect_refused(call.run(), status_code::unavailable_isa, "TopK: ", {"99", "generic"});
  EXPECT_TRUE(call.values_memory.is_untouched());
}

TEST(topk_merge_errors, outputs) {
  check_outputs<merge_call>();
  check_outputs<extend_call>();
}

TEST(topk_merge_errors, options) {
  check_options<merge_call>();
  check_options<extend_call>();
}

TEST(topk_merge_errors, k) {
  merge_call call;
  call.k = -1;
  call.refused("TopK: k = -1 is negative");
  call.k = 4;
  call.refused("TopK: values has length 3 in dimension 1, expected 4");
  call.out_shape = {2, 6};
  call.k = 6;
  call.refused("TopK: k = 6 exceeds the 5 elements that 2 parts have along axis 1");
}

TEST(topk_merge_errors, parts) {
  merge_call call;
  call.count = 0;
  call.refused("TopK: count = 0: there is no part to merge");
  call = merge_call();
  EXPECT_STREQ(topsplit::merge_topk(nullptr, 2, 3, call.values, call.indices).text(),
               "TopK: parts is null, but count = 2");
  call.parts[1].values.type = data_type::f64;
  call.refused("TopK: values of part 1 has type double (11), expected float (1)");
  call = merge_call();
  call.parts[1].values.rank = 1;
  call.refused("TopK: values of part 1 has rank 1, expected 2");
  call = merge_call();
  call.parts[0].values.shape = nullptr;
  call.refused("TopK: values of part 0 has rank 2 but a null shape");
  call = merge_call();
  call.shape1 = {3, 2};
  call.refused("TopK: values of part 1 has length 3 in dimension 0, expected 2");
  call.shape1 = {2, -2};
  call.refused("TopK: values of part 1 has length -2 in dimension 1");
  call = merge_call();
  call.parts[1].indices.type = data_type::u64;
  call.refused("TopK: indices of part 1 has type uint64 (13), expected int64 (7)");
  call = merge_call();
  call.parts[1].indices.shape = call.shape0.data();
  call.refused("TopK: indices of part 1 has length 3 in dimension 1, expected 2");
}

TEST(topk_merge_errors, data_of_parts) {
  merge_call call;
  call.parts[1].values.data = nullptr;
  call.refused("TopK: values of part 1 has null data but 16 bytes");
  call = merge_call();
  call.parts[1].indices.data = nullptr;
  call.refused("TopK: indices of part 1 has null data but 32 bytes");
  call = merge_call();
  call.parts[0].indices.data = reinterpret_cast<const std::byte*>(call.labels.data()) + 4;
  expect_refused(call.run(), status_code::invalid_argument, "TopK: indices of part 0 ",
                 {"misaligned", "multiple of 8"});
  call = merge_call();
  call.parts[1].values.data = call.values_memory.data() + 5;
  call.refused("TopK: values (24 bytes) overlaps values of part 1 (16 bytes)");
  call = merge_call();
  call.parts[1].indices.data = call.indices_memory.data() + 5;
  call.refused("TopK: indices (48 bytes) overlaps indices of part 1 (32 bytes)");
  call = merge_call();
  call.values.data = call.labels.data();
  call.refused("TopK: values (24 bytes) overlaps indices of part 0 (48 bytes)");
}

TEST(topk_merge_errors, indices_of_parts) {
  for (const topsplit::execution& run : {serial(topsplit::isa::automatic), on_caller(topsplit::isa::automatic, 2)}) {
    merge_call call;
    call.options.run = run;
    call.parts[1].index_offset = -1;
    call.refused("TopK: index_offset of part 1 = -1 is negative");
    call.parts[1].index_offset = most - 3;
    call.refused(
        "TopK: indices of part 1 has 4 at element 0, which index_offset = 9223372036854775804 takes beyond "
        "9223372036854775807");
    call.parts[1].index_offset = most - 4;
    call.labels[5] = -7;  // of part 0 alone
    call.refused("TopK: indices of part 0 has -7 at element 5, which is negative");
    call.labels[2] = INT64_MIN;
    call.refused("TopK: indices of part 0 has -9223372036854775808 at element 2, which is negative");
    call.labels[2] = call.labels[5] = most;
    EXPECT_STREQ(call.run().text(),
                 "TopK: indices of part 1 has 9223372036854775807 at element 2, which index_offset = "
                 "9223372036854775803 takes beyond 9223372036854775807");
    EXPECT_TRUE(call.values_memory.is_untouched());
    call.labels[2] = 4;
    EXPECT_STREQ(call.run().text(), "");
  }
}

TEST(topk_merge_errors, held_and_offset) {
  extend_call call;
  call.held = -1;
  call.refused("TopK: held = -1 is negative");
  call.held = 4;
  call.refused("TopK: held = 4 exceeds axis 1 of values of length 3");
  call.held = (std::int64_t{1} << 32) + 1;
  call.refused("TopK: held = 4294967297 exceeds axis 1 of values of length 3");
  call = extend_call();
  call.offset = -2;
  call.refused("TopK: index_offset = -2 is negative");
  call.offset = most - 2;
  call.refused(
      "TopK: index_offset = 9223372036854775805 takes the last of axis 1 of length 4 beyond "
      "9223372036854775807");
  call.offset = most - 3;
  EXPECT_STREQ(call.run().text(), "");
}

TEST(topk_merge_errors, x) {
  extend_call call;
  call.x.type = data_type::f64;
  call.refused("TopK: x has type double (11), expected float (1)");
  call = extend_call();
  call.x.rank = 0;
  call.refused("TopK: x has rank 0, expected 2");
  call = extend_call();
  call.x_shape = {3, 4};
  call.refused("TopK: x has length 3 in dimension 0, expected 2");
  call.x_shape = {2, -4};
  call.refused("TopK: x has length -4 in dimension 1");
  call.x_shape = {2, most / 16 + 1};
  call.refused(
      "TopK: x is too large: with length 576460752303423488 in dimension 1 it exceeds 9223372036854775807 bytes");
  call = extend_call();
  call.x.data = nullptr;
  call.refused("TopK: x has null data but 32 bytes");
  call = extend_call();
  call.x.data = call.values_memory.data() + 2;
  call.refused("TopK: values (24 bytes) overlaps x (32 bytes)");
  call = extend_call();
  call.x.data = call.indices_memory.data() + 5;
  call.refused("TopK: indices (48 bytes) overlaps x (32 bytes)");
}

}  // namespace
