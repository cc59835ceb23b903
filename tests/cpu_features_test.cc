// Detection on machines that are made up here: CPUID and XCR0 of an x86, HWCAP of an ARM, each feature on its own. The
// real machine is held against the compiler's own detection.

#include "src/cpu_features.h"

#include <gtest/gtest.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

#include <cstdint>
#include <string>

namespace {

using topsplit::isa;
using topsplit::detail::arm_reader;
using topsplit::detail::arm_supports;
using topsplit::detail::cpuid_registers;
using topsplit::detail::x86_reader;
using topsplit::detail::x86_supports;

constexpr std::uint32_t bit(int position) { return std::uint32_t{1} << position; }

// Every feature bit that some level asks for, in the register that has it.
enum feature { osxsave, avx, avx2, avx512f, avx512dq, avx512cd, avx512bw, avx512vl, ifma, vbmi, vbmi2, feature_count };
constexpr const char* feature_names[feature_count] = {"OSXSAVE",  "AVX",      "AVX2", "AVX512F", "AVX512DQ", "AVX512CD",
                                                      "AVX512BW", "AVX512VL", "IFMA", "VBMI",    "VBMI2"};
constexpr std::uint32_t all_features = bit(feature_count) - 1;
constexpr std::uint64_t all_saved = 0xe7;  // x87, xmm, ymm, mask registers, both parts of zmm

struct machine {
  std::uint32_t features = all_features;
  std::uint64_t xcr0 = all_saved;
  std::uint32_t last_leaf = 13;
  int xcr0_reads = 0;

