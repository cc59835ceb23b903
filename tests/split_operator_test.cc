// The prepared Split: which version an opset resolves to, and what each version takes and refuses: types, attributes,
// and where the sizes come from. The tables are those of the operator's page, written out again.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/refusal.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::const_tensor;
using topsplit::data_type;
using topsplit::split_attributes;
using topsplit::split_operator;
using topsplit::status;
using topsplit::status_code;
using topsplit::tensor;

constexpr const_tensor absent = {};
constexpr auto invalid = status_code::invalid_argument;
constexpr std::int64_t i64_max = std::numeric_limits<std::int64_t>::max();

struct version_row {
  std::int64_t opset;
  std::int32_t version;
};

// The 16 types' ONNX numbers.
const std::set<int> floats = {1, 10, 11};
const std::set<int> split_2 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const std::set<int> split_13 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

status make_split(std::int64_t opset, const split_attributes& attributes, std::size_t outputs = 2,
                  data_type type = data_type::f32) {
  split_operator op;
  return split_operator::make(opset, attributes, type, outputs, {}, op);
}

split_attributes with_num_outputs(std::int64_t n) {
  split_attributes attributes;
  attributes.num_outputs = n;
  return attributes;
}

split_attributes with_split(const std::vector<std::int64_t>& sizes) {
  split_attributes attributes;
  attributes.split = sizes.data();
  attributes.split_count = sizes.size();
  return attributes;
}

TEST(split_operator_test, versions_and_types) {
  for (const version_row& row : std::vector<version_row>{
           {1, 1}, {2, 2}, {10, 2}, {11, 11}, {12, 11}, {13, 13}, {17, 13}, {18, 18}, {24, 18}, {i64_max, 18}}) {
    const std::set<int>& types = row.version < 2 ? floats : row.version < 13 ? split_2 : split_13;
    for (int type = -1; type < 40; ++type) {
      split_operator op;
      const status s = split_operator::make(row.opset, {}, static_cast<data_type>(type), 3, {}, op);
      if (types.count(type) != 0) {
        EXPECT_TRUE(s.ok()) << s.text();
        EXPECT_EQ(op.version(), row.version);
        EXPECT_EQ(op.output_count(), 3u);
        EXPECT_EQ(op.axis(), 0);
      } else {
        expect_refused(s, status_code::unsupported_type,
                       "Split: ", {"version " + std::to_string(row.version), "(" + std::to_string(type) + ")"});
      }
    }
  }
  expect_refused(make_split(0, {}), invalid, "Split: ", {"opset 0"});
}

TEST(split_operator_test, attributes_by_version) {
  const std::vector<std::int64_t> sizes = {1, 3};
  for (const std::int64_t opset : {1, 2, 11}) {
    EXPECT_TRUE(make_split(opset, with_split(sizes)).ok());
    expect_refused(make_split(opset, with_num_outputs(2)), invalid,
                   "Split: ", {"version " + std::to_string(opset), "num_outputs = 2"});
  }
  for (const std::int64_t opset : {13, 18}) {
    expect_refused(make_split(opset, with_split(sizes)), invalid,
                   "Split: ", {"version " + std::to_string(opset), "attribute split", "2 sizes"});
  }
  expect_refused(make_split(13, with_num_outputs(2)), invalid, "Split: ", {"version 13", "num_outputs = 2"});
  EXPECT_TRUE(make_split(18, with_num_outputs(2)).ok());
}

TEST(split_operator_test, values_of_attributes) {
  expect_refused(make_split(18, {}, 0), invalid, "Split: ", {"0 outputs"});
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-1}}) {
    expect_refused(make_split(18, with_num_outputs(n)), invalid, "Split: ", {"num_outputs = " + std::to_string(n)});
  }
  expect_refused(make_split(18, with_num_outputs(3)), invalid, "Split: ", {"num_outputs = 3", "2 outputs"});
  expect_refused(make_split(18, with_num_outputs((std::int64_t{1} << 32) + 2)), invalid,
                 "Split: ", {"num_outputs = 4294967298", "2 outputs"});
  expect_refused(make_split(11, with_split({1, 2, 3})), invalid, "Split: ", {"3 sizes", "2 outputs"});
  expect_refused(make_split(11, with_split({6, -2})), invalid, "Split: ", {"split[1] = -2"});
  split_attributes null_sizes;
  null_sizes.split_count = 2;
  expect_refused(make_split(11, null_sizes), invalid, "Split: ", {"null", "2 sizes"});
}

// An axis of `length` floats and outputs of the sizes that are expected.
struct split_run {
  std::vector<std::int64_t> shape;
  std::vector<float> data;
  patterned<float> memory;
  std::vector<std::int64_t> sizes;
  std::vector<tensor> outputs;
  const_tensor input;

