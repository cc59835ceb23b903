// Properties of Split that were reported as broken elsewhere, each a named procedure: every alignment of every buffer, the
// exact copy of NaN patterns, lengths that a float cannot count, overlap refused.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/red_zone.h"
#include "tests/runs.h"
#include "tests/split_check.h"
#include "topsplit/split.h"

namespace {

using topsplit::data_type;
topsplit::status run_split(const void* input, data_type type, const oracle::shape_t& shape, std::int64_t axis,
                           const sizes_t& sizes, const std::vector<void*>& outputs, topsplit::isa isa) {
  return split_subject{type, shape, axis, sizes}.run(input, outputs, serial(isa));
}

// The input's shift and each output's go through 0 to 15 independently: every digit of `shift` in base 16 is one buffer's.
void check_alignments(const oracle::shape_t& shape, const sizes_t& sizes, topsplit::isa isa) {
  const oracle::bytes_t bytes = inputs::random_bytes(data_type::u8, oracle::elements(shape), 95);
  const std::vector<oracle::bytes_t> expected = oracle::split_bytes(data_type::u8, bytes.data(), shape, 1, sizes);
  for (std::size_t shift = 0; shift < std::size_t{1} << (4 * (1 + sizes.size())); ++shift) {
    const red_zone_buffer input(bytes.data(), bytes.size(), shift % 16);
    std::vector<red_zone_buffer> parts;
    std::vector<void*> outputs;
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      parts.emplace_back(expected[p].size(), (shift >> (4 * (1 + p))) % 16);
      outputs.push_back(parts.back().data());
    }
    const topsplit::status done = run_split(input.data(), data_type::u8, shape, 1, sizes, outputs, isa);
    ASSERT_TRUE(done.ok()) << done.text();
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      ASSERT_TRUE(parts[p].holds(expected[p].data()) && parts[p].intact()) << "part " << p << ", shifts " << shift;
    }
    ASSERT_TRUE(input.holds(bytes.data()) && input.intact());
  }
}

TEST(split_alignment, every_shift_of_every_pointer) {
  for (const topsplit::isa isa : available_isas()) {
    SCOPED_TRACE(topsplit::isa_name(isa));
    ASSERT_NO_FATAL_FAILURE(check_alignments({7, 7}, {1, 2, 4}, isa));
    ASSERT_NO_FATAL_FAILURE(check_alignments({33, 67}, {31, 36}, isa));
  }
}

// Wider elements at addresses that are no multiple of their size, which Split takes.
TEST(split_alignment, elements_off_their_own_alignment) {
  const oracle::shape_t shape{5, 9};
  for (const data_type type : inputs::split_types) {
    if (type == data_type::string) {
      continue;  // objects, not bytes: they lie aligned
    }
    const oracle::bytes_t bytes = inputs::random_bytes(type, 45, 1);
    const std::vector<oracle::bytes_t> expected = oracle::split_bytes(type, bytes.data(), shape, 1, {2, 7});
    for (const topsplit::isa isa : available_isas()) {
      const red_zone_buffer input(bytes.data(), bytes.size(), 1);
      red_zone_buffer first(expected[0].size(), 3);
      red_zone_buffer second(expected[1].size(), 5);
      const topsplit::status done = run_split(input.data(), type, shape, 1, {2, 7}, {first.data(), second.data()}, isa);
      ASSERT_TRUE(done.ok()) << done.text();
      ASSERT_TRUE(first.holds(expected[0].data()) && second.holds(expected[1].data()) && first.intact() &&
                  second.intact())
          << topsplit::data_type_name(type) << " " << topsplit::isa_name(isa);
    }
  }
}

