// The prepared TopK: which version an opset resolves to, and what each version takes and refuses: types, attributes,
// and where k comes from. The tables are those of the operator's page, written out again.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/refusal.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::const_tensor;
using topsplit::data_type;
using topsplit::status;
using topsplit::status_code;
using topsplit::tensor;
using topsplit::topk_attributes;
using topsplit::topk_operator;

constexpr const_tensor absent = {};
constexpr auto invalid = status_code::invalid_argument;
constexpr std::int64_t i64_max = std::numeric_limits<std::int64_t>::max();

struct version_row {
  std::int64_t opset;
  std::int32_t version;
};

// The 16 types' ONNX numbers.
const std::set<int> floats = {1, 10, 11};
const std::set<int> floats_and_integers = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13};
const std::set<int> topk_24 = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 16};

topk_attributes topk_attributes_of(std::int64_t opset) {
  topk_attributes attributes;
  if (opset < 10) attributes.k = 2;
  return attributes;
}

status make_topk(std::int64_t opset, const topk_attributes& attributes, data_type type = data_type::f32) {
  topk_operator op;
  return topk_operator::make(opset, attributes, type, {}, op);
}

TEST(topk_operator_test, versions_and_types) {
  for (const version_row& row : std::vector<version_row>{
           {1, 1}, {2, 1}, {9, 1}, {10, 10}, {11, 11}, {12, 11}, {23, 11}, {24, 24}, {28, 24}, {i64_max, 24}}) {
    const std::set<int>& types = row.version < 11 ? floats : row.version < 24 ? floats_and_integers : topk_24;
    for (int type = -1; type < 40; ++type) {
      topk_operator op;
      const status s =
          topk_operator::make(row.opset, topk_attributes_of(row.opset), static_cast<data_type>(type), {}, op);
      if (types.count(type) != 0) {
        EXPECT_TRUE(s.ok()) << s.text();
        EXPECT_EQ(op.version(), row.version);
      } else {
        expect_refused(s, status_code::unsupported_type,
                       "TopK: ", {"version " + std::to_string(row.version), "(" + std::to_string(type) + ")"});
        EXPECT_EQ(op.version(), 0);
      }
    }
  }
  for (const std::int64_t opset : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    expect_refused(make_topk(opset, {}), invalid, "TopK: ", {"opset " + std::to_string(opset)});
  }
}

TEST(topk_operator_test, attributes_by_version) {
  topk_attributes with_k, with_largest, with_sorted;
  with_k.k = 2;
  with_largest.largest = 1;
  with_sorted.sorted = 1;
  for (const std::int64_t opset : {10, 11, 24}) {
    expect_refused(make_topk(opset, with_k), invalid,
                   "TopK: ", {"version " + std::to_string(opset), "attribute k", "k = 2"});
  }
  with_largest.k = with_sorted.k = 2;
  expect_refused(make_topk(1, with_largest), invalid, "TopK: ", {"version 1", "largest = 1"});
  expect_refused(make_topk(1, with_sorted), invalid, "TopK: ", {"version 1", "sorted = 1"});
  with_largest.k = with_sorted.k = std::nullopt;
  expect_refused(make_topk(10, with_largest), invalid, "TopK: ", {"version 10", "largest = 1"});
  expect_refused(make_topk(10, with_sorted), invalid, "TopK: ", {"version 10", "sorted = 1"});
  EXPECT_TRUE(make_topk(11, with_largest).ok());
  EXPECT_TRUE(make_topk(24, with_sorted).ok());
}

TEST(topk_operator_test, flags_are_0_or_1) {
  for (const std::int64_t value : {std::int64_t{2}, std::int64_t{-1}, std::int64_t{1} << 32}) {
    topk_attributes attributes;
    attributes.largest = value;
    expect_refused(make_topk(11, attributes), invalid, "TopK: ", {"largest = " + std::to_string(value)});
    attributes.largest = 0;
    attributes.sorted = value;
    expect_refused(make_topk(24, attributes), invalid, "TopK: ", {"sorted = " + std::to_string(value)});
  }
}

