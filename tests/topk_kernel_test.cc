// Each kernel table's TopK kernels, asked through the table and held against the oracle: every algorithm, element type,
// direction and order over the named inputs, and ranges of slices that must leave their neighbours alone.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "arch/kernel_table.h"
#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/tables.h"

namespace {

using topsplit::data_type;
using namespace topsplit::kernels;

// In the order of kernels::element.
constexpr data_type element_types[element_count] = {data_type::u8,  data_type::u16,  data_type::u32, data_type::u64,
                                                    data_type::i8,  data_type::i16,  data_type::i32, data_type::i64,
                                                    data_type::f16, data_type::bf16, data_type::f32, data_type::f64};

struct shape {
  std::size_t outer, n, inner;
};

// Those that take contiguous slices.
constexpr topk_algorithm along[] = {topk_algorithm::rows, topk_algorithm::reservoir, topk_algorithm::select,
                                    topk_algorithm::count, topk_algorithm::heap};

class topk_kernel_test : public testing::TestWithParam<tables::table> {
 protected:
  const kernel_table& kernels() const { return *GetParam().kernels; }

  topk_kernel kernel(topk_algorithm algorithm, std::size_t element, bool largest) const {
    return kernels()
        .topk[index_of(algorithm)][topk_order_of(static_cast<topsplit::kernels::element>(element), largest)];
  }

  // All k and both orders of one input, by one algorithm.
  void check(topk_algorithm algorithm, std::size_t element, bool largest, shape s, inputs::distribution d,
             const std::vector<std::size_t>& ks) {
    const data_type type = element_types[element];
    const oracle::shape_t dims = {static_cast<std::int64_t>(s.outer), static_cast<std::int64_t>(s.n),
                                  static_cast<std::int64_t>(s.inner)};
    const oracle::bytes_t x = inputs::make(d, type, dims, 1, 7 * s.n + s.inner);
    const oracle::ranking order = oracle::rank(type, x.data(), dims, 1, largest);
    for (const std::size_t k : ks) {
      if (k < 1 || k > s.n || !topk_can_do(algorithm, s.n, k, s.inner, topsplit::data_type_bytes(type))) continue;
      for (const bool by_index : {false, true}) {
        const oracle::topk_result want =
            oracle::topk(order, type, x.data(), dims, 1, static_cast<std::int64_t>(k), !by_index);
        oracle::bytes_t values(want.values.size(), std::byte{0xa5});
        std::vector<std::int64_t> indices(want.indices.size(), -1);
        const topk_call call{x.data(), values.data(), indices.data(), s.n,
                             k,        s.inner,       by_index,       static_cast<topsplit::kernels::element>(element),
                             largest};
        kernel(algorithm, element, largest)(call, 0, s.outer * s.inner);
        ASSERT_TRUE(values == want.values && indices == want.indices)
            << topsplit::data_type_name(type) << (largest ? " largest" : " smallest") << " [" << s.outer << "," << s.n
            << "," << s.inner << "] k = " << k << " by_index = " << by_index << " distribution "
            << inputs::all[static_cast<std::size_t>(d)].name;
      }
    }
  }

  void check_everything(topk_algorithm algorithm, const std::vector<shape>& shapes) {
    for (std::size_t element = 0; element < element_count; ++element) {
      for (const bool largest : {true, false}) {
        for (const auto& input : inputs::all) {
          for (const shape s : shapes) {
            check(algorithm, element, largest, s, input.id, {1, 2, 3, s.n / 2, s.n - 1, s.n});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
};

TEST_P(topk_kernel_test, rows) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::rows, {{3, 1, 1}, {2, 5, 1}, {2, v, 1}, {1, 4 * v + 3, 1}, {1, 9 * v - 1, 1}});
}

TEST_P(topk_kernel_test, reservoir) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::reservoir, {{3, 1, 1}, {2, 5, 1}, {2, v, 1}, {1, 4 * v + 3, 1}, {1, 9 * v - 1, 1}});
}

TEST_P(topk_kernel_test, select) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::select, {{3, 1, 1}, {2, 5, 1}, {2, v, 1}, {1, 4 * v + 3, 1}, {1, 9 * v - 1, 1}});
}

TEST_P(topk_kernel_test, count) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::count, {{3, 1, 1}, {2, 5, 1}, {2, v, 1}, {1, 4 * v + 3, 1}, {1, 9 * v - 1, 1}});
}

TEST_P(topk_kernel_test, heap) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::heap, {{3, 1, 1}, {2, 5, 1}, {2, v, 1}, {1, 4 * v + 3, 1}, {1, 9 * v - 1, 1}});
}

TEST_P(topk_kernel_test, lists) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::lists, {{2, 3, 2}, {2, 9, 7}, {1, 12, 2 * v + 1}, {1, 5, 5 * v + 3}, {2, 120, 3}});
}

TEST_P(topk_kernel_test, across) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::across,
                   {{2, 3, 2}, {2, 9, 7}, {1, 12, 2 * v + 1}, {1, 5, 5 * v + 3}, {2, 90, 3}, {1, 120, v}});
}

