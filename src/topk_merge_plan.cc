// Work is measured as topk_plan.cc does, by topk_thresholds.h: bytes read, and what the heap costs turned into bytes.

#include "src/topk_merge_plan.h"

#include <algorithm>

#include "src/shape.h"
#include "src/topk_thresholds.h"

namespace topsplit::detail {
namespace {

// Beyond this a slice is more than any grain, and products of it stay in range.
constexpr std::size_t most_elements = std::size_t{1} << 40;

// Every chosen element is sifted and sorted: log2(k) levels each.
std::size_t heap_work(std::size_t k) noexcept {
  std::size_t levels = 1;
  for (std::size_t rest = k; rest >>= 1;) ++levels;
  return std::min(k, most_elements) * levels * bytes_per_heap_level;
}

// Slices for so many bytes: of input where the caller says them, else of work.
std::size_t slices_for(const topk_problem& p, std::size_t input_bytes, std::size_t given,
                       std::size_t by_default) noexcept {
  const std::size_t input = std::max<std::size_t>(1, std::min(p.n, most_elements) * input_bytes);
  return given != 0 ? divide_up(given, input) : divide_up(by_default, input + heap_work(p.k));
}

}  // namespace

bool is_merge_worth_sharing(const topk_problem& p, std::size_t input_bytes, const topk_tuning& t) noexcept {
  return p.slices() >= slices_for(p, input_bytes, t.parallel_from_bytes, default_parallel_from) &&
         p.slices() > slices_for(p, input_bytes, t.grain_bytes, default_grain);
}

merge_plan plan_merge(const topk_problem& p, std::size_t input_bytes, const topk_tuning& t, int width) noexcept {
  const std::size_t slices = p.slices();
  const merge_plan serial = {1, slices};
  if (width <= 1 || !is_merge_worth_sharing(p, input_bytes, t)) return serial;
  const std::size_t least = slices_for(p, input_bytes, t.grain_bytes, default_grain);
  const std::size_t wanted = std::min(static_cast<std::size_t>(width), divide_up(slices, least));
  std::size_t grain = std::max(least, divide_up(slices, wanted * ranges_per_task));
  if (p.inner > 1)
    grain = round_up(grain, cache_line_bytes / p.element_bytes);  // neighbours share lines of the outputs
  const std::size_t tasks = std::min(wanted, divide_up(slices, grain));
  if (tasks <= 1) return serial;
  return {static_cast<int>(tasks), grain};
}

}  // namespace topsplit::detail
