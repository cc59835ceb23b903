// merge_topk and extend_topk against an oracle over all that they were given, bit for bit: each built ISA and element type,
// both directions and orders, every axis, streams cut anywhere, ties across parts, labels of any order, tasks. What they
// refuse is topk_merge_errors_test's affair.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "tests/inputs.h"
#include "tests/seeds.h"
#include "tests/topk_merge_check.h"

namespace {

using merging::part;
using topsplit::data_type;
using topsplit::topk_options;

// n in `count` blocks of random lengths, some of 0.
std::vector<std::int64_t> random_cut(std::int64_t n, std::size_t count, std::uint64_t seed) {
  std::vector<std::int64_t> ends{n};
  for (std::size_t i = 1; i < count; ++i) {
    ends.push_back(static_cast<std::int64_t>(inputs::splitmix(seed, i) % static_cast<std::uint64_t>(n + 1)));
  }
  std::sort(ends.begin(), ends.end());
  std::adjacent_difference(ends.begin(), ends.end(), ends.begin());
  return ends;
}

// A tensor, and what is done with pieces of it along an axis.
struct stream {
  stream(data_type element_type, oracle::shape_t dims, std::int64_t along, inputs::distribution d, std::uint64_t seed)
      : type(element_type), shape(std::move(dims)), axis(along), x(inputs::make(d, type, shape, axis, seed)) {}

  std::int64_t length() const { return shape[oracle::slices(shape, axis).dimension]; }

  oracle::topk_result expected(std::int64_t k, const topk_options& options) const {
    const bool largest = options.select == topsplit::topk_select::largest;
    return oracle::topk(oracle::rank(type, x.data(), shape, axis, largest), type, x.data(), shape, axis, k,
                        options.order == topsplit::topk_order::by_value);
  }

  // Results of the blocks: the k best by value or by index, or every third the block as it is.
  std::vector<part> results(const std::vector<std::int64_t>& sizes, std::int64_t k, const topk_options& options) const {
    std::vector<part> parts;
    std::int64_t begin = 0;
    const std::vector<oracle::bytes_t> blocks = oracle::split_bytes(type, x.data(), shape, axis, sizes);
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      const oracle::shape_t dims = oracle::with_axis(shape, axis, sizes[b]);
      const std::int64_t kept = b % 3 == 2 ? sizes[b] : std::min(k, sizes[b]);
      const bool largest = options.select == topsplit::topk_select::largest;
      const oracle::topk_result best = oracle::topk(oracle::rank(type, blocks[b].data(), dims, axis, largest), type,
                                                    blocks[b].data(), dims, axis, kept, b % 3 == 0);
      parts.push_back({kept, best.values, best.indices, begin});
      begin += sizes[b];
    }
    return parts;
  }

  data_type type;
  oracle::shape_t shape;
  std::int64_t axis;
  oracle::bytes_t x;
};

class topk_merge : public testing::TestWithParam<std::tuple<topsplit::isa, data_type>> {
 protected:
  void SetUp() override {
    if (!is_available(isa)) GTEST_SKIP() << "topk_merge: this machine has no " << topsplit::isa_name(isa);
  }

  bool merge(const stream& s, std::size_t blocks, std::int64_t k, const topsplit::execution& run, std::uint64_t seed) {
    const std::vector<std::int64_t> sizes = random_cut(s.length(), blocks, seed);
    return merging::for_each_choice(s.axis, run, [&](const topk_options& options) {
      const std::vector<part> parts = s.results(sizes, k, options);
      return merging::check_merge(type, s.shape, parts, k, options, s.expected(k, options));
    });
  }

