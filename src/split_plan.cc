// The plan of Split; its thresholds stand here and in split_thresholds.h, in bytes of input; a byte is read once and written
// once.

#include "src/split_plan.h"

#include <algorithm>

#include "src/shape.h"
#include "src/split_thresholds.h"

namespace topsplit::detail {
namespace {

// Ranges cut for each task, so that one which starts late leaves its rest to the others.
constexpr std::size_t ranges_per_task = 4;

// Ranges begin at multiples of this in the input, so that where outer = 1 two tasks seldom meet within a line.
constexpr std::size_t cache_line_bytes = 64;

// Stack of a call: the block of outputs that the check for overlap sorts (split_rules.cc), gone before a task begins, and
// room for frames. A task itself, with the array of a batch's parts, takes half of that.
constexpr std::size_t stack_bound_bytes = 16 * 1024;

// From here on, on average, a piece is a block copy of its own: what a piece costs beyond its bytes no longer counts.
constexpr std::size_t block_piece_bytes = 2048;

// Past the cache only lines go, and a line is made of the two pieces that share it, so that shorter ones stay with the
// cache; from here on memory, not the work on a piece, is what holds a call up.
constexpr std::size_t streamed_piece_bytes = 64;

std::size_t least_grain(const split_tuning& tuning) noexcept {
  return tuning.grain_bytes != 0 ? tuning.grain_bytes : split_default_grain;
}

// A few equal pieces of a power of two bytes, taken apart all at once: each input vector is shuffled once for each
// output, which up to rows of two vectors costs less than copies of pieces.
bool are_ways(const split_form& form) noexcept {
  const bool is_power = (form.narrowest & (form.narrowest - 1)) == 0;
  const bool is_few = form.parts <= 4 || form.parts == 6 || form.parts == 8;
  return is_few && is_power && form.narrowest == form.widest && form.narrowest <= form.shuffle_bytes / 2 &&
         form.row_bytes <= 2 * form.shuffle_bytes;
}

kernels::split_algorithm choose_algorithm(const split_form& form, const split_tuning& tuning) noexcept {
  using kernels::split_algorithm;
  const bool streams = form.streams && form.total_bytes() >= tuning.stream_from_bytes;
  const split_algorithm blocks = streams ? split_algorithm::streamed_blocks : split_algorithm::blocks;
  if (form.outer <= 1 || form.parts <= 1) return blocks;
  if (are_ways(form)) return streams ? split_algorithm::streamed_deinterleave : split_algorithm::deinterleave;
  // One load must see two pieces of the shortest part for a shuffle to save anything.
  if (form.row_bytes + form.narrowest <= form.shuffle_bytes) return split_algorithm::deinterleave;
  return form.row_bytes / form.parts >= (streams ? streamed_piece_bytes : block_piece_bytes) ? blocks
                                                                                             : split_algorithm::pieces;
}

}  // namespace

bool is_worth_sharing(std::size_t total_bytes, const split_tuning& tuning) noexcept {
  const std::size_t from = tuning.parallel_from_bytes != 0 ? tuning.parallel_from_bytes : split_default_parallel_from;
  return total_bytes >= from && total_bytes > least_grain(tuning);
}

split_plan plan_split(const split_form& form, const split_tuning& tuning, int width) noexcept {
  const std::size_t total_bytes = form.total_bytes();
  const kernels::split_algorithm algorithm = choose_algorithm(form, tuning);
  const split_plan serial = {algorithm, 1, total_bytes, total_bytes, stack_bound_bytes};
  if (width <= 1 || !is_worth_sharing(total_bytes, tuning)) return serial;
  const std::size_t least = least_grain(tuning);
  const std::size_t wanted = std::min(static_cast<std::size_t>(width), divide_up(total_bytes, least));
  const std::size_t balanced = std::max(least, divide_up(total_bytes, wanted * ranges_per_task));
  const std::size_t grain = round_up(balanced, cache_line_bytes);
  const std::size_t tasks = std::min(wanted, divide_up(total_bytes, grain));
  if (tasks <= 1) return serial;
  return {algorithm, static_cast<int>(tasks), total_bytes, grain, stack_bound_bytes};
}

}  // namespace topsplit::detail