TEST(topk_operator_test, version_1_needs_a_positive_k) {
  expect_refused(make_topk(1, {}), invalid, "TopK: ", {"version 1", "attribute k"});
  for (const std::int64_t k : {std::int64_t{0}, std::int64_t{-1}, 1 - (std::int64_t{1} << 32)}) {
    topk_attributes attributes;
    attributes.k = k;
    expect_refused(make_topk(9, attributes), invalid, "TopK: ", {"k = " + std::to_string(k)});
  }
}

TEST(topk_operator_test, how_to_run_is_checked) {
  topk_operator op;
  topsplit::execution run;
  run.max_tasks = -2;
  expect_refused(topk_operator::make(11, {}, data_type::f32, run, op), invalid, "TopK: ", {"max_tasks = -2"});
  run.max_tasks = 0;
  run.isa = static_cast<topsplit::isa>(77);
  expect_refused(topk_operator::make(11, {}, data_type::f32, run, op), status_code::unavailable_isa, "TopK: ", {"77"});
}

// [2, 4] floats and the outputs of k = 2.
struct topk_run {
  std::vector<float> data = {3, 1, 4, 1, 5, 9, 2, 9};
  std::vector<std::int64_t> in_shape = {2, 4};
  std::vector<std::int64_t> out_shape = {2, 2};
  patterned<float> values_memory{4};
  patterned<std::int64_t> indices_memory{4};
  const_tensor x = {data.data(), data_type::f32, in_shape.data(), 2};

  status run(const topk_operator& op, const const_tensor& k) const {
    return op.run(x, k, {values_memory.data(), data_type::f32, out_shape.data(), 2},
                  {indices_memory.data(), data_type::i64, out_shape.data(), 2});
  }
  std::vector<float> values() const { return {values_memory.data(), values_memory.data() + 4}; }
  std::vector<std::int64_t> indices() const { return {indices_memory.data(), indices_memory.data() + 4}; }
  void refused(const topk_operator& op, const const_tensor& k, const std::vector<std::string>& words) const {
    const status s = run(op, k);
    expect_refused(s, invalid, "TopK: ", words);
    EXPECT_TRUE(values_memory.is_untouched());
    EXPECT_TRUE(indices_memory.is_untouched());
    std::int64_t shape[2] = {-7, -7};
    EXPECT_STREQ(op.infer(x, k, shape).text(), s.text());
    EXPECT_EQ(shape[0], -7);
    topsplit::explanation told = {};
    EXPECT_STREQ(op.explain(x, k, told).text(), s.text());
  }
};

const std::int64_t two = 2;
const std::int64_t one_element[] = {1};
const const_tensor k_two = {&two, data_type::i64, one_element, 1};

TEST(topk_operator_test, runs_of_each_version) {
  for (const std::int64_t opset : {1, 10, 11, 24}) {
    topk_operator op;
    ASSERT_TRUE(topk_operator::make(opset, topk_attributes_of(opset), data_type::f32, {}, op).ok());
    const const_tensor& k = opset == 1 ? absent : k_two;
    const topk_run call;
    const status s = call.run(op, k);
    ASSERT_TRUE(s.ok()) << s.text();
    EXPECT_EQ(call.values(), (std::vector<float>{4, 3, 9, 9}));
    EXPECT_EQ(call.indices(), (std::vector<std::int64_t>{2, 0, 1, 3}));
    std::int64_t shape[2] = {};
    ASSERT_TRUE(op.infer(call.x, k, shape).ok());
    EXPECT_EQ(shape[0], 2);
    EXPECT_EQ(shape[1], 2);
    topsplit::explanation told = {};
    ASSERT_TRUE(op.explain(call.x, k, told).ok());
    EXPECT_EQ(told.units, 2);
  }
}

TEST(topk_operator_test, make_settles_the_isa) {
  topk_operator op;
  ASSERT_TRUE(topk_operator::make(11, {}, data_type::f32, {}, op).ok());
  topsplit::isa widest = topsplit::isa::automatic;
  ASSERT_TRUE(topsplit::selected_isa(widest).ok());
  ASSERT_TRUE(topsplit::force_isa(topsplit::isa::generic).ok());
  topsplit::explanation told = {};
  const status s = op.explain(topk_run().x, k_two, told);
  ASSERT_TRUE(topsplit::force_isa(topsplit::isa::automatic).ok());
  ASSERT_TRUE(s.ok()) << s.text();
  EXPECT_EQ(told.isa, widest);
}

