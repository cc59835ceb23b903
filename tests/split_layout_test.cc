// The layout of Split's parts: every element is found in the input where the layout says, compared with the oracle,
// which copies by coordinates; and the errors, which are those of split.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/oracle.h"
#include "topsplit/split.h"

namespace {

using topsplit::data_type;
using topsplit::split_part_layout;

struct layout_case {
  oracle::shape_t shape;
  std::int64_t axis;
  std::vector<std::int64_t> sizes;
};

TEST(split_layout, finds_every_element) {
  for (const layout_case& c : {layout_case{{2, 6, 3}, 1, {1, 0, 3, 2}},
                               {{2, 6, 3}, 0, {1, 1}},
                               {{2, 6, 3}, -1, {2, 1}},
                               {{5}, 0, {2, 3}},
                               {{3, 4}, 1, {4}},
                               {{3, 4}, 1, {0, 4, 0}},
                               {{1, 7}, 1, {3, 4}},
                               {{0, 4}, 1, {1, 3}},
                               {{3, 0}, 1, {0, 0}}}) {
    SCOPED_TRACE(testing::PrintToString(c.shape) + ", axis " + std::to_string(c.axis));
    std::vector<split_part_layout> parts(c.sizes.size());
    const topsplit::status s = topsplit::layout_split({nullptr, data_type::f32, c.shape.data(), c.shape.size()},
                                                      c.sizes.data(), c.sizes.size(), c.axis, parts.data());
    ASSERT_TRUE(s.ok()) << s.text();
    for (const split_part_layout& part : parts) {
      const bool no_gap = part.runs <= 1 || part.length == 0 || part.length == part.pitch;
      EXPECT_EQ(part.is_view, no_gap);
    }
    std::size_t seen = 0;
    oracle::split(c.shape, c.axis, c.sizes, [&](std::size_t p, std::size_t to, std::size_t from) {
      const split_part_layout& part = parts[p];
      const auto at = static_cast<std::int64_t>(to);
      ASSERT_LT(at, part.length * part.runs);
      EXPECT_EQ(part.offset + at / part.length * part.pitch + at % part.length, static_cast<std::int64_t>(from));
      ++seen;
    });
    EXPECT_EQ(seen, oracle::elements(c.shape));
  }
}

TEST(split_layout, equal_parts_and_strings) {
  const std::int64_t shape[] = {2, 7};
  split_part_layout parts[3];
  ASSERT_TRUE(topsplit::layout_split({nullptr, data_type::string, shape, 2}, nullptr, 3, 1, parts).ok());
  EXPECT_EQ(parts[1].offset, 3);
  EXPECT_EQ(parts[1].length, 3);
  EXPECT_EQ(parts[2].length, 1);
}

TEST(split_layout, errors) {
  const std::int64_t shape[] = {2, 7}, sizes[] = {3, 3};
  split_part_layout parts[2];
  const topsplit::const_tensor input = {nullptr, data_type::f32, shape, 2};
  EXPECT_STREQ(topsplit::layout_split(input, sizes, 2, 1, parts).text(),
               "Split: the 2 sizes in split sum to 6, but axis 1 has length 7");
  EXPECT_STREQ(topsplit::layout_split(input, nullptr, 2, 1, nullptr).text(), "Split: parts is null");
  EXPECT_FALSE(topsplit::layout_split(input, nullptr, 2, 2, parts).ok());
}

}  // namespace