  explicit split_run(const std::vector<std::int64_t>& expected) : split_run(length_of(expected), expected) {}
  split_run(std::int64_t length, const std::vector<std::int64_t>& out)
      : shape{length}, memory(static_cast<std::size_t>(length) + 8), sizes(out) {
    for (std::int64_t i = 0; i < length; ++i) data.push_back(static_cast<float>(i));
    input = {data.data(), data_type::f32, shape.data(), 1};
    float* place = memory.data();
    for (const std::int64_t& size : sizes) {
      outputs.push_back({place, data_type::f32, &size, 1});
      place += size;
    }
  }
  static std::int64_t length_of(const std::vector<std::int64_t>& expected) {
    std::int64_t length = 0;
    for (const std::int64_t size : expected) length += size;
    return length;
  }

  // The outputs lie side by side, so that together they must read as the input.
  void gives(const split_operator& op, const const_tensor& given) const {
    const status s = op.run(input, given, outputs.data(), outputs.size());
    ASSERT_TRUE(s.ok()) << s.text();
    EXPECT_EQ(std::vector<float>(memory.data(), memory.data() + data.size()), data);
    std::vector<std::int64_t> inferred(sizes.size());
    ASSERT_TRUE(op.infer(input, given, inferred.data()).ok());
    EXPECT_EQ(inferred, sizes);
    topsplit::explanation told = {};
    ASSERT_TRUE(op.explain(input, given, told).ok());
    EXPECT_EQ(told.units, static_cast<std::int64_t>(data.size() * sizeof(float)));
  }
  void refused(const split_operator& op, const const_tensor& given, const std::vector<std::string>& words) const {
    const status s = op.run(input, given, outputs.data(), outputs.size());
    expect_refused(s, invalid, "Split: ", words);
    EXPECT_TRUE(memory.is_untouched());
    std::vector<std::int64_t> inferred(op.output_count() + 1, -7);
    EXPECT_STREQ(op.infer(input, given, inferred.data()).text(), s.text());
    EXPECT_EQ(inferred, std::vector<std::int64_t>(op.output_count() + 1, -7));
    topsplit::explanation told = {};
    EXPECT_STREQ(op.explain(input, given, told).text(), s.text());
  }
};

split_operator made(std::int64_t opset, const split_attributes& attributes, std::size_t outputs) {
  split_operator op;
  const status s = split_operator::make(opset, attributes, data_type::f32, outputs, {}, op);
  EXPECT_TRUE(s.ok()) << s.text();
  return op;
}

// A 1-D tensor of sizes that owns what it shows.
template <class T>
struct size_tensor {
  std::vector<T> sizes;
  std::int64_t length = static_cast<std::int64_t>(sizes.size());
  data_type type = topsplit::data_type_of<T>;
  operator const_tensor() const { return {sizes.data(), type, &length, 1}; }
};

TEST(split_operator_test, equal_parts_to_17_must_divide) {
  for (const std::int64_t opset : {1, 2, 11, 13}) {
    split_run({2, 2, 2}).gives(made(opset, {}, 3), absent);
    split_run({0, 0}).gives(made(opset, {}, 2), absent);
    split_run(7, {3, 2, 2}).refused(made(opset, {}, 3), absent, {"axis 0", "length 7", "3 equal parts"});
  }
}

TEST(split_operator_test, num_outputs) {
  split_run({2, 2, 2}).gives(made(18, with_num_outputs(3), 3), absent);
  split_run({3, 3, 1}).gives(made(18, with_num_outputs(3), 3), absent);
  split_run({2, 2, 2, 2, 2, 0}).gives(made(18, with_num_outputs(6), 6), absent);
  split_run({0, 0, 0}).gives(made(18, with_num_outputs(3), 3), absent);
  split_run(5, {2, 2, 1, 0}).refused(made(18, with_num_outputs(4), 4), absent, {"4 parts", "length 5"});
  split_run(3, {1, 1, 1, 0, 0}).refused(made(18, with_num_outputs(5), 5), absent, {"5 parts", "length 3"});
}

TEST(split_operator_test, version_18_takes_one_of_split_and_num_outputs) {
  const size_tensor<std::int64_t> sizes = {{1, 3}};
  split_run({1, 3}).gives(made(18, {}, 2), sizes);
  split_run({1, 3}).refused(made(18, {}, 2), absent, {"version 18", "2 outputs", "neither"});
  split_run({1, 3}).refused(made(18, with_num_outputs(2), 2), sizes, {"num_outputs", "both"});
}