  std::uint32_t at(feature f, int position) const { return (features >> f & 1) << position; }
};
machine mock;

constexpr x86_reader mock_reader = {[](std::uint32_t leaf, std::uint32_t subleaf) noexcept {
                                      if (leaf > mock.last_leaf) return cpuid_registers{~0u, ~0u, ~0u, ~0u};
                                      cpuid_registers r{};
                                      if (leaf == 0) r.eax = mock.last_leaf;
                                      if (leaf == 1) r.ecx = mock.at(osxsave, 27) | mock.at(avx, 28);
                                      if (leaf == 7 && subleaf == 0) {
                                        r.ebx = mock.at(avx2, 5) | mock.at(avx512f, 16) | mock.at(avx512dq, 17) |
                                                mock.at(ifma, 21) | mock.at(avx512cd, 28) | mock.at(avx512bw, 30) |
                                                mock.at(avx512vl, 31);
                                        r.ecx = mock.at(vbmi, 1) | mock.at(vbmi2, 6);
                                      }
                                      return r;
                                    },
                                    []() noexcept {
                                      ++mock.xcr0_reads;
                                      return mock.xcr0;
                                    }};

std::string widest_of(const machine& made_up) {
  mock = made_up;
  std::string widest = "none";
  for (const isa id : {isa::sse2, isa::avx2, isa::avx512bw, isa::avx512vbmi2}) {
    if (!x86_supports(id, mock_reader)) break;
    widest = topsplit::isa_name(id);
  }
  return widest;
}

machine without(feature f) {
  machine m;
  m.features &= ~bit(f);
  return m;
}

machine with_xcr0(std::uint64_t xcr0) {
  machine m;
  m.xcr0 = xcr0;
  return m;
}

TEST(x86_detection, whole_machine) { EXPECT_EQ(widest_of({}), "avx512vbmi2"); }

TEST(x86_detection, without_osxsave_xcr0_is_never_read) {
  EXPECT_EQ(widest_of(without(osxsave)), "sse2");
  EXPECT_EQ(mock.xcr0_reads, 0);
}

TEST(x86_detection, what_the_system_saves) {
  EXPECT_EQ(widest_of(with_xcr0(0x1)), "sse2");
  EXPECT_EQ(widest_of(with_xcr0(0x3)), "sse2");
  EXPECT_EQ(widest_of(with_xcr0(0x5)), "sse2");
  EXPECT_EQ(widest_of(with_xcr0(0xe3)), "sse2");
  EXPECT_EQ(widest_of(with_xcr0(0x7)), "avx2");
  EXPECT_EQ(widest_of(with_xcr0(0xc7)), "avx2");
  EXPECT_EQ(widest_of(with_xcr0(0xa7)), "avx2");
  EXPECT_EQ(widest_of(with_xcr0(0x67)), "avx2");
  EXPECT_EQ(widest_of(with_xcr0(0xe7)), "avx512vbmi2");
}

TEST(x86_detection, each_feature_by_its_own_bit) {
  EXPECT_EQ(widest_of(without(avx)), "sse2");
  EXPECT_EQ(widest_of(without(avx2)), "sse2");
  for (const feature f : {avx512f, avx512dq, avx512cd, avx512bw, avx512vl}) {
    EXPECT_EQ(widest_of(without(f)), "avx2") << feature_names[f];
  }
  for (const feature f : {ifma, vbmi, vbmi2}) EXPECT_EQ(widest_of(without(f)), "avx512bw") << feature_names[f];
}

// A leaf beyond the last one answers with all ones here.
TEST(x86_detection, no_leaf_beyond_the_last) {
  for (const std::uint32_t last : {0u, 1u, 6u}) {
    machine old;
    old.last_leaf = last;
    EXPECT_EQ(widest_of(old), "sse2") << "last leaf " << last;
  }
}

// Every set of features under every set of saved registers: a level is there exactly when all that it needs is.
TEST(x86_detection, grid) {
  constexpr std::uint32_t needs_avx2 = bit(osxsave) | bit(avx) | bit(avx2);
  constexpr std::uint32_t needs_bw =
      needs_avx2 | bit(avx512f) | bit(avx512dq) | bit(avx512cd) | bit(avx512bw) | bit(avx512vl);
  constexpr std::uint32_t needs_vbmi2 = needs_bw | bit(ifma) | bit(vbmi) | bit(vbmi2);
  const auto expect_level = [](isa id, std::uint32_t needs, std::uint64_t saved) {
    const bool expected = (mock.features & needs) == needs && (mock.xcr0 & saved) == saved;
    EXPECT_EQ(x86_supports(id, mock_reader), expected)
        << topsplit::isa_name(id) << ", features " << mock.features << ", XCR0 " << mock.xcr0;
  };
  for (std::uint32_t features = 0; features <= all_features; ++features) {
    for (std::uint64_t xcr0 = 1; xcr0 <= 0xff; xcr0 += 2) {
      mock = machine{};
      mock.features = features;
      mock.xcr0 = xcr0;
      expect_level(isa::sse2, 0, 0);
      expect_level(isa::avx2, needs_avx2, 0x6);
      expect_level(isa::avx512bw, needs_bw, 0xe6);
      expect_level(isa::avx512vbmi2, needs_vbmi2, 0xe6);
    }
  }
}

TEST(x86_detection, knows_no_other_family) {
  mock = machine{};
  for (const isa id : {isa::neon64, isa::sve, static_cast<isa>(99)}) EXPECT_FALSE(x86_supports(id, mock_reader));
}

#if defined(__x86_64__)
TEST(x86_detection, this_machine_as_the_compiler_sees_it) {
  using topsplit::detail::cpu_supports;
  const bool bw = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  EXPECT_TRUE(cpu_supports(isa::generic, 8));
  EXPECT_TRUE(cpu_supports(isa::sse2, 16));
  EXPECT_EQ(cpu_supports(isa::avx2, 32), __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(cpu_supports(isa::avx512bw, 64), bw);
  EXPECT_EQ(cpu_supports(isa::avx512vbmi2, 64), bw && __builtin_cpu_supports("avx512ifma") &&
                                                    __builtin_cpu_supports("avx512vbmi") &&
                                                    __builtin_cpu_supports("avx512vbmi2"));
}
#endif

#if defined(__aarch64__)
TEST(arm_detection, this_machine_as_the_system_describes_it) {
  using topsplit::detail::cpu_supports;
  const int length = (getauxval(AT_HWCAP) & HWCAP_SVE) != 0 ? prctl(PR_SVE_GET_VL) & PR_SVE_VL_LEN_MASK : 0;
  EXPECT_TRUE(cpu_supports(isa::generic, 8));
  EXPECT_TRUE(cpu_supports(isa::neon64, 16));
  for (const std::size_t bytes : {16u, 32u, 64u, 128u})
    EXPECT_EQ(cpu_supports(isa::sve, bytes), bytes == static_cast<std::size_t>(length)) << bytes;
  EXPECT_FALSE(cpu_supports(isa::sse2, 16));
}
#endif

TEST(arm_detection, sve_needs_its_bit_and_the_width_compiled_for) {
  constexpr arm_reader plain = {[]() noexcept { return 0ul; }, []() noexcept { return std::size_t{32}; }};
  constexpr arm_reader wide = {[]() noexcept { return 1ul << 22; }, []() noexcept { return std::size_t{32}; }};
  EXPECT_TRUE(arm_supports(isa::neon64, 16, plain));
  EXPECT_FALSE(arm_supports(isa::sve, 32, plain));
  EXPECT_TRUE(arm_supports(isa::neon64, 16, wide));
  EXPECT_TRUE(arm_supports(isa::sve, 32, wide));
  EXPECT_FALSE(arm_supports(isa::sve, 16, wide));
  EXPECT_FALSE(arm_supports(isa::sve, 64, wide));
  // A CPU that has it under a system that has it not, or where its length cannot be had.
  constexpr arm_reader none = {[]() noexcept { return 1ul << 22; }, []() noexcept { return std::size_t{0}; }};
  EXPECT_FALSE(arm_supports(isa::sve, 32, none));
  EXPECT_TRUE(arm_supports(isa::neon64, 16, none));
  EXPECT_FALSE(arm_supports(isa::avx2, 32, wide));
}

}  // namespace
