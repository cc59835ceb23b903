// Which ISAs this machine runs: what the CPU has and the operating system saves, by CPUID and XCR0 on x86 and by HWCAP
// on ARM. It is asked here and not by xsimd, whose detection differs from release to release and in some of them does
// not ask the operating system. The readers are values, so that a test can put a machine of its own in their place.

#ifndef TOPSPLIT_SRC_CPU_FEATURES_H
#define TOPSPLIT_SRC_CPU_FEATURES_H

#include <cstddef>
#include <cstdint>

#include "topsplit/isa.h"

namespace topsplit::detail {

struct cpuid_registers {
  std::uint32_t eax, ebx, ecx, edx;
};

struct x86_reader {
  cpuid_registers (*cpuid)(std::uint32_t leaf, std::uint32_t subleaf) noexcept;
  std::uint64_t (*xcr0)() noexcept;  // only called where CPUID reports OSXSAVE: xgetbv faults elsewhere
};

struct arm_reader {
  unsigned long (*hwcap)() noexcept;
  std::size_t (*sve_vector_bytes)() noexcept;  // only called where HWCAP reports SVE
};

// Each answers for the ISAs of its own processor family; every other one is unsupported.
bool x86_supports(isa id, const x86_reader& cpu) noexcept;

// vector_bytes is the width that the kernels were compiled for: SVE code of a fixed width is wrong at any other.
bool arm_supports(isa id, std::size_t vector_bytes, const arm_reader& cpu) noexcept;

// Asks this machine. Executes CPUID, which a virtual machine answers slowly: keep the result.
bool cpu_supports(isa id, std::size_t vector_bytes) noexcept;

}  // namespace topsplit::detail

#endif
