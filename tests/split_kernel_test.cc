// Each kernel table's Split kernels, asked through the table, all on the same calls whether or not a plan would choose
// them so: pieces of every length around the vector widths, narrow ones in every number of parts, at any address, and
// ranges that begin and end anywhere, of which exactly the own bytes may be written. Past them lie red zones.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/kernel_table.h"
#include "tests/inputs.h"
#include "tests/red_zone.h"
#include "tests/tables.h"

namespace {

using namespace topsplit::kernels;
using sizes_t = std::vector<std::size_t>;

std::size_t sum(const sizes_t& sizes) {
  std::size_t result = 0;
  for (const std::size_t size : sizes) result += size;
  return result;
}

// Rows of parts of these sizes, which may be a span of longer rows.
struct split_shape {
  sizes_t sizes;
  std::size_t rows;
  std::size_t before = 0;  // bytes of a row before the span ...
  std::size_t after = 0;   // ... and after it

  std::size_t units() const { return rows * sum(sizes); }
};

struct addresses {
  std::size_t input = 0;  // how far from a line's start
  std::size_t output = 0;
  std::size_t output_step = 0;  // by how much more each further output
};

class split_kernel_test : public testing::TestWithParam<tables::table> {
 protected:
  // Splits the bytes [begin, end) by every kernel and checks each byte of each part, copied or left alone.
  static void check(const split_shape& shape, std::size_t begin, std::size_t end, const addresses& at) {
    const std::size_t span = sum(shape.sizes), row_bytes = shape.before + span + shape.after;
    red_zone_buffer input(shape.rows * row_bytes, at.input);
    for (std::size_t i = 0; i < input.size(); ++i) input.data()[i] = static_cast<std::byte>(inputs::splitmix(9, i));
    std::vector<red_zone_buffer> outputs;
    std::vector<std::vector<std::byte>> expected;
    std::vector<split_part> parts;
    std::size_t offset = shape.before;
    for (const std::size_t size : shape.sizes) {
      outputs.emplace_back(shape.rows * size, (at.output + parts.size() * at.output_step) % 64);
      parts.push_back({outputs.back().data(), size, offset});
      expected.emplace_back();
      for (std::size_t r = 0; r < shape.rows; ++r) {
        for (std::size_t i = 0; i < size; ++i) {
          const std::size_t unit = r * span + offset - shape.before + i;
          const bool ours = unit >= begin && unit < end;
          expected.back().push_back(ours ? input.data()[r * row_bytes + offset + i] : red_zone_buffer::untouched);
        }
      }
      offset += size;
    }
    const split_call call{input.data(), row_bytes, parts.data(), parts.size(), span};
    for (std::size_t a = 0; a < split_algorithm_count; ++a) {
      for (auto& output : outputs) output.refill();
      GetParam().kernels->split[a](call, begin, end);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        ASSERT_TRUE(outputs[p].holds(expected[p].data()) && outputs[p].intact())
            << split_algorithm_names[a] << ", part " << p << " of " << testing::PrintToString(shape.sizes)
            << ", range [" << begin << "," << end << ") of " << shape.rows << " rows of " << row_bytes << ", addresses "
            << at.input << ", " << at.output << " + " << at.output_step;
      }
    }
  }

  static void check_all(const split_shape& shape, const addresses& at = {}) { check(shape, 0, shape.units(), at); }
};

// Rows that fill some vectors of results however narrow a row is, and end anywhere.
std::size_t some_rows(std::size_t span) { return 5 + 6000 / span; }

TEST_P(split_kernel_test, every_piece_length) {
  for (std::size_t bytes = 1; bytes <= 600; ++bytes) {
    check_all({{bytes, 0, 5}, 9, 3, 2}, {bytes % 16, bytes % 64, 0});
    if (HasFatalFailure()) return;
  }
}

TEST_P(split_kernel_test, long_pieces) {
  for (const std::size_t bytes : {std::size_t{2047}, std::size_t{2048}, std::size_t{2049}, std::size_t{40000}}) {
    for (const std::size_t shift : {0u, 1u, 7u}) {
      check_all({{bytes, 7, bytes + 1}, 3, 3, 2}, {shift, shift, 5});
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(split_kernel_test, every_width_and_number_of_equal_parts) {
  for (std::size_t bytes = 1; bytes <= 70; ++bytes) {
    for (std::size_t parts = 2; parts <= 9; ++parts) {
      const split_shape shape = {sizes_t(parts, bytes), some_rows(parts * bytes)};
      const std::size_t cut = shape.units() / 3;  // most often inside a piece
      check(shape, 0, cut, {1, 7 * bytes % 64, 0});
      check(shape, cut, shape.units(), {bytes % 8, 16, bytes % 2});
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(split_kernel_test, elements_at_their_own_addresses) {
  for (const std::size_t bytes : {1u, 2u, 4u, 8u, 16u, 32u}) {
    for (std::size_t parts = 2; parts <= 8; ++parts) {
      for (const std::size_t address : {0u, 16u, 32u}) {
        const split_shape shape = {sizes_t(parts, bytes), some_rows(parts * bytes) + 64};
        check_all(shape, {address, address, 0});
        check(shape, parts * bytes + bytes, shape.units() - 1, {address, address, bytes});
        check_all({shape.sizes, shape.rows, bytes, 0}, {address, address, 0});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(split_kernel_test, narrow_unequal_parts) {
  for (const sizes_t& sizes : {sizes_t{6, 14},
                               {14, 6},
                               {16, 320},
                               {64, 128, 192},
                               {1, 2},
                               {3, 1, 0, 2},
                               {4, 4, 8},
                               {5, 11, 3, 13},
                               {0, 1, 1, 0},
                               {7},
                               {30, 2},
                               {2, 30},
                               {1, 62},
                               {40, 23}}) {
    for (const std::size_t address : {0u, 1u, 7u, 63u}) {
      const split_shape shape = {sizes, some_rows(sum(sizes))};
      check_all(shape, {address, address, 3});
      check(shape, 1, shape.units() - 1, {0, address, 0});
      if (HasFatalFailure()) return;
    }
  }
}

// A line past the cache that two rows share, at each place where it can be cut.
TEST_P(split_kernel_test, every_address_of_an_output) {
  for (std::size_t address = 0; address < 64; ++address) {
    for (const std::size_t bytes : {64u, 65u, 100u, 127u, 128u, 324u})
      check_all({{bytes, 70, 96}, 30}, {3, address, 1});
    check_all({{9, 3}, 900}, {0, address, 0});
    if (HasFatalFailure()) return;
  }
}

TEST_P(split_kernel_test, ranges) {
  for (const split_shape& shape :
       {split_shape{{0, 5, 0, 40, 0, 200, 1, 0}, 4}, {{1, 1, 1}, 330}, {{16, 16}, 31}, {{70, 130}, 5}}) {
    for (std::size_t begin = 0; begin < shape.units(); begin += 13) {
      for (std::size_t end = begin + 1; end <= shape.units(); end += 29) {
        check(shape, begin, end, {0, begin % 64, end % 3});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(split_kernel_test, many_parts) {
  for (const std::size_t bytes : {1u, 3u, 4u, 8u, 324u}) {
    for (const std::size_t parts : {12u, 16u, 96u, 128u}) {
      check_all({sizes_t(parts, bytes), 70}, {1, 16, 0});
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(isa, split_kernel_test, testing::ValuesIn(tables::available()), tables::name_of());

}  // namespace
