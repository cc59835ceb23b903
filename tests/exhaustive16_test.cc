// The order of the 16-bit types over all of their 65,536 bit patterns, by each kernel table.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "arch/kernel_table.h"
#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/tables.h"

namespace {

using topsplit::data_type;
using namespace topsplit::kernels;

struct kind {
  element id;
  data_type type;
  const char* name;
};
constexpr kind kinds[] = {{element::u16, data_type::u16, "u16"},
                          {element::i16, data_type::i16, "i16"},
                          {element::f16, data_type::f16, "f16"},
                          {element::bf16, data_type::bf16, "bf16"}};
constexpr std::size_t patterns = 65536;

class exhaustive16 : public testing::TestWithParam<tables::table> {
 protected:
  topk_kernel kernel(topk_algorithm algorithm, element id, bool largest) const {
    return GetParam().kernels->topk[index_of(algorithm)][topk_order_of(id, largest)];
  }
};

// All patterns, shuffled, sorted: the ties among NaNs and among zeros come by index.
TEST_P(exhaustive16, sort) {
  std::vector<std::uint16_t> x(patterns);
  std::iota(x.begin(), x.end(), std::uint16_t{0});
  for (std::size_t i = patterns; i-- > 1;) std::swap(x[i], x[inputs::splitmix(3, i) % (i + 1)]);
  const oracle::shape_t shape = {patterns};
  for (const kind& type : kinds) {
    for (const bool largest : {true, false}) {
      const auto order = oracle::rank(type.type, x.data(), shape, 0, largest);
      const auto want = oracle::topk(order, type.type, x.data(), shape, 0, patterns, true);
      oracle::bytes_t values(patterns * sizeof(std::uint16_t));
      std::vector<std::int64_t> indices(patterns);
      const topk_call call{x.data(), values.data(), indices.data(), patterns, patterns, 1, false, type.id, largest};
      for (const auto algorithm : {topk_algorithm::heap, topk_algorithm::select}) {
        kernel(algorithm, type.id, largest)(call, 0, 1);
        EXPECT_EQ(indices, want.indices) << type.name << ' ' << topk_algorithm_names[index_of(algorithm)];
        EXPECT_TRUE(values == want.values) << type.name << ' ' << topk_algorithm_names[index_of(algorithm)];
      }
    }
  }
}

// The filter: of a root and a later element the latter wins exactly when it is strictly better. Each pattern stands
// against roots from all over the order, those at the seams of the float formats among them.
TEST_P(exhaustive16, filter) {
  std::vector<std::uint16_t> roots = {0x0000, 0x8000, 0x0001, 0x8001, 0x7fff, 0xffff, 0x7c00, 0xfc00, 0x7c01,
                                      0xfc01, 0x7bff, 0xfbff, 0x7f80, 0xff80, 0x7f81, 0xff81, 0x7f7f, 0xff7f};
  for (std::uint32_t root = 11; root < patterns; root += 1499) roots.push_back(static_cast<std::uint16_t>(root));
  std::vector<std::uint16_t> x(2 * patterns), values(patterns);
  std::iota(x.begin() + patterns, x.end(), std::uint16_t{0});
  std::vector<std::int64_t> indices(patterns);
  for (const kind& type : kinds) {
    // The oracle's place of each pattern in the order; equal values share one.
    const oracle::shape_t shape = {patterns};
    const auto ascending = oracle::rank(type.type, x.data() + patterns, shape, 0, false)[0];
    std::vector<std::size_t> place(patterns);
    oracle::with_type(type.type, [&](auto kind_of) {
      using T = decltype(kind_of);
      if constexpr (sizeof(T) == sizeof(std::uint16_t)) {
        T before{};
        std::size_t current = 0;
        for (std::size_t i = 0; i < patterns; ++i) {
          T value;
          std::memcpy(&value, x.data() + patterns + ascending[i], sizeof value);
          if (i > 0 && oracle::less(oracle::number(before), oracle::number(value))) current = i;
          place[static_cast<std::size_t>(ascending[i])] = current;
          before = value;
        }
      }
    });
    for (const bool largest : {true, false}) {
      for (const std::uint16_t root : roots) {
        std::fill(x.begin(), x.begin() + patterns, root);
        for (const auto algorithm : {topk_algorithm::heap_across, topk_algorithm::lists, topk_algorithm::across}) {
          kernel(algorithm, type.id, largest)(
              {x.data(), values.data(), indices.data(), 2, 1, patterns, false, type.id, largest}, 0, patterns);
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < patterns; ++i) {
            const bool wins = largest ? place[i] > place[root] : place[i] < place[root];
            wrong += indices[i] != (wins ? 1 : 0) || values[i] != (wins ? i : root);
          }
          ASSERT_EQ(wrong, 0u) << type.name << " root " << root << (largest ? " largest " : " smallest ")
                               << topk_algorithm_names[index_of(algorithm)];
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(isa, exhaustive16, testing::ValuesIn(tables::available()), tables::name_of());

}  // namespace
