// Properties of TopK that were reported as broken elsewhere, each a named procedure: the same bytes on every run, exact
// writes, aliasing refused, every alignment.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/inputs.h"
#include "tests/red_zone.h"
#include "tests/runs.h"
#include "tests/topk_check.h"
#include "topsplit/topk.h"

namespace {

using topsplit::data_type;

// Whole numbers from -16 to 15, or 24-bit fractions from -1 to 1.
std::vector<float> levels(std::size_t count, std::uint64_t seed) {
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = static_cast<float>(inputs::splitmix(seed, i) % 32) - 16;
  }
  return x;
}
std::vector<float> fractions(std::size_t count, std::uint64_t seed) {
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = (static_cast<float>(inputs::splitmix(seed, i) >> 40) - 8388608.0F) / 8388608.0F;
  }
  return x;
}

struct rows_result {
  std::vector<float> values;
  std::vector<std::int64_t> indices;
  bool operator==(const rows_result& other) const {
    return indices == other.indices &&
           std::memcmp(values.data(), other.values.data(), values.size() * sizeof(float)) == 0;
  }
};

rows_result run_rows(const std::vector<float>& x, std::int64_t rows, std::int64_t k, const topsplit::execution& run) {
  const auto count = static_cast<std::size_t>(rows * k);
  rows_result result{std::vector<float>(count), std::vector<std::int64_t>(count)};
  topsplit::topk_options options;
  options.run = run;
  const topsplit::status done = topsplit::topk_rows(x.data(), rows, static_cast<std::int64_t>(x.size()) / rows, k,
                                                    result.values.data(), result.indices.data(), options);
  EXPECT_TRUE(done.ok()) << done.text();
  return result;
}

void expect_deterministic(const std::vector<float>& x, std::int64_t rows, std::int64_t k, int runs) {
  const rows_result expected = run_rows(x, rows, k, serial(topsplit::isa::generic));
  for (const topsplit::isa isa : available_isas()) {
    for (const std::int32_t tasks : {1, 2, 3, 4, 8}) {
      for (int i = 0; i < runs; ++i) {
        const topsplit::execution run = i % 2 == 0 ? forced_parallel(isa, tasks) : on_threads(isa, tasks);
        ASSERT_TRUE(run_rows(x, rows, k, run) == expected) << describe(run) << ", run " << i;
      }
    }
  }
}

TEST(topk_determinism, many_ties_at_the_threshold) { expect_deterministic(levels(64 * 8192, 2243), 64, 2048, 20); }

TEST(topk_determinism, few_of_a_long_row) { expect_deterministic(fractions(5 * 7175, 3391), 5, 5, 10); }

TEST(topk_index_type, exactly_k_int64_a_slice_are_written) {
  const oracle::shape_t shape{2, 5};
  for (const auto& input : inputs::all) {
    topk_subject subject(data_type::f32, shape, 1, inputs::make(input.id, data_type::f32, shape, 1, 1));
    for (const topsplit::isa isa : available_isas()) {
      ASSERT_TRUE(subject.check({3}, serial(isa))) << "input " << input.name;
    }
  }
}

// A call whose outputs overlap the input or each other: refused, and not a byte changed.
void expect_refused(std::byte* memory, std::size_t bytes, std::int64_t k, void* x, void* values, void* indices) {
  const std::vector<std::byte> before(memory, memory + bytes);
  const std::int64_t in[2] = {2, 8};
  const std::int64_t out[2] = {2, k};
  for (const topsplit::isa isa : available_isas()) {
    topsplit::topk_options options;
    options.run = serial(isa);
    const topsplit::status done = topsplit::topk({x, data_type::f32, in, 2}, k, {values, data_type::f32, out, 2},
                                                 {indices, data_type::i64, out, 2}, options);
    EXPECT_EQ(done.code(), topsplit::status_code::invalid_argument) << describe(options.run);
    EXPECT_EQ(std::strncmp(done.text(), "TopK: ", 6), 0) << done.text();
    EXPECT_EQ(std::memcmp(memory, before.data(), bytes), 0) << "something was written";
  }
}

