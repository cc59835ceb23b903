// What the plans of TopK and of its merging measure work with, when sharing pays, and how finely; and what else a profile may
// give another value.

#ifndef TOPSPLIT_SRC_TOPK_THRESHOLDS_H
#define TOPSPLIT_SRC_TOPK_THRESHOLDS_H

#include <cstddef>

namespace topsplit::detail {

// One level of a heap update takes about as long as the filter takes to read this much: 1.6 ns against 25 bytes a ns.
inline constexpr std::size_t bytes_per_heap_level = 40;

// Below this a call is serial. A sleeping worker joins after 20 to 70 us, a spinning one after 1 to 2 us; 512 KiB are
// 20 to 60 us of filtering, where the first no longer loses and the second already wins.
inline constexpr std::size_t default_parallel_from = 512 * 1024;

// The least work of a task: some 5 us, several times what it costs to hand one over.
inline constexpr std::size_t default_grain = 64 * 1024;

// Ranges cut for each task, so that one which starts late, or meets the dearer slices, leaves its rest to the others.
inline constexpr std::size_t ranges_per_task = 4;

// Up to here a row is turned into records whole: its fixed cost is the least, but each element costs eight times what the
// reservoir's filter takes for one. A larger k makes the filter let more through.
inline constexpr std::size_t rows_longest = 512;
inline constexpr std::size_t rows_longer_per_k = 32;

// From so many elements for each chosen one on, a reservoir is cleared up less often than a select reads the slice.
inline constexpr std::size_t reservoir_elements_per_k = 8;

// What two tasks must not share: a line of the outputs of neighbouring slices.
inline constexpr std::size_t cache_line_bytes = 64;

}  // namespace topsplit::detail

#endif
