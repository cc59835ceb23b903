// The values of the profile in force, by name; see topsplit/profile.h.

#ifndef TOPSPLIT_SRC_PROFILE_SIZES_H
#define TOPSPLIT_SRC_PROFILE_SIZES_H

#include <cstddef>

namespace topsplit::detail {

enum class profile_size {
  topk_grain_bytes,
  topk_parallel_from_bytes,
  split_grain_bytes,
  split_parallel_from_bytes,
  split_stream_from_bytes,
  topk_rows_longest,
  topk_rows_longer_per_k,
  topk_reservoir_elements_per_k,
};
inline constexpr std::size_t profile_size_count = 8;

// 0: the plan's own. Some loads after the first call, which may read a file.
std::size_t profiled(profile_size which) noexcept;

// What a call asks for, else what the profile says.
inline std::size_t asked_or_profiled(std::size_t asked, profile_size which) noexcept {
  return asked != 0 ? asked : profiled(which);
}

}  // namespace topsplit::detail

#endif