TEST_P(topk_kernel_test, heap_across) {
  const std::size_t v = kernels().vector_bytes;
  check_everything(topk_algorithm::heap_across, {{2, 3, 2}, {2, 9, 7}, {1, 12, 2 * v + 1}, {1, 5, 5 * v + 3}});
}

// Every length up to a few vectors, so that each loop begins and ends at each offset.
TEST_P(topk_kernel_test, every_length) {
  for (const auto algorithm : along) {
    for (std::size_t element = 0; element < element_count; ++element) {
      for (std::size_t n = 1; n <= 5 * kernels().vector_bytes + 1; n += n < 40 ? 1 : 7) {
        check(algorithm, element, n % 2 == 0, {1, n, 1}, inputs::distribution::random, {1, 4, n / 3, n});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Lengths and k at which buffers fill, thresholds rise and brackets are narrowed again.
TEST_P(topk_kernel_test, long_slices) {
  for (const auto algorithm : along) {
    for (const auto& input : inputs::all) {
      for (const std::size_t element : {std::size_t{0}, std::size_t{8}, std::size_t{10}, std::size_t{11}}) {
        const std::size_t capacity = topk_record_capacity(topsplit::data_type_bytes(element_types[element]));
        const std::size_t n = algorithm == topk_algorithm::rows ? capacity : 20001;
        check(algorithm, element, true, {1, n, 1}, input.id, {1, 10, 300, capacity / 2, n / 2});
        check(algorithm, element, false, {1, n, 1}, input.id, {17, capacity / 4, n - n / 4});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// The same across slices: several columns of tiles, tiles of several rows, reservoirs that are cleared up.
TEST_P(topk_kernel_test, long_slices_across) {
  for (const auto& input : inputs::all) {
    for (const std::size_t element : {std::size_t{0}, std::size_t{8}, std::size_t{10}, std::size_t{11}}) {
      for (const shape s : {shape{1, 1500, 3}, shape{2, 700, 50}}) {
        check(topk_algorithm::across, element, true, s, input.id, {2, 30, 100});
        check(topk_algorithm::across, element, false, s, input.id, {9, 500});
        if (element != 0) check(topk_algorithm::lists, element, true, s, input.id, {1, 3, 7});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Blocks are cut by size: more slices than one block holds, and a k that makes blocks small.
TEST_P(topk_kernel_test, many_blocks_across) {
  for (const std::size_t element : {std::size_t{0}, std::size_t{8}, std::size_t{10}, std::size_t{11}}) {
    for (const auto algorithm : {topk_algorithm::lists, topk_algorithm::across, topk_algorithm::heap_across})
      check(algorithm, element, true, {1, 3, 9001}, inputs::distribution::random, {2});
    check(topk_algorithm::across, element, false, {1, 600, 200}, inputs::distribution::few_values, {500});
    check(topk_algorithm::heap_across, element, false, {1, 600, 200}, inputs::distribution::few_values, {500});
    if (HasFatalFailure()) return;
  }
}

// A range of slices fills exactly those slices' places.
TEST_P(topk_kernel_test, ranges) {
  constexpr std::size_t f32 = 10;
  for (std::size_t a = 0; a < topk_algorithm_count; ++a) {
    const auto algorithm = static_cast<topk_algorithm>(a);
    const shape s = a <= static_cast<std::size_t>(topk_algorithm::heap) ? shape{29, 11, 1} : shape{4, 11, 23};
    const std::size_t slices = s.outer * s.inner, k = 3;
    const oracle::shape_t dims = {static_cast<std::int64_t>(s.outer), 11, static_cast<std::int64_t>(s.inner)};
    const oracle::bytes_t x = inputs::make(inputs::distribution::random, data_type::f32, dims, 1, 5);
    const oracle::topk_result want =
        oracle::topk(oracle::rank(data_type::f32, x.data(), dims, 1, true), data_type::f32, x.data(), dims, 1, 3, true);
    for (std::size_t begin = 0; begin <= slices; begin += 5) {
      for (std::size_t end = begin; end <= slices; end += 4) {
        std::vector<float> values(slices * k, -7.0f);
        std::vector<std::int64_t> indices(slices * k, -7);
        kernel(algorithm, f32, true)(
            {x.data(), values.data(), indices.data(), s.n, k, s.inner, false, element::f32, true}, begin, end);
        for (std::size_t slice = 0; slice < slices; ++slice) {
          for (std::size_t i = 0; i < k; ++i) {
            const std::size_t at = (slice / s.inner * k + i) * s.inner + slice % s.inner;
            float want_value;
            std::memcpy(&want_value, want.values.data() + at * sizeof(float), sizeof(float));
            const bool inside = slice >= begin && slice < end;
            ASSERT_EQ(indices[at], inside ? want.indices[at] : -7)
                << "slice " << slice << " of [" << begin << "," << end;
            ASSERT_EQ(values[at], inside ? want_value : -7.0f);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(isa, topk_kernel_test, testing::ValuesIn(tables::available()), tables::name_of());

}  // namespace