TEST(split_operator_test, sizes_as_attribute) {
  std::vector<std::int64_t> sizes = {0, 3, 2};
  for (const std::int64_t opset : {1, 2, 11}) {
    const split_operator op = made(opset, with_split(sizes), 3);
    sizes = {0, 9, 9};  // it was copied
    split_run({0, 3, 2}).gives(op, absent);
    split_run(6, {1, 3, 2}).refused(op, absent, {"3 sizes", "sum to 5", "length 6"});
    sizes = {0, 3, 2};
  }
  const size_tensor<float> as_input = {{0, 3, 2}};
  split_run({0, 3, 2}).refused(made(1, with_split(sizes), 3), as_input, {"both", "split"});
  split_run({0, 3, 2}).refused(made(2, {}, 3), as_input, {"version 2", "input split"});
  split_run({0, 3, 2}).refused(made(11, {}, 3), as_input, {"version 11", "input split"});
}

TEST(split_operator_test, sizes_as_input) {
  for (const std::int64_t opset : {13, 18}) {
    const split_operator op = made(opset, {}, 2);
    const split_run run({1, 3});
    run.refused(op, size_tensor<std::int64_t>{{6, -2}}, {"split[1] = -2"});
    run.refused(op, size_tensor<std::int64_t>{{4, 80}}, {"sum to 84", "length 4"});
    run.refused(op, size_tensor<std::int64_t>{{1, 2, 1}}, {"split", "length 3", "expected 2"});
    run.refused(op, size_tensor<std::int32_t>{{1, 3}}, {"split", "int32 (6)", "int64 (7)"});
    run.refused(op, size_tensor<float>{{1, 3}}, {"split", "float (1)", "int64 (7)"});
    const std::int64_t shape[] = {2, 1};
    const std::int64_t sizes[] = {1, 3};
    run.refused(op, {sizes, data_type::i64, shape, 2}, {"split", "rank 2", "1-D"});
    run.refused(op, {nullptr, data_type::i64, shape, 1}, {"split", "null", "16 bytes"});
    run.gives(op, size_tensor<std::int64_t>{{1, 3}});
  }
  std::byte bytes[17];
  const std::int64_t sizes[] = {1, 3};
  std::memcpy(bytes + 1, sizes, 16);
  const std::int64_t shape[] = {2};
  split_run({1, 3}).gives(made(13, {}, 2), {bytes + 1, data_type::i64, shape, 1});
}

TEST(split_operator_test, version_1_takes_sizes_of_its_own_type) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float least = std::numeric_limits<float>::denorm_min();
  const split_operator op = made(1, {}, 2);
  const split_run run({1, 3});
  run.refused(op, size_tensor<float>{{1, 2.5f}}, {"split[1] = 2.5"});
  run.refused(op, size_tensor<float>{{-1, 5}}, {"split[0] = -1"});
  run.refused(op, size_tensor<float>{{1, inf}}, {"split[1] = inf"});
  run.refused(op, size_tensor<float>{{-inf, 5}}, {"split[0] = -inf"});
  run.refused(op, size_tensor<float>{{nan, 4}}, {"split[0] = nan"});
  run.refused(op, size_tensor<float>{{4, least}}, {"split[1] = 1.4013e-45"});
  run.refused(op, size_tensor<float>{{4, -least}}, {"split[1] = -1.4013e-45"});
  run.refused(op, size_tensor<float>{{0x1p63f, 4}}, {"split[0] = 9.22337e+18", "2^63"});
  run.refused(op, size_tensor<float>{{0x1p62f, 0x1p62f}}, {"sum to at least 9223372036854775808", "length 4"});
  run.refused(op, size_tensor<float>{{1, 2}}, {"sum to 3", "length 4"});
  run.refused(op, size_tensor<std::int64_t>{{1, 3}}, {"split", "int64 (7)", "float (1)"});
  run.gives(op, size_tensor<float>{{1, 3}});
  split_run({0, 4}).gives(op, size_tensor<float>{{-0.0f, 4}});
}

// Sizes of each float type, whole ones and others, through inference.
template <class T>
std::string sizes_text(const std::vector<T>& given, std::int64_t length, std::vector<std::int64_t>& sizes) {
  split_operator op;
  const size_tensor<T> tensor_of_sizes = {given};
  EXPECT_TRUE(split_operator::make(1, {}, tensor_of_sizes.type, given.size(), {}, op).ok());
  sizes.assign(given.size(), -7);
  return op.infer({nullptr, tensor_of_sizes.type, &length, 1}, tensor_of_sizes, sizes.data()).text();
}