TEST(topk_operator_test, axis_largest_and_sorted_are_obeyed) {
  topk_attributes attributes;
  attributes.axis = -2;
  attributes.largest = 0;
  attributes.sorted = 0;
  topk_operator op;
  ASSERT_TRUE(topk_operator::make(11, attributes, data_type::f32, {}, op).ok());
  topk_run call;
  call.out_shape = {1, 4};
  const std::int64_t one = 1;
  const status s = call.run(op, {&one, data_type::i64, one_element, 1});
  ASSERT_TRUE(s.ok()) << s.text();
  EXPECT_EQ(call.values(), (std::vector<float>{3, 1, 2, 1}));
  EXPECT_EQ(call.indices(), (std::vector<std::int64_t>{0, 0, 1, 0}));
  attributes.axis = -1;
  ASSERT_TRUE(topk_operator::make(11, attributes, data_type::f32, {}, op).ok());
  call.out_shape = {2, 2};
  ASSERT_TRUE(call.run(op, k_two).ok());
  EXPECT_EQ(call.indices(), (std::vector<std::int64_t>{1, 3, 0, 2})) << "ascending index";
}

TEST(topk_operator_test, the_input_k) {
  topk_operator op;
  ASSERT_TRUE(topk_operator::make(11, {}, data_type::f32, {}, op).ok());
  const topk_run call;
  call.refused(op, absent, {"version 11", "input K"});
  call.refused(op, {&two, data_type::i64, nullptr, 0}, {"K", "rank 0", "1-D", "1"});
  const std::int64_t pair[] = {2, 2};
  const std::int64_t shapes[] = {2, 1, 1};
  call.refused(op, {pair, data_type::i64, shapes, 1}, {"K", "length 2", "expected 1"});
  call.refused(op, {pair, data_type::i64, shapes + 1, 2}, {"K", "rank 2"});
  call.refused(op, {nullptr, data_type::i64, one_element, 1}, {"K", "null", "8 bytes"});
  call.refused(op, {&two, data_type::i64, nullptr, 1}, {"K", "null shape"});
  call.refused(op, {&two, data_type::i32, one_element, 1}, {"K", "int32 (6)", "int64 (7)"});
  const std::int64_t none[] = {0};
  call.refused(op, {&two, data_type::i64, none, 1}, {"K", "length 0", "expected 1"});
  for (const std::int64_t k : {std::int64_t{-1}, std::int64_t{5}, (std::int64_t{1} << 32) + 1}) {
    call.refused(op, {&k, data_type::i64, one_element, 1}, {"k = " + std::to_string(k)});
  }

  std::byte bytes[9];
  std::memcpy(bytes + 1, &two, 8);
  EXPECT_TRUE(call.run(op, {bytes + 1, data_type::i64, one_element, 1}).ok()) << "K at any address";
}

TEST(topk_operator_test, version_1_has_no_input_k) {
  topk_operator op;
  ASSERT_TRUE(topk_operator::make(1, topk_attributes_of(1), data_type::f32, {}, op).ok());
  topk_run().refused(op, k_two, {"version 1", "input K", "k = 2"});
}

TEST(topk_operator_test, before_make_and_after_one_that_failed) {
  topk_operator op;
  topk_run().refused(op, k_two, {"never made"});
  ASSERT_FALSE(topk_operator::make(0, {}, data_type::f32, {}, op).ok());
  topk_run().refused(op, k_two, {"never made"});
  ASSERT_TRUE(topk_operator::make(11, {}, data_type::f32, {}, op).ok());
  ASSERT_FALSE(topk_operator::make(0, {}, data_type::f32, {}, op).ok());
  EXPECT_EQ(op.version(), 11) << "a failed make leaves the operator as it was";
}

TEST(topk_operator_test, another_type_than_made_for) {
  topk_operator op;
  ASSERT_TRUE(topk_operator::make(11, {}, data_type::f64, {}, op).ok());
  topk_run().refused(op, k_two, {"x", "float (1)", "double (11)"});
}

}  // namespace
