// Split's public call against the oracle, which copies by coordinates: each built ISA and element type, strings included,
// over every axis, part sizes with and without zeros, pieces from a byte to kilobytes, more outputs than one batch holds,
// every alignment, and tasks. Overlap is refused. Other bad arguments are errors_test's.

#include "topsplit/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/runs.h"
#include "tests/seeds.h"
#include "tests/split_check.h"

namespace {

using topsplit::data_type;
// Cuts `length` into `parts` sizes of which some are 0, as the seed has it.
sizes_t random_sizes(std::int64_t length, std::size_t parts, std::uint64_t seed) {
  sizes_t cuts{0, length};
  for (std::size_t i = 1; i < parts; ++i) {
    cuts.push_back(static_cast<std::int64_t>(inputs::splitmix(seed, i) % static_cast<std::uint64_t>(length + 1)));
  }
  std::sort(cuts.begin(), cuts.end());
  std::adjacent_difference(cuts.begin(), cuts.end(), cuts.begin());
  return {cuts.begin() + 1, cuts.end()};
}

class split_contract : public testing::TestWithParam<std::tuple<topsplit::isa, data_type>> {
 protected:
  void SetUp() override {
    if (!is_available(isa)) {
      GTEST_SKIP() << "split_contract: this machine has no " << topsplit::isa_name(isa);
    }
  }
  const topsplit::isa isa = std::get<0>(GetParam());
  const data_type type = std::get<1>(GetParam());
  const std::size_t size = oracle::element_bytes(type);
};

TEST_P(split_contract, every_axis_and_random_sizes) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    std::uint64_t turn = seed;
    for (const oracle::shape_t& shape :
         {oracle::shape_t{2, 4, 3, 8, 5}, {3, 17, 70}, {1, 33, 1}, {97}, {3, 0, 2}, {0, 5}}) {
      const auto rank = static_cast<std::int64_t>(shape.size());
      for (std::int64_t axis = -rank; axis < rank; ++axis) {
        const std::int64_t length = shape[oracle::slices(shape, axis).dimension];
        for (std::size_t parts = 1; parts <= 6; ++parts) {
          const split_subject subject{type, shape, axis, random_sizes(length, parts, ++turn)};
          ASSERT_TRUE(subject.check(turn, serial(isa)));
        }
      }
    }
  }
}

TEST_P(split_contract, zero_parts) {
  for (const sizes_t& sizes : {sizes_t{0, 5, 5}, {5, 0, 5}, {5, 5, 0}, {0, 10}, {10, 0, 0}, {0, 0, 10, 0}, {10}}) {
    ASSERT_TRUE((split_subject{type, {3, 10, 2}, 1, sizes}.check(1, serial(isa))));
    ASSERT_TRUE((split_subject{type, {10, 3}, 0, sizes}.check(2, serial(isa))));
  }
  ASSERT_TRUE((split_subject{type, {3, 0}, 1, {0, 0}}.check(3, serial(isa))));
}

TEST_P(split_contract, equal_and_uneven_parts_by_count) {
  for (std::int64_t length = 0; length <= 20; ++length) {
    for (std::int64_t parts = 1; parts <= 12; ++parts) {
      const sizes_t sizes = oracle::equal_parts(length, parts);
      const split_subject subject{type, {2, length, 3}, 1, sizes, false};
      if (sizes.back() >= 0) {
        ASSERT_TRUE(subject.check(1, serial(isa)));
      } else {  // outputs that hold nothing: the call must fail before it looks at them
        const split_subject refused{type, {2, length, 3}, 1, sizes_t(sizes.size(), 0), false};
        const std::vector<std::byte> memory(static_cast<std::size_t>(6 * length) * size);
        const topsplit::status done = refused.run(memory.data(), std::vector<void*>(sizes.size()), serial(isa));
        ASSERT_EQ(done.code(), topsplit::status_code::invalid_argument) << length << " in " << parts;
      }
    }
  }
}

// Pieces whose bytes are around every vector's edge, then some of kilobytes; rows are many, so that pieces meet.
TEST_P(split_contract, pieces_of_every_length) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t bytes = 1; bytes <= 8192; bytes += bytes < 260 ? 1 : bytes - 3) {
    lengths.push_back((bytes + static_cast<std::int64_t>(size) - 1) / static_cast<std::int64_t>(size));
  }
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  for (const std::int64_t length : lengths) {
    const sizes_t same(3, length);
    ASSERT_TRUE((split_subject{type, {5, 3 * length}, 1, same}.check(1, serial(isa))));
    ASSERT_TRUE((split_subject{type, {4, length + 8}, 1, {1, length, 7}}.check(2, serial(isa))));
  }
}

TEST_P(split_contract, many_outputs) {
  for (const std::size_t parts : std::initializer_list<std::size_t>{127, 128, 129, 255, 256, 257, 300}) {
    const auto length = static_cast<std::int64_t>(parts);
    const sizes_t uneven = oracle::equal_parts(4 * length - 1, length);
    ASSERT_TRUE((split_subject{type, {3, length}, 1, sizes_t(parts, 1)}.check(1, serial(isa))));
    ASSERT_TRUE(
        (split_subject{type, {2, 3 * length, 2}, 1, random_sizes(3 * length, parts, parts)}.check(2, serial(isa))));
    ASSERT_TRUE((split_subject{type, {2, 4 * length - 1, 3}, 1, uneven, false}.check(3, serial(isa))));
  }
}

TEST_P(split_contract, tasks_change_nothing) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const std::int32_t tasks : {2, 3, 7}) {
      for (std::int64_t axis = 0; axis < 3; ++axis) {
        ASSERT_TRUE((split_subject{type,
                                   {5, 9, 13},
                                   axis,
                                   random_sizes(axis == 0   ? 5
                                                : axis == 1 ? 9
                                                            : 13,
                                                4, seed)}
                         .check(seed, on_threads(isa, tasks))));
      }
      ASSERT_TRUE((split_subject{type, {7, 200}, 1, sizes_t(200, 1)}.check(seed, on_threads(isa, tasks))));
      ASSERT_TRUE((split_subject{type, {5000}, 0, {1, 1234, 0, 3765}}.check(seed, on_threads(isa, tasks))));
    }
  }
}

// Past the cache, in one task and in some that meet within lines.
TEST_P(split_contract, streamed) {
  for (const std::int32_t tasks : {1, 3}) {
    topsplit::execution how = tasks == 1 ? serial(isa) : on_threads(isa, tasks);
    how.stream_from_bytes = 1;
    for (const sizes_t& sizes :
         {sizes_t{1, 1}, {1, 1, 1}, {1, 1, 1, 1}, {3, 7}, {4, 0, 80}, {128, 64}, {700, 300, 5}}) {
      const std::int64_t length = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
      ASSERT_TRUE(
          (split_subject{type, {4 + 5000 / length, length}, 1, sizes}.check(static_cast<std::uint64_t>(length), how)));
      ASSERT_TRUE((split_subject{type, {length, 50}, 0, sizes}.check(static_cast<std::uint64_t>(length), how)));
    }
  }
}

std::string name_of(const testing::TestParamInfo<split_contract::ParamType>& info) {
  return std::string(topsplit::isa_name(std::get<0>(info.param))) + "_" +
         topsplit::data_type_name(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(each, split_contract,
                         testing::Combine(testing::ValuesIn(built_isas()), testing::ValuesIn(inputs::split_types)),
                         name_of);

}  // namespace