void expect_refused(std::byte* memory, std::size_t bytes, std::int64_t axis, const sizes_t& sizes, void* input,
                    const std::vector<void*>& outputs) {
  const std::vector<std::byte> before(memory, memory + bytes);
  for (const topsplit::isa isa : available_isas()) {
    const topsplit::status done = run_split(input, data_type::f32, {4, 8}, axis, sizes, outputs, isa);
    EXPECT_EQ(done.code(), topsplit::status_code::invalid_argument);
    EXPECT_EQ(std::strncmp(done.text(), "Split: ", 7), 0) << done.text();
    EXPECT_EQ(std::memcmp(memory, before.data(), bytes), 0) << "something was written";
  }
}

TEST(split_aliasing, overlap_is_refused) {
  alignas(8) std::byte memory[1024];
  for (std::size_t i = 0; i < sizeof memory; ++i) {
    memory[i] = static_cast<std::byte>(i * 5);
  }
  std::byte* const input = memory + 256;  // 128 bytes
  expect_refused(memory, sizeof memory, 1, {4, 4}, input, {input + 4, memory + 512});
  expect_refused(memory, sizeof memory, 0, {1, 3}, input, {input, memory + 512});
  expect_refused(memory, sizeof memory, 1, {4, 4}, input, {memory + 512, input + 127});
  expect_refused(memory, sizeof memory, 1, {4, 4}, input, {memory + 512, input - 63});
  expect_refused(memory, sizeof memory, 1, {4, 4}, input, {memory + 512, memory + 575});
}

TEST(split_aliasing, neighbours_and_empty_parts_are_not_overlap) {
  const oracle::bytes_t bytes = inputs::random_bytes(data_type::f32, 32, 1);
  const std::vector<oracle::bytes_t> expected = oracle::split_bytes(data_type::f32, bytes.data(), {4, 8}, 1, {4, 0, 4});
  alignas(8) std::byte memory[256];
  std::byte* const input = memory + 64;
  std::memcpy(input, bytes.data(), 128);
  const topsplit::status done = run_split(input, data_type::f32, {4, 8}, 1, {4, 0, 4}, {memory, input + 4, input + 128},
                                          topsplit::isa::automatic);
  ASSERT_TRUE(done.ok()) << done.text();
  EXPECT_EQ(std::memcmp(memory, expected[0].data(), 64), 0);
  EXPECT_EQ(std::memcmp(input + 128, expected[2].data(), 64), 0);
  EXPECT_EQ(std::memcmp(input, bytes.data(), 128), 0);
}

// 2^24 + 1 is the first whole number that a float lacks.
void check_count(std::int64_t length, std::int64_t parts, const sizes_t& sizes) {
  std::vector<std::int64_t> inferred(static_cast<std::size_t>(parts));
  const topsplit::status done =
      topsplit::infer_split({nullptr, data_type::u8, &length, 1}, nullptr, inferred.size(), 0, inferred.data());
  ASSERT_TRUE(done.ok()) << done.text();
  ASSERT_EQ(inferred, sizes);
  oracle::bytes_t input(static_cast<std::size_t>(length));
  for (std::size_t i = 0; i < input.size(); ++i) {
    input[i] = static_cast<std::byte>(i % 251);
  }
  std::vector<oracle::bytes_t> outputs;
  std::vector<void*> data;
  for (const std::int64_t size : sizes) {
    outputs.emplace_back(static_cast<std::size_t>(size));
    data.push_back(outputs.back().data());
  }
  for (const topsplit::isa isa : available_isas()) {
    ASSERT_TRUE(run_split(input.data(), data_type::u8, {length}, 0, sizes, data, isa).ok());
    const std::byte* from = input.data();
    for (const oracle::bytes_t& part : outputs) {
      ASSERT_EQ(std::memcmp(part.data(), from, part.size()), 0) << topsplit::isa_name(isa);
      from += part.size();
    }
  }
}

TEST(split_counts, beyond_a_float) {
  check_count(16777217, 2, {8388609, 8388608});
  check_count(25165825, 3, {8388609, 8388609, 8388607});
  check_count(16777217, 1, {16777217});
}

}  // namespace
