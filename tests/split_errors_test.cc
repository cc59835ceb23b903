// Every kind of bad input to Split: refused with the right code and a text that names operator, argument and numbers,
// and no output byte is touched. What prepared operators refuse on top is in split_operator_test.cc.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
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

// A good Split call, sizes 1 and 3 of [2, 4] bytes along axis 1.
struct split_call {
  std::vector<std::int64_t> in_shape = {2, 4};
  std::vector<std::int64_t> sizes = {1, 3};
  std::vector<std::vector<std::int64_t>> out_shapes = {{2, 1}, {2, 3}};
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(8, 1);
  patterned<std::uint8_t> memory{64};
  const_tensor input = {data.data(), data_type::u8, in_shape.data(), 2};
  std::vector<tensor> outputs = {{memory.data(), data_type::u8, out_shapes[0].data(), 2},
                                 {memory.data() + 2, data_type::u8, out_shapes[1].data(), 2}};
  bool equal_parts = false;
  topsplit::split_options options;

  split_call() { options.axis = 1; }
  const std::int64_t* given() const { return equal_parts ? nullptr : sizes.data(); }
  std::size_t count() const { return equal_parts ? outputs.size() : sizes.size(); }
  status run() const { return topsplit::split(input, given(), outputs.data(), count(), options); }

  void refused(status_code code, const std::vector<std::string>& words) const {
    const std::vector<std::uint8_t> before = data;
    expect_refused(run(), code, "Split: ", words);
    EXPECT_TRUE(memory.is_untouched());
    EXPECT_EQ(data, before);
  }
  void invalid(const std::vector<std::string>& words) const { refused(status_code::invalid_argument, words); }

  void invalid_everywhere(const std::vector<std::string>& words) const {
    invalid(words);
    const std::string text = run().text();
    std::vector<std::int64_t> out(count() + 1, -7);
    EXPECT_EQ(topsplit::infer_split(input, given(), count(), options.axis, out.data()).text(), text);
    EXPECT_EQ(out, std::vector<std::int64_t>(count() + 1, -7));
    topsplit::explanation explained = {};
    EXPECT_EQ(topsplit::explain_split(input, given(), count(), options, explained).text(), text);
    EXPECT_EQ(explained.algorithm, nullptr);
  }
};

TEST(split_errors, the_call_that_the_others_spoil_is_good) {
  const split_call call;
  EXPECT_TRUE(call.run().ok()) << call.run().text();
}

TEST(split_errors, sizes) {
  split_call call;
  call.sizes = {6, -2};
  call.invalid_everywhere({"split[1] = -2", "negative"});
  call.sizes = {4, 80};
  call.invalid_everywhere({"sum to 84", "axis 1", "length 4"});
  call.sizes = {1, 2};
  call.invalid_everywhere({"sum to 3", "axis 1", "length 4"});
  call.sizes = {i64_max, i64_max, 6};  // modulo 2^64 the sum is 4
  call.invalid_everywhere({"sum to at least 9223372036854775808", "length 4"});
  call.sizes = {i64_min, i64_min, 4};
  call.invalid_everywhere({"split[0] = " + std::to_string(i64_min)});
}

TEST(split_errors, a_sum_that_saturates_equals_no_axis) {
  split_call call;
  call.in_shape = {0, i64_max};
  call.sizes = {i64_max, 1};
  call.invalid_everywhere({"sum to at least 9223372036854775808", "length " + std::to_string(i64_max)});
}

TEST(split_errors, equal_parts_with_a_negative_last) {
  split_call call;
  call.equal_parts = true;
  const tensor output = call.outputs[0];
  for (const auto& [length, count] :
       std::vector<std::pair<std::int64_t, std::size_t>>{{5, 4}, {9, 6}, {3, 5}, {1, 3}}) {
    call.in_shape = {1, length};
    call.outputs.assign(count, output);
    call.invalid_everywhere({std::to_string(count) + " parts", "axis 1", "length " + std::to_string(length)});
  }
}

TEST(split_errors, outputs_that_are_not_there) {
  split_call call;
  call.sizes.clear();
  call.invalid_everywhere({"0 outputs"});
  call = split_call();
  expect_refused(topsplit::split(call.input, call.given(), nullptr, 2, call.options), status_code::invalid_argument,
                 "Split: ", {"2 outputs", "null"});
  expect_refused(topsplit::infer_split(call.input, call.given(), 2, 1, nullptr), status_code::invalid_argument,
                 "Split: ", {"output_sizes", "null"});
}

TEST(split_errors, axis_rank_and_shape_of_the_input) {
  split_call call;
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-3}, i64_max, i64_min}) {
    call.options.axis = axis;
    call.invalid_everywhere({"input", "axis " + std::to_string(axis), "[-2, 1]", "rank 2"});
  }
  call = split_call();
  call.input.shape = nullptr;
  call.invalid_everywhere({"input", "rank 2", "null shape"});
  call.input.rank = 0;
  call.invalid_everywhere({"input", "rank 0", "axis"});
  call = split_call();
  call.in_shape = {-2, 4};
  call.invalid_everywhere({"input", "length -2", "dimension 0"});
  call.in_shape = {std::int64_t{1} << 62, 4};
  call.invalid_everywhere({"input", "length 4", "dimension 1", std::to_string(i64_max)});
  call.in_shape = {std::int64_t{1} << 60, 4};
  call.input.type = data_type::complex128;
  call.invalid_everywhere({"input", std::to_string(std::int64_t{1} << 60), "dimension 0"});
}