  // The blocks in this order; what is seen first lies where it lies in x.
  bool extend(const stream& s, const std::vector<std::int64_t>& sizes, const std::vector<std::size_t>& order,
              std::int64_t k, const topk_options& options) {
    const std::vector<oracle::bytes_t> blocks = oracle::split_bytes(type, s.x.data(), s.shape, s.axis, sizes);
    merging::chosen out(type, s.shape, s.axis, k, 2);
    std::vector<part> seen;
    std::int64_t held = 0;
    for (const std::size_t b : order) {
      const oracle::shape_t dims = oracle::with_axis(s.shape, s.axis, sizes[b]);
      const std::int64_t offset =
          std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(b), std::int64_t{0});
      const red_zone_buffer block(blocks[b].data(), blocks[b].size(), b % 2 * size);
      const topsplit::status done = topsplit::extend_topk({block.data(), type, dims.data(), dims.size()}, offset, held,
                                                          out.values_view(), out.indices_view(), options);
      seen.push_back(counted(dims, s.axis, blocks[b], offset));
      held = std::min(k, held + sizes[b]);
      if (!done.ok() || !holds(out, s, held, seen, options) || !block.holds(blocks[b].data())) {
        ADD_FAILURE() << done.text() << " after block " << b << " of " << testing::PrintToString(sizes) << ": "
                      << merging::describe(type, s.shape, k, options);
        return false;
      }
    }
    return true;
  }

  bool extend(const stream& s, std::size_t blocks, std::int64_t k, const topsplit::execution& run, std::uint64_t seed) {
    const std::vector<std::int64_t> sizes = random_cut(s.length(), blocks, seed);
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return merging::for_each_choice(s.axis, run, [&](const topk_options& options) {
      std::vector<std::size_t> other(order);
      std::rotate(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(seed % order.size()), other.end());
      std::reverse(other.begin(), other.end());
      return extend(s, sizes, order, k, options) && extend(s, sizes, other, k, options);
    });
  }

  const topsplit::isa isa = std::get<0>(GetParam());
  const data_type type = std::get<1>(GetParam());
  const std::size_t size = oracle::element_bytes(type);

 private:
  // A block whose labels count on along the axis.
  static part counted(const oracle::shape_t& dims, std::int64_t axis, const oracle::bytes_t& values,
                      std::int64_t offset) {
    const oracle::slices view(dims, axis);
    std::vector<std::int64_t> labels(view.count() * view.length);
    for (std::size_t s = 0; s < view.count(); ++s) {
      for (std::size_t i = 0; i < view.length; ++i) labels[view.position(s, i)] = static_cast<std::int64_t>(i);
    }
    return {static_cast<std::int64_t>(view.length), values, labels, offset};
  }

  // The first `held` elements of each slice are the best of what was seen; the others were never written.
  bool holds(const merging::chosen& out, const stream& s, std::int64_t held, const std::vector<part>& seen,
             const topk_options& options) const {
    const oracle::topk_result best = merging::best_of(type, seen, s.shape, s.axis, held, options);
    const oracle::slices small(oracle::with_axis(s.shape, s.axis, held), s.axis), large(out.dims, s.axis);
    oracle::bytes_t values(out.values.size(), red_zone_buffer::untouched);
    oracle::bytes_t indices(out.indices.size(), red_zone_buffer::untouched);
    for (std::size_t slice = 0; slice < small.count(); ++slice) {
      for (std::size_t i = 0; i < small.length; ++i) {
        const std::size_t from = small.position(slice, i), to = large.position(slice, i);
        std::copy_n(best.values.begin() + static_cast<std::ptrdiff_t>(from * size), size,
                    values.begin() + static_cast<std::ptrdiff_t>(to * size));
        std::memcpy(indices.data() + to * sizeof(std::int64_t), &best.indices[from], sizeof(std::int64_t));
      }
    }
    return out.values.holds(values.data()) && out.indices.holds(indices.data()) && out.intact();
  }
};

TEST_P(topk_merge, results_of_blocks) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const inputs::named& input : inputs::all) {
      SCOPED_TRACE(input.name);
      const stream rows(type, {2, 61}, 1, input.id, seed);
      for (const std::int64_t k : {0, 1, 5, 30, 61}) ASSERT_TRUE(merge(rows, 5, k, serial(isa), seed + 1));
      ASSERT_TRUE(merge(stream(type, {9, 4, 3}, 1, input.id, seed), 3, 3, serial(isa), seed + 2));
      ASSERT_TRUE(merge(stream(type, {17, 2, 3}, -3, input.id, seed), 4, 6, on_caller(isa, 3), seed + 3));
    }
  }
}

// More parts than are handed over at a time, some of them empty, none as long as k.
TEST_P(topk_merge, many_parts) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const std::int64_t k : {1, 70, 200}) {
      ASSERT_TRUE(merge(stream(type, {3, 200}, 1, inputs::distribution::few_values, seed), 190, k, serial(isa), seed));
      ASSERT_TRUE(
          merge(stream(type, {200, 5}, 0, inputs::distribution::nan_mix, seed), 130, k, on_caller(isa, 2), seed));
    }
  }
}

