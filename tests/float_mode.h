// The calling thread's floating-point mode: rounding, and whether denormals are taken and given as zero.

#ifndef TOPSPLIT_TESTS_FLOAT_MODE_H
#define TOPSPLIT_TESTS_FLOAT_MODE_H

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#if defined(__x86_64__)
// MXCSR but for its sticky exception flags, which any arithmetic may set.
inline std::uint32_t float_control() { return _mm_getcsr() & ~std::uint32_t{0x3f}; }
inline void set_flush_denormals(bool on) {
  constexpr std::uint32_t daz_and_ftz = 0x8040;
  _mm_setcsr((_mm_getcsr() & ~daz_and_ftz) | (on ? daz_and_ftz : 0));
}
#elif defined(__aarch64__)
// FPCR; its flags are in another register.
inline std::uint64_t float_control() {
  std::uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
}
inline void set_flush_denormals(bool on) {
  constexpr std::uint64_t fz_and_fz16 = (std::uint64_t{1} << 24) | (std::uint64_t{1} << 19);
  const std::uint64_t fpcr = (float_control() & ~fz_and_fz16) | (on ? fz_and_fz16 : 0);
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
}
#endif

// Sets a mode for as long as it lives.
class float_mode {
 public:
  float_mode(int rounding, bool flush) {
    std::fesetround(rounding);
    set_flush_denormals(flush);
  }
  float_mode(const float_mode&) = delete;
  ~float_mode() {
    std::fesetround(FE_TONEAREST);
    set_flush_denormals(false);
  }
};

#endif