TEST(split_errors, types) {
  for (const int code : {0, 17, 23, 32, -1}) {
    split_call call;
    call.input.type = static_cast<data_type>(code);
    call.refused(status_code::unsupported_type, {"input", "(" + std::to_string(code) + ")"});
  }
  split_call call;
  call.outputs[1].type = data_type::i8;
  call.invalid({"output 1", "int8 (3)", "uint8 (2)"});
}

TEST(split_errors, shapes_of_the_outputs) {
  split_call call;
  call.out_shapes[1] = {2, 2};
  call.outputs[1].shape = call.out_shapes[1].data();
  call.invalid({"output 1", "length 2", "dimension 1", "expected 3"});
  call.outputs[1].rank = 1;
  call.invalid({"output 1", "rank 1", "expected 2"});
  call.outputs[1].rank = 2;
  call.outputs[1].shape = nullptr;
  call.invalid({"output 1", "rank 2", "null shape"});
}

TEST(split_errors, null_data) {
  split_call call;
  call.input.data = nullptr;
  call.invalid({"input", "null", "8 bytes"});
  call = split_call();
  call.outputs[1].data = nullptr;
  call.invalid({"output 1", "null", "6 bytes"});
}

TEST(split_errors, overlap) {
  split_call call;
  call.outputs[0].data = call.data.data() + 7;
  call.invalid({"output 0", "overlaps input", "2 bytes", "8 bytes"});
  call = split_call();
  call.outputs[1].data = call.memory.data() + 1;
  call.invalid({"output 1", "overlaps output 0", "6 bytes", "2 bytes"});
  call.outputs[0].data = call.memory.data() + 6;
  call.invalid({"output 1", "overlaps output 0"});
  call = split_call();
  call.outputs[1].data = call.sizes.data();
  call.invalid({"output 1", "overlaps split", "16 bytes"});
  EXPECT_EQ(call.sizes, (std::vector<std::int64_t>{1, 3}));
}

TEST(split_errors, misaligned_strings) {
  std::vector<std::string> in = {"a", "b"};
  std::vector<std::string> out(3);
  const std::int64_t shape[] = {2};
  const tensor output = {reinterpret_cast<std::byte*>(out.data()) + 1, data_type::string, shape, 1};
  expect_refused(topsplit::split({in.data(), data_type::string, shape, 1}, nullptr, &output, 1),
                 status_code::invalid_argument, "Split: ", {"output 0", "misaligned"});
}

TEST(split_errors, options) {
  split_call call;
  call.options.run.max_tasks = -1;
  call.invalid({"max_tasks = -1"});
  call = split_call();
  call.options.run.isa = static_cast<topsplit::isa>(99);
  call.refused(status_code::unavailable_isa, {"99", "generic"});
}

// Thousands of one-byte outputs in a scattered order, so that the sweep over ascending ones does not settle it.
class many_outputs : public testing::TestWithParam<std::size_t> {
 protected:
  many_outputs() {
    for (std::size_t i = 0; i < count_; ++i) {
      // 7919 is a prime that no count of ours is a multiple of, so that every place is taken once
      outputs_.push_back({memory_.data() + i * 7919 % count_, data_type::u8, &one_, 1});
    }
  }
  status run() const {
    return topsplit::split({data_.data(), data_type::u8, &length_, 1}, nullptr, outputs_.data(), count_);
  }

  const std::size_t count_ = GetParam();
  const std::int64_t one_ = 1;
  const std::int64_t length_ = static_cast<std::int64_t>(count_);
  std::vector<std::uint8_t> data_ = std::vector<std::uint8_t>(count_, 3);
  patterned<std::uint8_t> memory_{count_};
  std::vector<tensor> outputs_;
};

TEST_P(many_outputs, none_overlap) { EXPECT_TRUE(run().ok()) << run().text(); }

TEST_P(many_outputs, any_pair_is_found) {
  const std::size_t places[] = {0, 1, count_ / 3, count_ / 2, count_ - 2, count_ - 1};
  for (const std::size_t a : places) {
    for (const std::size_t b : places) {
      if (a >= b) continue;
      void* const kept = outputs_[b].data;
      outputs_[b].data = outputs_[a].data;
      expect_refused(run(), status_code::invalid_argument,
                     "Split: ", {"output " + std::to_string(b), "overlaps output " + std::to_string(a)});
      outputs_[b].data = kept;
    }
  }
  EXPECT_TRUE(memory_.is_untouched());
}

INSTANTIATE_TEST_SUITE_P(counts, many_outputs, testing::Values(4, 511, 512, 513, 1025, 3000));

}  // namespace
