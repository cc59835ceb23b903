// The one way of our tests to be random: the fixed seed, and when --gtest_random_seed is given that one too. And how often they
// do a thing again.
//
//   for (const std::uint64_t seed : seeds()) {
//     SCOPED_TRACE(how_to_repeat(seed));
//     ...
//   }

#ifndef TOPSPLIT_TESTS_SEEDS_H
#define TOPSPLIT_TESTS_SEEDS_H

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

inline constexpr std::uint64_t fixed_seed = 20240501;

inline std::vector<std::uint64_t> seeds() {
  const int given = testing::GTEST_FLAG(random_seed);
  return given == 0 ? std::vector{fixed_seed} : std::vector{fixed_seed, static_cast<std::uint64_t>(given)};
}

inline std::string how_to_repeat(std::uint64_t seed) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return "repeat with --gtest_filter=" + std::string(test.test_suite_name()) + "." + test.name() +
         (seed == fixed_seed ? "" : " --gtest_random_seed=" + std::to_string(seed));
}

// Of so many rounds of a test, those that are done: all of them, and under an emulator, where a process or thread takes hundreds of
// times as long and the processor that is asked about is the same in each round, a tenth.
inline constexpr int rounds_of(int all) {
#ifdef TOPSPLIT_TESTS_EMULATED
  return (all + 9) / 10;
#else
  return all;
#endif
}

#endif
