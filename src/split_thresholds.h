// The thresholds of Split that a profile may give another value, in bytes of input; the one for the caches is cache_size.h's.

#ifndef TOPSPLIT_SRC_SPLIT_THRESHOLDS_H
#define TOPSPLIT_SRC_SPLIT_THRESHOLDS_H

#include <cstddef>

namespace topsplit::detail {

// Below this a call is serial: 512 KiB take one thread 30 to 60 us, about what a sleeping worker needs to join.
inline constexpr std::size_t split_default_parallel_from = 512 * 1024;

// The least a task copies: some 10 us, several times what it costs to hand a range over.
inline constexpr std::size_t split_default_grain = 128 * 1024;

}  // namespace topsplit::detail

#endif