TEST(split_operator_test, float16_sizes_are_exact) {
  using half = topsplit::float16;
  std::vector<std::int64_t> sizes;
  // 65504, 6, 1 and both zeros
  EXPECT_EQ(sizes_text<half>({{0x7bff}, {0x4600}, {0x3c00}, {0x0000}, {0x8000}}, 65511, sizes), "");
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{65504, 6, 1, 0, 0}));
  EXPECT_NE(sizes_text<half>({{0x3800}}, 1, sizes).find("split[0] = 0.5 "), std::string::npos);
  EXPECT_NE(sizes_text<half>({{0x0001}}, 1, sizes).find("split[0] = 5.96046e-08 "), std::string::npos);
  EXPECT_NE(sizes_text<half>({{0x7c00}}, 1, sizes).find("split[0] = inf "), std::string::npos);
  EXPECT_NE(sizes_text<half>({{0xfe00}}, 1, sizes).find("nan "), std::string::npos);
  EXPECT_NE(sizes_text<half>({{0xbc00}}, 1, sizes).find("split[0] = -1 "), std::string::npos);
}

// Every float16: a size exactly when its value, worked out in double, is whole and not negative.
TEST(split_operator_test, every_float16) {
  std::vector<std::int64_t> sizes;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const int field = static_cast<int>(bits >> 10 & 31);
    const double fraction = static_cast<double>(bits & 1023) / 1024;
    const double magnitude = field == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, field - 15);
    const double value = bits >> 15 != 0 ? -magnitude : magnitude;
    const bool whole = field != 31 && value >= 0 && value == std::floor(value);
    const auto length = static_cast<std::int64_t>(whole ? value : 1);
    const std::string text = sizes_text<topsplit::float16>({{static_cast<std::uint16_t>(bits)}}, length, sizes);
    ASSERT_EQ(text.empty(), whole) << bits << ": " << text;
    ASSERT_EQ(sizes[0], whole ? length : -7) << bits;
  }
}

TEST(split_operator_test, double_sizes_are_exact) {
  std::vector<std::int64_t> sizes;
  const std::int64_t length = (std::int64_t{1} << 53) + 4;
  EXPECT_EQ(sizes_text<double>({9007199254740992.0, 4}, length, sizes), "");
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{9007199254740992, 4}));
  EXPECT_NE(sizes_text<double>({4503599627370495.5}, 1, sizes).find("4.5036e+15 "), std::string::npos);
  EXPECT_NE(sizes_text<double>({5e-324}, 1, sizes).find("4.94066e-324 "), std::string::npos);
  EXPECT_NE(sizes_text<double>({1e300}, 1, sizes).find("1e+300 "), std::string::npos);
  EXPECT_NE(sizes_text<double>({0x1p63}, 1, sizes).find("2^63"), std::string::npos);
}

TEST(split_operator_test, counts_and_states) {
  const split_run run({1, 3});
  const size_tensor<std::int64_t> sizes = {{1, 3}};
  split_operator never;
  run.refused(never, sizes, {"never made"});
  const split_operator op = made(13, {}, 2);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    expect_refused(op.run(run.input, sizes, run.outputs.data(), count), invalid,
                   "Split: ", {std::to_string(count) + " outputs", "made for 2"});
  }
  split_operator doubles;
  ASSERT_TRUE(split_operator::make(13, {}, data_type::f64, 2, {}, doubles).ok());
  run.refused(doubles, sizes, {"input", "float (1)", "double (11)"});
  EXPECT_TRUE(run.memory.is_untouched());
}

// Cut equally, [1, 3] would come out as [2, 2]: the operator that was moved from must not run at all.
TEST(split_operator_test, moving_leaves_one_that_was_never_made) {
  split_operator first = made(11, with_split({1, 3}), 2);
  split_operator second = std::move(first);
  split_operator third;
  third = std::move(second);
  const split_run run({1, 3});
  run.refused(first, {}, {"never made"});
  run.refused(second, {}, {"never made"});
  EXPECT_EQ(first.version(), 0);
  std::int64_t sizes[2] = {};
  ASSERT_TRUE(third.infer(run.input, {}, sizes).ok());
  EXPECT_EQ(sizes[0], 1);
  EXPECT_EQ(sizes[1], 3);
}

TEST(split_operator_test, axis_is_obeyed) {
  split_attributes attributes;
  attributes.axis = -1;
  const split_operator op = made(2, attributes, 2);
  EXPECT_EQ(op.axis(), -1);
  const std::int64_t in_shape[] = {2, 4};
  const std::int64_t out_shape[] = {2, 2};
  const float data[] = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<float> left(4), right(4);
  const tensor outputs[] = {{left.data(), data_type::f32, out_shape, 2}, {right.data(), data_type::f32, out_shape, 2}};
  ASSERT_TRUE(op.run({data, data_type::f32, in_shape, 2}, absent, outputs, 2).ok());
  EXPECT_EQ(left, (std::vector<float>{0, 1, 4, 5}));
  EXPECT_EQ(right, (std::vector<float>{2, 3, 6, 7}));
}

}  // namespace
