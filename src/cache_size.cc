// A virtual machine may be shown the caches of a whole socket, of which it has a few cores: a level 3 that is
// implausibly large beside level 2 is taken as the share that processors of today give a core or a core complex.

#include "src/cache_size.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace topsplit::detail {
namespace {

// Measured on a machine with 1 MiB of level 2 and 32 MiB of level 3 for eight cores, a copy of memory that was copied
// before: up to 4 MiB of output stores through the cache win by 5 to 60 %, at 8 MiB both ways are alike, from 10 MiB on
// streaming wins by 20 to 50 %.
constexpr std::size_t default_level3 = std::size_t{32} << 20;
constexpr std::size_t level3_share = 4;

// No core has more level 3 to itself than 96 times its level 2: 96 MiB over 1 MiB, stacked.
constexpr std::size_t plausible_ratio = 96;

std::size_t ask(int name) noexcept {
  const long bytes = sysconf(name);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

std::size_t kept_bytes(std::size_t level2_bytes, std::size_t level3_bytes) noexcept {
  const bool plausible = level3_bytes >= level2_bytes && level3_bytes != 0 &&
                         (level2_bytes == 0 || level3_bytes / level2_bytes <= plausible_ratio);
  return std::max(2 * level2_bytes, (plausible ? level3_bytes : default_level3) / level3_share);
}

std::size_t kept_bytes() noexcept {
  static std::atomic<std::size_t> known{0};
  std::size_t bytes = known.load(std::memory_order_relaxed);
  if (bytes != 0) return bytes;
  bytes = kept_bytes(ask(_SC_LEVEL2_CACHE_SIZE), ask(_SC_LEVEL3_CACHE_SIZE));
  known.store(bytes, std::memory_order_relaxed);
  return bytes;
}

}  // namespace topsplit::detail
