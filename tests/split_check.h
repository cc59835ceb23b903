// Runs split of the public interface on one tensor and compares every byte, or string, with the oracle's.

#ifndef TOPSPLIT_TESTS_SPLIT_CHECK_H
#define TOPSPLIT_TESTS_SPLIT_CHECK_H

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/red_zone.h"
#include "tests/runs.h"
#include "topsplit/split.h"

using sizes_t = std::vector<std::int64_t>;

struct split_subject {
  topsplit::data_type type;
  oracle::shape_t shape;
  std::int64_t axis;
  sizes_t sizes;
  bool sizes_given = true;  // false: the call makes equal parts, which `sizes` foretells

  std::string describe_call(const topsplit::execution& how) const {
    return std::string(topsplit::data_type_name(type)) + testing::PrintToString(shape) + " axis " +
           std::to_string(axis) + " sizes " + testing::PrintToString(sizes) + ", " + describe(how);
  }

  topsplit::status run(const void* input, const std::vector<void*>& outputs, const topsplit::execution& how) const {
    std::vector<oracle::shape_t> shapes;
    std::vector<topsplit::tensor> parts;
    for (const std::int64_t size : sizes) {
      shapes.push_back(oracle::with_axis(shape, axis, size));
    }
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      parts.push_back({outputs[p], type, shapes[p].data(), shapes[p].size()});
    }
    topsplit::split_options options;
    options.axis = axis;
    options.run = how;
    return topsplit::split({input, type, shape.data(), shape.size()}, sizes_given ? sizes.data() : nullptr,
                           parts.data(), parts.size(), options);
  }

  // shift says how far from a 64-byte boundary buffer number i begins; the input is number 0.
  template <class Shift>
  bool check_bytes(std::uint64_t seed, const topsplit::execution& how, Shift shift) const {
    const oracle::bytes_t bytes = inputs::random_bytes(type, oracle::elements(shape), seed);
    const std::vector<oracle::bytes_t> expected = oracle::split_bytes(type, bytes.data(), shape, axis, sizes);
    const red_zone_buffer input(bytes.data(), bytes.size(), shift(0));
    std::vector<red_zone_buffer> buffers;
    std::vector<void*> outputs;
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      buffers.emplace_back(expected[p].size(), shift(p + 1));
      outputs.push_back(buffers.back().data());
    }
    const topsplit::status done = run(input.data(), outputs, how);
    bool good = done.ok() && input.holds(bytes.data());
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      good = good && buffers[p].holds(expected[p].data()) && buffers[p].intact();
    }
    EXPECT_TRUE(good) << describe_call(how) << ": " << done.text();
    return good;
  }

  bool check_strings(std::uint64_t seed, const topsplit::execution& how) const {
    const std::vector<std::string> input = inputs::random_strings(oracle::elements(shape), seed);
    const std::vector<std::string> before = input;
    std::vector<std::vector<std::string>> parts;
    std::vector<void*> outputs;
    for (const std::int64_t size : sizes) {
      parts.emplace_back(oracle::elements(oracle::with_axis(shape, axis, size)), "old text, to be replaced by the new");
      outputs.push_back(parts.back().data());
    }
    const topsplit::status done = run(input.data(), outputs, how);
    bool good = done.ok() && input == before;
    oracle::split(shape, axis, sizes, [&](std::size_t part, std::size_t to, std::size_t from) {
      good = good && parts[part][to] == input[from];
    });
    EXPECT_TRUE(good) << describe_call(how) << ": " << done.text();
    return good;
  }

  bool check(std::uint64_t seed, const topsplit::execution& how) const {
    return type == topsplit::data_type::string
               ? check_strings(seed, how)
               : check_bytes(seed, how, [seed](std::size_t i) { return (seed + 3 * i) % 16; });
  }
};

#endif