TEST(topk_aliasing, overlap_is_refused) {
  alignas(8) std::byte memory[1024];
  for (std::size_t i = 0; i < sizeof memory; ++i) {
    memory[i] = static_cast<std::byte>(i * 7);
  }
  std::byte* const x = memory + 256;  // 64 bytes, its second row at 32
  expect_refused(memory, sizeof memory, 8, x, x, memory + 512);
  expect_refused(memory, sizeof memory, 3, x, x + 32, memory + 512);
  expect_refused(memory, sizeof memory, 3, x, x + 60, memory + 512);
  expect_refused(memory, sizeof memory, 3, x, x - 20, memory + 512);
  expect_refused(memory, sizeof memory, 3, x, memory, x + 56);
  expect_refused(memory, sizeof memory, 3, x, memory + 512, memory + 528);
}

TEST(topk_aliasing, neighbours_are_not_overlap) {
  std::vector<std::int64_t> memory(6 + 8 + 3);  // indices, x and values touch
  float* const x = reinterpret_cast<float*>(memory.data() + 6);
  std::copy_n(levels(16, 1).data(), 16, x);
  const rows_result expected = run_rows(levels(16, 1), 2, 3, serial(topsplit::isa::generic));
  const topsplit::status done = topsplit::topk_rows(x, 2, 8, 3, x + 16, memory.data());
  ASSERT_TRUE(done.ok()) << done.text();
  EXPECT_TRUE(std::equal(expected.indices.begin(), expected.indices.end(), memory.data()));
  EXPECT_TRUE(std::equal(expected.values.begin(), expected.values.end(), x + 16));
}

// Every pointer shifted by 0 to 15 bytes on its own: right where all are aligned to their element, else refused untouched.
void check_alignments(data_type type, topsplit::isa isa) {
  const oracle::shape_t in{3, 17};
  const oracle::shape_t out{3, 5};
  const std::size_t size = oracle::element_bytes(type);
  const oracle::bytes_t bytes = inputs::make(inputs::distribution::few_values, type, in, 1, 377);
  const oracle::topk_result expected =
      oracle::topk(oracle::rank(type, bytes.data(), in, 1, true), type, bytes.data(), in, 1, 5, true);
  topsplit::topk_options options;
  options.run = serial(isa);
  for (std::size_t shift = 0; shift < 16 * 16 * 16; ++shift) {
    const std::size_t x_shift = shift % 16;
    const std::size_t values_shift = shift / 16 % 16;
    const std::size_t indices_shift = shift / 256;
    const red_zone_buffer x(bytes.data(), bytes.size(), x_shift);
    red_zone_buffer values(15 * size, values_shift);
    red_zone_buffer indices(15 * 8, indices_shift);
    const topsplit::status done =
        topsplit::topk({x.data(), type, in.data(), 2}, 5, {values.data(), type, out.data(), 2},
                       {indices.data(), data_type::i64, out.data(), 2}, options);
    const bool aligned = x_shift % size == 0 && values_shift % size == 0 && indices_shift % 8 == 0;
    ASSERT_EQ(done.ok(), aligned) << done.text();
    ASSERT_TRUE(aligned ? values.holds(expected.values.data()) && indices.holds(expected.indices.data())
                        : values.is_untouched() && indices.is_untouched())
        << x_shift << " " << values_shift << " " << indices_shift;
    ASSERT_TRUE(values.intact() && indices.intact() && x.intact() && x.holds(bytes.data()));
  }
}

TEST(topk_alignment, every_shift_of_every_pointer) {
  for (const topsplit::isa isa : available_isas()) {
    for (const data_type type : {data_type::f32, data_type::f64, data_type::i64}) {
      SCOPED_TRACE(std::string(topsplit::isa_name(isa)) + " " + topsplit::data_type_name(type));
      ASSERT_NO_FATAL_FAILURE(check_alignments(type, isa));
    }
  }
}

}  // namespace
