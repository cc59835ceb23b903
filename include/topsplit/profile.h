// A profile: what `topsplit tune` has measured of one machine, for the plans to go by. It changes speed, never a result.
//
// A profile is a small text file, a line `name = value` each, '#' before a remark:
//
//     format = 1
//     version = 0.1.0
//     cpu = AMD EPYC
//     topk_parallel_from_bytes = 262144
//
// format, version and cpu must be there and be those of this library (major and minor version) and this machine (as
// /proc/cpuinfo names its processor, "unknown" where it does not); a size that is not there is the plan's own. threshold_at
// tells which sizes there are; a value of `execution` goes before any.
//
// Contract
//   where      load_profile, or the environment variable TOPSPLIT_PROFILE, a path, which is read when a plan is first
//              made and load_profile has not been called. The library looks nowhere else.
//   refusals   what is no regular file or cannot be read, has another format, version or processor, an unknown name or a
//              bad number is refused whole, with the reason; the values in force stand. A refusal of TOPSPLIT_PROFILE is no
//              error of any call: the defaults stand, and profile_in_force tells.
//   threads    any thread at any time; calls that run meanwhile take the old values or the new ones.
//   memory     no heap; up to 8 KiB of stack.

#ifndef TOPSPLIT_PROFILE_H
#define TOPSPLIT_PROFILE_H

#include <cstddef>

#include "topsplit/export.h"
#include "topsplit/status.h"

namespace topsplit {

// Takes the values of this file; null goes back to the plan's own.
TOPSPLIT_EXPORT status load_profile(const char* path) noexcept;

// Ok with `loaded` set to whether a profile is in force; an error, with the reason, where TOPSPLIT_PROFILE was refused.
TOPSPLIT_EXPORT status profile_in_force(bool& loaded) noexcept;

// A size that a profile may give.
struct threshold {
  const char* name;      // as a profile has it; a static string
  const char* effect;    // what it decides, in a line; a static string
  std::size_t own;       // the plan's own, on this machine
  std::size_t profiled;  // that of the profile in force; 0: it has none, and the plan's own stands
};

// threshold_at answers for index < threshold_count().
TOPSPLIT_EXPORT std::size_t threshold_count() noexcept;
TOPSPLIT_EXPORT threshold threshold_at(std::size_t index) noexcept;

}  // namespace topsplit

#endif