TEST_P(topk_merge, blocks_of_a_stream) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const inputs::named& input : inputs::all) {
      SCOPED_TRACE(input.name);
      const stream rows(type, {2, 61}, 1, input.id, seed);
      for (const std::int64_t k : {0, 1, 5, 30, 61, 70}) ASSERT_TRUE(extend(rows, 5, k, serial(isa), seed + 1));
      ASSERT_TRUE(extend(stream(type, {9, 4, 3}, 1, input.id, seed), 3, 3, serial(isa), seed + 2));
      ASSERT_TRUE(extend(stream(type, {17, 2, 3}, -3, input.id, seed), 4, 6, on_caller(isa, 3), seed + 3));
    }
  }
}

TEST_P(topk_merge, long_slices) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const inputs::named& input : inputs::all) {
      SCOPED_TRACE(input.name);
      const stream row(type, {1501}, 0, input.id, seed);
      const std::int64_t k = 1 + static_cast<std::int64_t>(inputs::splitmix(seed, 7) % 40);
      ASSERT_TRUE(merge(row, 2, k, serial(isa), seed + 5));
      ASSERT_TRUE(extend(row, 3, k, serial(isa), seed + 6));
    }
  }
}

// Slices side by side are lanes, and blocks of many: widths around the edges of both.
TEST_P(topk_merge, every_width_across) {
  std::size_t turn = 0;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const std::int64_t inner : {2, 4, 8, 15, 16, 17, 31, 33, 64, 65, 127, 128, 129, 200}) {
      const inputs::named& input = inputs::all[turn++ % std::size(inputs::all)];
      SCOPED_TRACE(input.name);
      const stream s(type, {2, 23, inner}, 1, input.id, seed);
      ASSERT_TRUE(merge(s, 3, 4, serial(isa), seed + turn));
      ASSERT_TRUE(extend(s, 3, 4, serial(isa), seed + turn));
    }
  }
}

TEST_P(topk_merge, tasks_change_nothing) {
  const auto random = inputs::distribution::random, ties = inputs::distribution::both_zeros;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    ASSERT_TRUE(merge(stream(type, {40, 20}, 1, random, seed), 3, 4, on_threads(isa, 3), seed));
    ASSERT_TRUE(merge(stream(type, {2, 20, 150}, 1, ties, seed), 3, 4, on_threads(isa, 2), seed));
    ASSERT_TRUE(extend(stream(type, {40, 20}, 1, ties, seed), 3, 4, on_threads(isa, 3), seed));
    ASSERT_TRUE(extend(stream(type, {2, 20, 150}, 1, random, seed), 3, 4, on_threads(isa, 2), seed));
    ASSERT_TRUE(extend(stream(type, {50, 20}, 1, random, seed), 2, 20, forced_parallel(isa, 0), seed));
  }
}

// Labels of any order, shared by elements of one value with other bits, up to the greatest; parts in any order.
TEST_P(topk_merge, any_labels) {
  constexpr std::int64_t most = INT64_MAX;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    for (const inputs::named& input : inputs::all) {
      SCOPED_TRACE(input.name);
      std::vector<part> parts;
      std::int64_t total = 0;
      for (const std::int64_t length : {7, 40, 0, 150, 1}) {
        const oracle::shape_t dims{2, length};
        const std::uint64_t part_seed = inputs::splitmix(seed, static_cast<std::uint64_t>(length));
        std::vector<std::int64_t> labels(oracle::elements(dims));
        for (std::size_t i = 0; i < labels.size(); ++i) {
          labels[i] = static_cast<std::int64_t>(inputs::splitmix(part_seed, i) % 9) + (length == 40 ? most - 8 : 0);
        }
        const std::int64_t offset = length == 150 ? 3 : length == 1 ? most - 8 : 0;
        parts.push_back({length, inputs::make(input.id, type, dims, 1, part_seed), labels, offset});
        total += length;
      }
      ASSERT_TRUE(merging::for_each_choice(1, serial(isa), [&](const topk_options& options) {
        bool good = true;
        for (const std::int64_t k : {std::int64_t{1}, std::int64_t{50}, total}) {
          const oracle::topk_result expected = merging::best_of(type, parts, {2, 0}, 1, k, options);
          std::vector<part> turned = parts;
          for (std::size_t turn = 0; good && turn < parts.size(); ++turn) {
            std::rotate(turned.begin(), turned.begin() + 1, turned.end());
            good = merging::check_merge(type, {2, 0}, turned, k, options, expected);
          }
        }
        return good;
      }));
    }
  }
}

