// Every kind of bad input to TopK: refused with the right code and a text that names operator, argument and numbers,
// and no output byte is touched. What prepared operators refuse on top is in topk_operator_test.cc.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
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

constexpr std::int64_t i64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t i64_min = std::numeric_limits<std::int64_t>::min();

// A good TopK call, k = 3 of [2, 7] floats, for a test to spoil. The outputs lie in patterned memory.
struct topk_call {
  std::vector<std::int64_t> in_shape = {2, 7};
  std::vector<std::int64_t> out_shape = {2, 3};
  std::vector<float> data = std::vector<float>(16, 1.0f);
  patterned<float> values_memory{16};
  patterned<std::int64_t> indices_memory{16};
  const_tensor x = {data.data(), data_type::f32, in_shape.data(), 2};
  tensor values = {values_memory.data(), data_type::f32, out_shape.data(), 2};
  tensor indices = {indices_memory.data(), data_type::i64, out_shape.data(), 2};
  std::int64_t k = 3;
  topsplit::topk_options options;

  status run() const { return topsplit::topk(x, k, values, indices, options); }

  void refused(status_code code, const std::vector<std::string>& words) const {
    const std::vector<float> before = data;
    expect_refused(run(), code, "TopK: ", words);
    EXPECT_TRUE(values_memory.is_untouched());
    EXPECT_TRUE(indices_memory.is_untouched());
    EXPECT_EQ(data, before);
  }
  void invalid(const std::vector<std::string>& words) const { refused(status_code::invalid_argument, words); }

  // Wrong in what needs no output: inference and explain say the same as the call.
  void invalid_everywhere(const std::vector<std::string>& words) const {
    invalid(words);
    const std::string text = run().text();
    std::array<std::int64_t, 4> shape = {-7, -7, -7, -7};
    EXPECT_EQ(topsplit::infer_topk(x, k, options.axis, shape.data()).text(), text);
    EXPECT_EQ(shape, (std::array<std::int64_t, 4>{-7, -7, -7, -7}));
    topsplit::explanation explained = {};
    EXPECT_EQ(topsplit::explain_topk(x, k, options, explained).text(), text);
    EXPECT_EQ(explained.algorithm, nullptr);
  }
};

TEST(topk_errors, the_call_that_the_others_spoil_is_good) {
  const topk_call call;
  EXPECT_TRUE(call.run().ok()) << call.run().text();
  EXPECT_STREQ(call.run().text(), "");
}

TEST(topk_errors, k) {
  topk_call call;
  call.k = 9;
  EXPECT_STREQ(call.run().text(), "TopK: k = 9 exceeds axis 1 of length 7");
  for (const std::int64_t k : {std::int64_t{8}, (std::int64_t{1} << 32) + 1, i64_max}) {
    call.k = k;
    call.invalid_everywhere({"k = " + std::to_string(k), "axis 1", "length 7"});
  }
  for (const std::int64_t k : {std::int64_t{-1}, 1 - (std::int64_t{1} << 32), i64_min}) {
    call.k = k;
    call.invalid_everywhere({"k = " + std::to_string(k), "negative"});
  }
}

TEST(topk_errors, k_over_an_empty_axis_or_beside_one) {
  topk_call call;
  call.in_shape = {0, 7};
  call.options.axis = 0;
  call.k = 1;
  call.invalid_everywhere({"k = 1", "axis 0", "length 0"});
  call.options.axis = 1;
  call.k = 8;
  call.invalid_everywhere({"k = 8", "axis 1", "length 7"});
}

TEST(topk_errors, axis) {
  topk_call call;
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-3}, i64_max, i64_min}) {
    call.options.axis = axis;
    call.invalid_everywhere({"x", "axis " + std::to_string(axis), "[-2, 1]", "rank 2"});
  }
}

TEST(topk_errors, rank_and_shape_of_x) {
  topk_call call;
  call.x.shape = nullptr;
  call.invalid_everywhere({"x", "rank 2", "null shape"});
  call.x.rank = 0;
  call.invalid_everywhere({"x", "rank 0", "axis"});
  call = topk_call();
  call.in_shape = {2, -7};
  call.invalid_everywhere({"x", "length -7", "dimension 1"});
  call.in_shape = {i64_min, 7};
  call.invalid_everywhere({"x", std::to_string(i64_min), "dimension 0"});
}

TEST(topk_errors, dimensions_that_overflow) {
  topk_call call;
  call.in_shape = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  call.invalid_everywhere({"x", "1099511627776", "dimension 1", std::to_string(i64_max)});
  call.in_shape = {std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1};  // modulo 2^64 this is 2^32
  call.invalid_everywhere({"x", "4294967297"});
  call.in_shape = {7, i64_max};
  call.invalid_everywhere({"x", std::to_string(i64_max)});

  // A zero does not excuse the others.
  std::vector<std::int64_t> shape = {std::int64_t{1} << 40, std::int64_t{1} << 40, 0, 7};
  call.x = {nullptr, data_type::f32, shape.data(), 4};
  call.invalid_everywhere({"x", "1099511627776", "dimension 1"});
}

