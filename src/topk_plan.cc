// The plan of TopK; its thresholds stand here and in topk_thresholds.h. bench/topk_crossover prints, for the machine it runs on,
// what each of them decides: the tables `algorithm` (which kernel where), `work` (what a slice costs), `parallel` and `grain`
// (when and how finely tasks share).
//
// Work is measured in bytes of a streaming read, since that is what the vector filter costs on most inputs. To it comes
// what the heap costs for the elements that the filter lets through, turned into bytes: about k (1 + ln(n / k)) of
// random elements in random order enter the heap, each for log2(k) levels.

#include "src/topk_plan.h"

#include <algorithm>

#include "src/shape.h"
#include "src/topk_thresholds.h"

namespace topsplit::detail {
namespace {

// Elements of a range for each record that its task merges into the slice's at the end.
constexpr std::size_t part_elements_per_k = 16;

// Counting reads and writes as fast as so many tasks of a select.
constexpr std::size_t select_tasks_worth_a_count = 4;

// Stack of a task, by algorithm: its records or lists, samples and frames. Bounds with room, since an unoptimized build
// spills every vector; the contract's own is 32 KiB.
constexpr std::size_t stack_bound_bytes[kernels::topk_algorithm_count] = {28 * 1024, 28 * 1024, 28 * 1024, 16 * 1024,
                                                                          8 * 1024,  31 * 1024, 31 * 1024, 16 * 1024};

// Rows of fewer bytes than this part of a vector leave most lanes of a list idle; a long axis is then better filtered.
constexpr std::size_t lists_vector_part = 2;
constexpr std::size_t lists_idle_longest = 64;

std::size_t saturating_multiply(std::size_t a, std::size_t b) noexcept {
  constexpr std::size_t most = PTRDIFF_MAX;
  return b != 0 && a > most / b ? most : a * b;
}

std::size_t log2_floor(std::size_t a) noexcept {  // 0 for a = 0
  std::size_t result = 0;
  while (a >>= 1) ++result;
  return result;
}

// Work of one slice in bytes. log2 stands for ln: it errs to the dear side, as inputs that are partly sorted do.
std::size_t slice_work(const topk_problem& p) noexcept {
  const std::size_t entering = std::min(p.n, saturating_multiply(p.k, 1 + log2_floor(p.n / p.k)));
  const std::size_t levels = 1 + log2_floor(p.k);
  const std::size_t heap = saturating_multiply(entering, levels * bytes_per_heap_level);
  return std::min<std::size_t>(PTRDIFF_MAX, p.n * p.element_bytes + heap);
}

// Slices that make up the least work of a task. A caller's grain counts bytes of input.
std::size_t least_grain(const topk_problem& p, const topk_tuning& t) noexcept {
  return t.grain_bytes != 0 ? divide_up(t.grain_bytes, p.n * p.element_bytes) : divide_up(default_grain, slice_work(p));
}

bool is_empty(const topk_problem& p) noexcept { return p.k == 0 || p.slices() == 0; }

// Where the axis is not the last, a kernel takes neighbouring slices as lanes. Ranges then begin at multiples of a
// cache line, and of a vector, of inner positions; or at whole outer blocks, where a range holds one anyway, or where
// the blocks' own starts are off the lines and there is a block for each task.
std::size_t align_grain(const topk_problem& p, const topk_tuning& t, std::size_t grain, std::size_t tasks) noexcept {
  if (p.inner == 1) return grain;
  const std::size_t line = std::max(cache_line_bytes, t.vector_bytes) / p.element_bytes;
  const bool whole_blocks = grain >= p.inner || (p.inner % line != 0 && p.outer >= tasks);
  return round_up(grain, whole_blocks ? p.inner : line);
}

bool can_do(kernels::topk_algorithm algorithm, const topk_problem& p) noexcept {
  return kernels::topk_can_do(algorithm, p.n, p.k, p.inner, p.element_bytes);
}

std::size_t given_or(std::size_t given, std::size_t own) noexcept { return given != 0 ? given : own; }

kernels::topk_algorithm choose_along(const topk_problem& p, const topk_tuning& t) noexcept {
  using kernels::topk_algorithm;
  const std::size_t longer = saturating_multiply(given_or(t.rows_longer_per_k, rows_longer_per_k), p.k);
  const std::size_t longest = given_or(t.rows_longest, rows_longest);
  const bool is_short = p.n <= longest || p.n - longest <= longer;
  const bool is_sparse = p.k <= p.n / given_or(t.reservoir_elements_per_k, reservoir_elements_per_k);
  if (can_do(topk_algorithm::rows, p) && (is_short || !is_sparse)) return topk_algorithm::rows;
  if (can_do(topk_algorithm::reservoir, p) && is_sparse) return topk_algorithm::reservoir;
  if (can_do(topk_algorithm::count, p)) return topk_algorithm::count;
  return can_do(topk_algorithm::select, p) ? topk_algorithm::select : topk_algorithm::heap;
}

kernels::topk_algorithm choose_across(const topk_problem& p, const topk_tuning& t) noexcept {
  using kernels::topk_algorithm;
  const bool fills_lanes = p.inner * p.element_bytes >= t.vector_bytes / lists_vector_part || p.n <= lists_idle_longest;
  if (can_do(topk_algorithm::lists, p) && fills_lanes) return topk_algorithm::lists;
  return can_do(topk_algorithm::across, p) ? topk_algorithm::across : topk_algorithm::heap_across;
}

kernels::topk_algorithm choose(const topk_problem& p, const topk_tuning& t) noexcept {
  return p.inner == 1 ? choose_along(p, t) : choose_across(p, t);
}

bool can_share_slice(const topk_problem& p, const topk_tuning& t) noexcept {
  const auto algorithm = choose(p, t);
  return algorithm == kernels::topk_algorithm::reservoir || algorithm == kernels::topk_algorithm::select ||
         algorithm == kernels::topk_algorithm::count;
}

// Elements of a slice that make up the least work of a task. A reservoir's range ends with a merge of k records, and the
// ranges are few.
std::size_t least_part(const topk_problem& p, const topk_tuning& t) noexcept {
  const std::size_t own = t.grain_bytes != 0 ? t.grain_bytes : default_grain;
  const std::size_t records =
      choose(p, t) == kernels::topk_algorithm::reservoir ? saturating_multiply(p.k, part_elements_per_k) : 0;
  return std::max({divide_up(own, p.element_bytes), records, divide_up(p.n, most_ranges_in_slice)});
}

}  // namespace

bool is_worth_sharing(const topk_problem& problem, const topk_tuning& tuning) noexcept {
  if (is_empty(problem)) return false;
  const std::size_t slices = problem.slices();
  const bool enough = tuning.parallel_from_bytes != 0
                          ? slices * problem.n * problem.element_bytes >= tuning.parallel_from_bytes
                          : saturating_multiply(slices, slice_work(problem)) >= default_parallel_from;
  if (!enough) return false;
  return least_grain(problem, tuning) < slices ||
         (can_share_slice(problem, tuning) && least_part(problem, tuning) < problem.n);
}

topk_plan plan_topk(const topk_problem& problem, const topk_tuning& tuning, int width) noexcept {
  auto algorithm = choose(problem, tuning);
  const std::size_t units = is_empty(problem) ? 0 : problem.slices();
  const std::size_t stack = stack_bound_bytes[static_cast<std::size_t>(algorithm)];
  const topk_plan serial = {algorithm, 1, false, units, units, stack};
  if (width <= 1 || !is_worth_sharing(problem, tuning)) return serial;
  const std::size_t most = static_cast<std::size_t>(width);

  // Few slices would leave tasks without work. Counting is not shared; a select by a few tasks is faster.
  const bool in_slices = 2 * units <= most && can_share_slice(problem, tuning) &&
                         (algorithm != kernels::topk_algorithm::count || most >= select_tasks_worth_a_count);
  if (in_slices && algorithm == kernels::topk_algorithm::count) algorithm = kernels::topk_algorithm::select;
  const std::size_t shared = in_slices ? problem.n : units;
  const std::size_t least = in_slices ? least_part(problem, tuning) : least_grain(problem, tuning);
  const std::size_t wanted = std::min(most, divide_up(shared, least));
  // Each range of a reservoir has a threshold of its own to find: one a task.
  const bool one_each = in_slices && algorithm == kernels::topk_algorithm::reservoir;
  const std::size_t balanced = std::max(least, divide_up(shared, wanted * (one_each ? 1 : ranges_per_task)));
  const std::size_t grain = in_slices ? balanced : align_grain(problem, tuning, balanced, wanted);
  const std::size_t tasks = std::min(wanted, divide_up(shared, grain));
  if (tasks <= 1) return serial;
  return {algorithm, static_cast<int>(tasks), in_slices, shared, grain, stack};
}

}  // namespace topsplit::detail
