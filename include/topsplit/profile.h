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
// /proc/cpuinfo names its processor, "unknown" where it does not); a size that is not there is the plan's own. The sizes
// are topk_grain_bytes, topk_parallel_from_bytes, split_grain_bytes, split_parallel_from_bytes, split_stream_from_bytes,
// topk_rows_longest, topk_rows_longer_per_k and topk_reservoir_elements_per_k; a value of `execution` goes before any.
//
// Contract
//   where      load_profile, or the environment variable TOPSPLIT_PROFILE, a path, which is read when a plan is first
//              made and load_profile has not been called. The library looks nowhere else.
//   refusals   a file that cannot be read, has another format, version or processor, an unknown name or a bad number is
//              refused whole, with the reason; the values in force stand. A refusal of TOPSPLIT_PROFILE is no error of any
//              call: the defaults stand, and profile_in_force tells.
//   threads    any thread at any time; calls that run meanwhile take the old values or the new ones.
//   memory     no heap; up to 8 KiB of stack.

#ifndef TOPSPLIT_PROFILE_H
#define TOPSPLIT_PROFILE_H

#include "topsplit/export.h"
#include "topsplit/status.h"

namespace topsplit {

// Takes the values of this file; null goes back to the plan's own.
TOPSPLIT_EXPORT status load_profile(const char* path) noexcept;

// Ok with `loaded` set to whether a profile is in force; an error, with the reason, where TOPSPLIT_PROFILE was refused.
TOPSPLIT_EXPORT status profile_in_force(bool& loaded) noexcept;

}  // namespace topsplit

#endif