TEST(topk_errors, types) {
  for (const int code : {0, 8, 9, 14, 15, 17, 31, 32, 33, -1, 1 << 30}) {
    topk_call call;
    call.x.type = call.values.type = static_cast<data_type>(code);
    call.refused(status_code::unsupported_type, {"x", "(" + std::to_string(code) + ")"});
  }
  topk_call call;
  call.values.type = data_type::i32;
  call.invalid({"values", "int32 (6)", "float (1)"});
  call = topk_call();
  call.indices.type = data_type::i32;
  call.invalid({"indices", "int32 (6)", "int64 (7)"});
}

TEST(topk_errors, shapes_of_the_outputs) {
  std::vector<std::int64_t> wrong = {2, 4, 1};
  const auto spoil = [&](const std::string& name, const std::function<tensor&(topk_call&)>& output) {
    topk_call call;
    tensor& t = output(call);
    t.shape = wrong.data();
    call.invalid({name, "length 4", "dimension 1", "expected 3"});
    t.rank = 3;
    call.invalid({name, "rank 3", "expected 2"});
    t.rank = 1;
    call.invalid({name, "rank 1", "expected 2"});
    t.rank = 2;
    t.shape = nullptr;
    call.invalid({name, "rank 2", "null shape"});
  };
  spoil("values", [](topk_call& call) -> tensor& { return call.values; });
  spoil("indices", [](topk_call& call) -> tensor& { return call.indices; });
}

TEST(topk_errors, null_data) {
  topk_call call;
  call.x.data = nullptr;
  call.invalid({"x", "null", "56 bytes"});
  call = topk_call();
  call.values.data = nullptr;
  call.invalid({"values", "null", "24 bytes"});
  call = topk_call();
  call.indices.data = nullptr;
  call.invalid({"indices", "null", "48 bytes"});

  // Without a byte, null is what an empty tensor has; x still has some where k = 0.
  call = topk_call();
  call.k = 0;
  call.out_shape = {2, 0};
  call.values.data = call.indices.data = nullptr;
  EXPECT_TRUE(call.run().ok()) << call.run().text();
  call.x.data = nullptr;
  call.invalid({"x", "null", "56 bytes"});
}

TEST(topk_errors, misaligned_data) {
  for (const std::size_t shift : {1u, 2u, 3u}) {
    topk_call call;
    call.x.data = reinterpret_cast<const std::byte*>(call.data.data()) + shift;
    call.invalid({"x", "misaligned", "multiple of 4"});
    call = topk_call();
    call.values.data = reinterpret_cast<std::byte*>(call.values_memory.data()) + shift;
    call.invalid({"values", "misaligned", "multiple of 4"});
  }
  topk_call call;
  call.indices.data = reinterpret_cast<std::byte*>(call.indices_memory.data()) + 4;
  call.invalid({"indices", "misaligned", "multiple of 8"});
}

TEST(topk_errors, overlap) {
  topk_call call;
  call.values.data = call.data.data();
  call.invalid({"values", "overlaps x", "24 bytes", "56 bytes"});
  call.values.data = call.data.data() + 13;  // x's last element
  call.invalid({"values", "overlaps x"});
  alignas(8) std::array<float, 32> shared = {};
  call.values.data = shared.data();
  call.x.data = shared.data() + 5;  // the last of values is x's first
  call.invalid({"values", "overlaps x"});
  call = topk_call();
  call.x.data = shared.data() + 10;
  call.indices.data = shared.data();
  call.invalid({"indices", "overlaps x", "48 bytes", "56 bytes"});
  call = topk_call();
  call.values.data = call.indices_memory.data();
  call.invalid({"indices", "overlaps values", "48 bytes", "24 bytes"});

  // Neighbours share nothing.
  call = topk_call();
  call.x.data = shared.data();
  call.values.data = shared.data() + 14;
  EXPECT_TRUE(call.run().ok()) << call.run().text();
}

TEST(topk_errors, options) {
  topk_call call;
  call.options.select = static_cast<topsplit::topk_select>(2);
  call.invalid({"select = 2"});
  call = topk_call();
  call.options.order = static_cast<topsplit::topk_order>(-1);
  call.invalid({"order = -1"});
  call = topk_call();
  call.options.run.max_tasks = -4;
  call.invalid({"max_tasks = -4"});
  call = topk_call();
  call.options.run.threads = static_cast<topsplit::threading>(9);
  call.invalid({"9"});
  call = topk_call();
  call.options.run.isa = static_cast<topsplit::isa>(99);
  call.refused(status_code::unavailable_isa, {"99", "generic"});
}

TEST(topk_errors, inference_without_a_place_for_the_shape) {
  const topk_call call;
  expect_refused(topsplit::infer_topk(call.x, 3, -1, nullptr), status_code::invalid_argument,
                 "TopK: ", {"output_shape", "null"});
}

}  // namespace
