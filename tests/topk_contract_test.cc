// TopK's public call against the oracle, bit for bit: each built ISA and element type, over the named inputs, sizes around
// the vectors' edges, every axis, and tasks. What the kernels do inside is topk_kernel_test's affair, bad arguments
// are errors_test's.

#include "topsplit/topk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/inputs.h"
#include "tests/seeds.h"
#include "tests/topk_check.h"

namespace {

using inputs::distribution;
using topsplit::data_type;

// 0, 1, n - 1, n and some between, each once.
std::vector<std::int64_t> ks_of(std::int64_t n) {
  std::vector<std::int64_t> ks{0, 1, 2, 5, n / 2, n - 1, n};
  std::sort(ks.begin(), ks.end());
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  ks.erase(std::remove_if(ks.begin(), ks.end(), [n](std::int64_t k) { return k < 0 || k > n; }), ks.end());
  return ks;
}

// Powers of two and three times them, each also one less and one more.
std::vector<std::int64_t> round_sizes(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t power = from; power <= to; power *= 2) {
    for (const std::int64_t n : {power, power + power / 2}) {
      sizes.insert(sizes.end(), {n - 1, n, n + 1});
    }
  }
  return sizes;
}

class topk_contract : public testing::TestWithParam<data_type> {
 protected:
  // By every ISA of this machine.
  bool check(const inputs::named& input, const oracle::shape_t& shape, std::int64_t axis,
             const std::vector<std::int64_t>& ks, std::uint64_t seed, std::size_t shift = 0) const {
    topk_subject subject(type, shape, axis, inputs::make(input.id, type, shape, axis, seed), shift);
    const bool good = std::all_of(isas.begin(), isas.end(), [&](auto isa) { return subject.check(ks, serial(isa)); });
    EXPECT_TRUE(good) << "input " << input.name;
    return good;
  }
  const data_type type = GetParam();
  const std::size_t size = oracle::element_bytes(type);
  const std::vector<topsplit::isa> isas = available_isas();
};

TEST_P(topk_contract, every_length_up_to_three_vectors) {
  const std::int64_t most = static_cast<std::int64_t>(std::max<std::size_t>(3 * 64 / size, 40)) + 1;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (std::int64_t n = 0; n <= most; ++n) {
      for (const inputs::named& input : inputs::all) {
        ASSERT_TRUE(check(input, {2, n}, 1, ks_of(n), seed, static_cast<std::size_t>(n) % 7));
      }
    }
  }
}

TEST_P(topk_contract, powers_of_two_and_their_neighbours) {
  std::size_t turn = 0;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const std::int64_t n : round_sizes(32, 4096)) {
      for (int i = 0; i < 2; ++i) {
        const inputs::named& input = inputs::all[turn++ % std::size(inputs::all)];
        ASSERT_TRUE(check(input, {n}, 0, ks_of(n), seed, turn % 5));
      }
    }
  }
}

TEST_P(topk_contract, every_input_long) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const inputs::named& input : inputs::all) {
      ASSERT_TRUE(check(input, {2, 3001}, -1, {1, 7, 64, 300}, seed, 3));
    }
    ASSERT_TRUE(check(inputs::all[0], {(1 << 17) + 3}, 0, {3, 1000}, seed, 1));
  }
}

TEST_P(topk_contract, every_axis) {
  const std::vector<oracle::shape_t> shapes{{2, 4, 3, 8, 5}, {3, 17, 70}, {1, 33, 1}, {2, 0, 3}, {0, 3, 2}, {3, 2, 0}};
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const oracle::shape_t& shape : shapes) {
      const auto rank = static_cast<std::int64_t>(shape.size());
      for (std::int64_t a = 0; a < rank; ++a) {
        const std::int64_t axis = a % 2 == 0 ? a : a - rank;  // either way of counting
        for (const inputs::named& input : inputs::all) {
          ASSERT_TRUE(check(input, shape, axis, ks_of(shape[oracle::slices(shape, axis).dimension]), seed, 1));
        }
      }
    }
  }
}

// Slices side by side are a kernel's lanes: widths around every vector's edge.
TEST_P(topk_contract, every_width_across) {
  std::size_t turn = 0;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const std::int64_t inner : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200}) {
      for (int i = 0; i < 5; ++i) {
        const inputs::named& input = inputs::all[turn++ % std::size(inputs::all)];
        ASSERT_TRUE(check(input, {2, 13, inner}, 1, {1, 2, 6, 13}, seed, turn % 4));
      }
    }
  }
}

// The results for k of 1, 2, ... n each begin as the one before goes.
void expect_prefixes(data_type type, const oracle::bytes_t& x, std::int64_t n, topsplit::isa isa) {
  SCOPED_TRACE(topsplit::isa_name(isa));
  oracle::topk_result before;
  for (std::int64_t k = 1; k <= n; ++k) {
    oracle::topk_result now{oracle::bytes_t(static_cast<std::size_t>(k) * oracle::element_bytes(type)),
                            std::vector<std::int64_t>(static_cast<std::size_t>(k))};
    topsplit::topk_options options;
    options.run = serial(isa);
    const topsplit::status done = topsplit::topk({x.data(), type, &n, 1}, k, {now.values.data(), type, &k, 1},
                                                 {now.indices.data(), data_type::i64, &k, 1}, options);
    ASSERT_TRUE(done.ok()) << done.text();
    ASSERT_TRUE(std::equal(before.values.begin(), before.values.end(), now.values.begin())) << "k = " << k;
    ASSERT_TRUE(std::equal(before.indices.begin(), before.indices.end(), now.indices.begin())) << "k = " << k;
    before = now;
  }
}

TEST_P(topk_contract, result_for_k_begins_that_for_more) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const inputs::named& input : inputs::all) {
      SCOPED_TRACE(input.name);
      const oracle::bytes_t x = inputs::make(input.id, type, {61}, 0, seed);
      for (const topsplit::isa isa : isas) expect_prefixes(type, x, 61, isa);
    }
  }
}

TEST_P(topk_contract, tasks_change_nothing) {
  std::size_t turn = 0;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const inputs::named& input : inputs::all) {
      const oracle::shape_t shape{3, 7, 11};
      const auto axis = static_cast<std::int64_t>(turn++ % 3);
      topk_subject subject(type, shape, axis, inputs::make(input.id, type, shape, axis, seed), 1);
      for (const topsplit::isa isa : isas) {
        ASSERT_TRUE(subject.check({1, 3}, on_caller(isa, 2))) << "input " << input.name;
        ASSERT_TRUE(subject.check({1, 3}, on_caller(isa, 7))) << "input " << input.name;
        ASSERT_TRUE(subject.check({2}, on_threads(isa, 3))) << "input " << input.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(each, topk_contract, testing::ValuesIn(inputs::topk_types),
                         [](const auto& of) { return std::string(topsplit::data_type_name(of.param)); });

}  // namespace