TEST_P(topk_merge, empty_tensors) {
  for (const oracle::shape_t& shape : {oracle::shape_t{0, 4}, oracle::shape_t{3, 0}, oracle::shape_t{2, 4, 0}}) {
    const stream nothing(type, shape, 1, inputs::distribution::random, fixed_seed);
    for (const topsplit::execution& run : {serial(isa), on_caller(isa, 2)}) {
      for (std::int64_t k = 0; k <= nothing.length(); ++k) {
        ASSERT_TRUE(merge(nothing, 3, k, run, fixed_seed));
        ASSERT_TRUE(extend(nothing, 3, k, run, fixed_seed));
      }
    }
  }
}

std::string name_of(const testing::TestParamInfo<topk_merge::ParamType>& info) {
  return std::string(topsplit::isa_name(std::get<0>(info.param))) + "_" +
         topsplit::data_type_name(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(each, topk_merge,
                         testing::Combine(testing::ValuesIn(built_isas()), testing::ValuesIn(inputs::topk_types)),
                         name_of);

// The law that the two calls are for, said with the library alone: any way of cutting a stream gives one topk's bytes.
TEST(topk_merge_law, pieces_make_the_whole) {
  constexpr std::int64_t n = 5000, k = 100;
  const oracle::bytes_t x = inputs::make(inputs::distribution::mostly_zeros, data_type::f32, {n}, 0, fixed_seed);
  const auto* const floats = reinterpret_cast<const float*>(x.data());
  std::vector<float> whole(k), merged(k), extended(k);
  std::vector<std::int64_t> whole_at(k), merged_at(k), extended_at(k);
  const auto f32 = [](std::vector<float>& v, const std::int64_t& length) {
    return topsplit::tensor{v.data(), data_type::f32, &length, 1};
  };
  const auto i64 = [](std::vector<std::int64_t>& v, const std::int64_t& length) {
    return topsplit::tensor{v.data(), data_type::i64, &length, 1};
  };
  ASSERT_TRUE(topsplit::topk({floats, data_type::f32, &n, 1}, k, f32(whole, k), i64(whole_at, k)).ok());

  const std::vector<std::int64_t> sizes = random_cut(n, 9, fixed_seed);
  std::vector<std::vector<float>> part_values(sizes.size(), std::vector<float>(k));
  std::vector<std::vector<std::int64_t>> part_indices(sizes.size(), std::vector<std::int64_t>(k));
  std::vector<std::int64_t> lengths(sizes.size());
  std::vector<topsplit::topk_part> parts;
  std::int64_t begin = 0;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const topsplit::const_tensor block{floats + begin, data_type::f32, &sizes[b], 1};
    lengths[b] = std::min(k, sizes[b]);
    ASSERT_TRUE(
        topsplit::topk(block, lengths[b], f32(part_values[b], lengths[b]), i64(part_indices[b], lengths[b])).ok());
    ASSERT_TRUE(topsplit::extend_topk(block, begin, std::min(k, begin), f32(extended, k), i64(extended_at, k)).ok());
    parts.push_back({{part_values[b].data(), data_type::f32, &lengths[b], 1},
                     {part_indices[b].data(), data_type::i64, &lengths[b], 1},
                     begin});
    begin += sizes[b];
  }
  ASSERT_TRUE(topsplit::merge_topk(parts.data(), parts.size(), k, f32(merged, k), i64(merged_at, k)).ok());
  EXPECT_EQ(merged_at, whole_at);
  EXPECT_EQ(extended_at, whole_at);
  EXPECT_EQ(std::memcmp(merged.data(), whole.data(), k * sizeof(float)), 0);
  EXPECT_EQ(std::memcmp(extended.data(), whole.data(), k * sizeof(float)), 0);
}

}  // namespace
