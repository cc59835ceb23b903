// The instruction sets that this build carries: list, inspect and force them.
//
// One binary holds a kernel table for each ISA and picks the widest that both the CPU and the operating system
// support. The results are the same bytes for every one of them, so forcing an ISA is for tests, measurements and bug
// reports. The order of precedence is: the call (execution::isa), the process (force_isa), the environment variable
// TOPSPLIT_ISA (read at the first call), and last the widest available. An ISA that is missing is an error of
// the call, which lists those present; it is never replaced in silence.

#ifndef TOPSPLIT_ISA_H
#define TOPSPLIT_ISA_H

#include <cstddef>
#include <cstdint>

#include "topsplit/export.h"
#include "topsplit/status.h"

namespace topsplit {

// Within a processor family wider comes later.
enum class isa : std::int32_t {
  automatic = 0,
  generic = 1,  // plain C++: any 64-bit little-endian CPU
  sse2 = 10,    // every x86-64
  avx2 = 11,
  avx512bw = 12,     // AVX-512 F, CD, BW, DQ, VL
  avx512vbmi2 = 13,  // and IFMA, VBMI, VBMI2
  neon64 = 20,       // every ARMv8-A
  sve = 21,          // with vectors of 32 or 64 bytes; at any other length it is not available
};

struct isa_info {
  isa id;
  const char* name;          // "avx2"; a static string
  bool available;            // the CPU and the operating system support it
  bool selected;             // a call that asks for isa::automatic runs it now
  std::size_t vector_bytes;  // width of one vector register as the kernels use it
};

// The tables built into this library, narrowest first. isa_at answers for index < isa_count().
TOPSPLIT_EXPORT std::size_t isa_count() noexcept;
TOPSPLIT_EXPORT isa_info isa_at(std::size_t index) noexcept;

// "avx2" and so on, "automatic" for isa::automatic, "unknown" for a number that is no ISA.
TOPSPLIT_EXPORT const char* isa_name(isa id) noexcept;

// The ISA of a name as isa_name spells it (null, "" and "auto" are automatic); an unknown name is an error that lists
// those present.
TOPSPLIT_EXPORT status isa_from_name(const char* name, isa& id) noexcept;

// Makes every later call of this process that asks for automatic use this ISA; automatic takes that back.
// An ISA that is not available is refused and changes nothing. Safe to call from any thread at any time.
TOPSPLIT_EXPORT status force_isa(isa id) noexcept;

// The ISA that a call asking for automatic runs now; an error where TOPSPLIT_ISA names a missing one.
TOPSPLIT_EXPORT status selected_isa(isa& id) noexcept;

}  // namespace topsplit

#endif
