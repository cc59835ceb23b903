// An ISA is supported when every feature bit that its kernels are compiled with is set, and when the operating system
// saves the registers that they use: a CPU may have AVX-512 under a system that switches it off.

#include "src/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace topsplit::detail {
namespace {

constexpr std::uint32_t bit(int position) { return std::uint32_t{1} << position; }

constexpr bool has_all(std::uint64_t set, std::uint64_t bits) { return (set & bits) == bits; }

// CPUID leaf 1, ECX.
constexpr std::uint32_t osxsave_and_avx = bit(27) | bit(28);

// CPUID leaf 7, subleaf 0. EBX: AVX2; AVX-512 F, DQ, CD, BW, VL; IFMA. ECX: VBMI, VBMI2.
constexpr std::uint32_t ebx_avx2 = bit(5);
constexpr std::uint32_t ebx_avx512bw = bit(16) | bit(17) | bit(28) | bit(30) | bit(31);
constexpr std::uint32_t ebx_avx512vbmi2 = bit(21);
constexpr std::uint32_t ecx_avx512vbmi2 = bit(1) | bit(6);

// XCR0: the xmm and ymm state; and the mask registers, the upper halves of zmm0-15, and zmm16-31.
constexpr std::uint64_t xcr0_avx = bit(1) | bit(2);
constexpr std::uint64_t xcr0_avx512 = xcr0_avx | bit(5) | bit(6) | bit(7);

// AT_HWCAP of AArch64.
constexpr unsigned long hwcap_sve = bit(22);

#if defined(__x86_64__)
constexpr x86_reader this_cpu = {[](std::uint32_t leaf, std::uint32_t subleaf) noexcept {
                                   cpuid_registers r{};
                                   __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
                                   return r;
                                 },
                                 []() noexcept {
                                   std::uint32_t low = 0;
                                   std::uint32_t high = 0;
                                   __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
                                   return std::uint64_t{high} << 32 | low;
                                 }};
#elif defined(__aarch64__)
constexpr arm_reader this_cpu = {[]() noexcept { return getauxval(AT_HWCAP); },
                                 []() noexcept {
#if defined(PR_SVE_GET_VL)
                                   const int answer = prctl(PR_SVE_GET_VL);
                                   return answer < 0 ? std::size_t{0}
                                                     : static_cast<std::size_t>(answer & PR_SVE_VL_LEN_MASK);
#else
                                   return std::size_t{0};
#endif
                                 }};
#endif

}  // namespace

bool x86_supports(isa id, const x86_reader& cpu) noexcept {
  if (id == isa::sse2) return true;
  if (cpu.cpuid(0, 0).eax < 7) return false;  // a leaf beyond the last one answers with some other leaf's bits
  if (!has_all(cpu.cpuid(1, 0).ecx, osxsave_and_avx)) return false;
  const std::uint64_t saved = cpu.xcr0();
  const cpuid_registers leaf7 = cpu.cpuid(7, 0);
  const bool avx2 = has_all(saved, xcr0_avx) && has_all(leaf7.ebx, ebx_avx2);
  const bool avx512bw = avx2 && has_all(saved, xcr0_avx512) && has_all(leaf7.ebx, ebx_avx512bw);
  switch (id) {
    case isa::avx2:
      return avx2;
    case isa::avx512bw:
      return avx512bw;
    case isa::avx512vbmi2:
      return avx512bw && has_all(leaf7.ebx, ebx_avx512vbmi2) && has_all(leaf7.ecx, ecx_avx512vbmi2);
    default:
      return false;
  }
}

bool arm_supports(isa id, std::size_t vector_bytes, const arm_reader& cpu) noexcept {
  switch (id) {
    case isa::neon64:
      return true;
    case isa::sve:
      return has_all(cpu.hwcap(), hwcap_sve) && cpu.sve_vector_bytes() == vector_bytes;
    default:
      return false;
  }
}

bool cpu_supports(isa id, [[maybe_unused]] std::size_t vector_bytes) noexcept {
  if (id == isa::generic) return true;
#if defined(__x86_64__)
  return x86_supports(id, this_cpu);
#elif defined(__aarch64__)
  return arm_supports(id, vector_bytes, this_cpu);
#else
  return false;
#endif
}

}  // namespace topsplit::detail
