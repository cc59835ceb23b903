// Split into more parts than one kernel call takes, cut into ranges that begin and end anywhere: each batch, row and
// part gets its bytes whatever the ranges are. The caller's own parallel-for runs them here, last range first.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/split_plan.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::data_type;

struct backwards {
  int calls = 0;
  topsplit::execution run;
  backwards() {
    run.threads = topsplit::threading::callback;
    run.parallel_for_context = this;
    run.parallel_for_width = 1000;
    run.grain_bytes = 1;
    run.parallel_from_bytes = 1;
    run.parallel_for = [](void* self, std::int32_t count, void (*task)(void*, std::int32_t), void* context) {
      ++static_cast<backwards*>(self)->calls;
      for (std::int32_t i = count; i-- > 0;) task(context, i);
    };
  }
};

struct batch_case {
  std::size_t parts;
  std::int64_t rows;
  std::int64_t inner;
};

class split_batches : public testing::TestWithParam<batch_case> {
 protected:
  split_batches() {
    const auto [parts, rows, inner] = GetParam();
    std::int64_t n = 0;
    for (std::size_t i = 0; i < parts; ++i) {
      sizes_.push_back(static_cast<std::int64_t>(i * i % 7));  // 0 among them
      n += sizes_.back();
    }
    in_shape_ = {rows, n, inner};
    for (std::int64_t i = 0; i < rows * n * inner; ++i) data_.push_back(static_cast<std::uint16_t>(i * 40503));
    for (const std::int64_t size : sizes_) {
      out_shapes_.push_back({rows, size, inner});
      expected_.emplace_back();
    }
    std::size_t next = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::size_t p = 0; p < parts; ++p) {
        for (std::int64_t i = 0; i < sizes_[p] * inner; ++i) expected_[p].push_back(data_[next++]);
      }
    }
  }

  void expect_right(const topsplit::execution& run) const {
    std::vector<std::vector<std::uint16_t>> results;
    std::vector<topsplit::tensor> outputs;
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      results.emplace_back(expected_[p].size());
      outputs.push_back({results.back().data(), data_type::u16, out_shapes_[p].data(), 3});
    }
    const topsplit::status s = topsplit::split({data_.data(), data_type::u16, in_shape_.data(), 3}, sizes_.data(),
                                               outputs.data(), outputs.size(), {1, run});
    ASSERT_TRUE(s.ok()) << s.text();
    ASSERT_EQ(results, expected_);
  }

  std::vector<std::int64_t> sizes_, in_shape_;
  std::vector<std::vector<std::int64_t>> out_shapes_;
  std::vector<std::uint16_t> data_;
  std::vector<std::vector<std::uint16_t>> expected_;
};

TEST_P(split_batches, serial) {
  topsplit::execution run;
  run.threads = topsplit::threading::serial;
  expect_right(run);
}

TEST_P(split_batches, in_ranges) {
  for (const std::size_t grain : {1u, 100u, 1000u}) {
    backwards how;
    how.run.grain_bytes = grain;
    expect_right(how.run);
    if (data_.size() * 2 > 2 * grain + 128) {
      EXPECT_EQ(how.calls, 1) << "it was to be shared";
    }
  }
}

std::string name_of(const testing::TestParamInfo<batch_case>& info) {
  return std::to_string(info.param.parts) + "_parts_" + std::to_string(info.param.rows) + "_rows_" +
         std::to_string(info.param.inner) + "_inner";
}

constexpr std::size_t batch = topsplit::detail::split_batch_parts;
INSTANTIATE_TEST_SUITE_P(shapes, split_batches,
                         testing::Values(batch_case{2, 1, 1}, batch_case{batch, 3, 1}, batch_case{batch + 1, 1, 3},
                                         batch_case{2 * batch + 60, 3, 1}, batch_case{1000, 5, 2}),
                         name_of);

}  // namespace
