// What the caches keep, asked from the operating system once.

#ifndef TOPSPLIT_SRC_CACHE_SIZE_H
#define TOPSPLIT_SRC_CACHE_SIZE_H

#include <cstddef>

namespace topsplit::detail {

// The part of a call's output that the caches can be counted on to keep until it is read, in bytes: a quarter of the
// last level, since the input takes as much and others share it. level2_bytes and level3_bytes are 0 where they are not
// known.
std::size_t kept_bytes(std::size_t level2_bytes, std::size_t level3_bytes) noexcept;

// The same for this machine. Some loads after the first call.
std::size_t kept_bytes() noexcept;

}  // namespace topsplit::detail

#endif
