// Each kernel table's Split kernels, asked through the table: pieces of every length around the vector widths, at any
// address, and ranges that begin and end inside a piece and must write exactly their own bytes.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "arch/kernel_table.h"
#include "tests/inputs.h"
#include "tests/tables.h"

namespace {

using namespace topsplit::kernels;

class split_kernel_test : public testing::TestWithParam<tables::table> {
 protected:
  // Splits rows into parts of these sizes and checks each byte of each part, copied and left alone.
  void check(const std::vector<std::size_t>& sizes, std::size_t rows, std::size_t begin, std::size_t end,
             std::size_t shift) {
    constexpr auto untouched = std::byte{0xa5};
    std::size_t span = 0;
    for (const std::size_t size : sizes) span += size;
    const std::size_t before = 3, row_bytes = span + before + 2;  // the span is a part of a longer row
    std::vector<std::byte> input(rows * row_bytes + shift);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::byte>(inputs::splitmix(9, i) & 0x7f);
    std::vector<std::vector<std::byte>> buffers;
    std::vector<split_part> parts;
    std::size_t offset = before;
    for (const std::size_t size : sizes) {
      buffers.emplace_back(rows * size + shift + 64, untouched);
      parts.push_back({buffers.back().data() + shift, size, offset});
      offset += size;
    }
    const split_call call{input.data() + shift, row_bytes, parts.data(), parts.size(), span};
    for (const split_kernel kernel : GetParam().kernels->split) {
      for (auto& buffer : buffers) std::fill(buffer.begin(), buffer.end(), untouched);
      kernel(call, begin, end);
      std::size_t in_span = 0;
      for (std::size_t p = 0; p < sizes.size(); in_span += sizes[p++]) {
        for (std::size_t i = 0; i < buffers[p].size(); ++i) {
          std::byte want = untouched;
          if (i >= shift && i - shift < rows * sizes[p]) {
            const std::size_t row = (i - shift) / sizes[p], at = (i - shift) % sizes[p];
            const std::size_t unit = row * span + in_span + at;
            if (unit >= begin && unit < end) want = input[shift + row * row_bytes + before + in_span + at];
          }
          ASSERT_EQ(buffers[p][i], want) << "part " << p << " of " << sizes[p] << " bytes, byte " << i << ", range ["
                                         << begin << "," << end << ") of " << rows << " rows, shift " << shift;
        }
      }
    }
  }
};

TEST_P(split_kernel_test, every_piece_length) {
  for (std::size_t bytes = 1; bytes <= 300; ++bytes) {
    const std::vector<std::size_t> sizes = {bytes, 0, 5};
    check(sizes, 3, 0, 3 * (bytes + 5), bytes % 16);
    if (HasFatalFailure()) return;
  }
}

TEST_P(split_kernel_test, long_pieces) {
  for (const std::size_t bytes : {std::size_t{2047}, std::size_t{2048}, std::size_t{2049}, std::size_t{40000}}) {
    check({bytes, 7, bytes + 1}, 2, 0, 2 * (2 * bytes + 8), 1);
    if (HasFatalFailure()) return;
  }
}

TEST_P(split_kernel_test, ranges) {
  const std::vector<std::size_t> sizes = {0, 5, 0, 40, 0, 200, 1, 0};
  const std::size_t units = 4 * 246;
  for (std::size_t begin = 0; begin < units; begin += 13) {
    for (std::size_t end = begin + 1; end <= units; end += 29) {
      check(sizes, 4, begin, end, 0);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(isa, split_kernel_test, testing::ValuesIn(tables::available()), tables::name_of());

}  // namespace
