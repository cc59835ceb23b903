// merge_topk and extend_topk: validate -> plan -> run, as topk does. One kernel does both: to extend is to merge what is
// held with one part whose labels count on.

#include <algorithm>
#include <atomic>

#include "arch/kernel_table.h"
#include "src/dispatch.h"
#include "src/parallel.h"
#include "src/topk_merge_plan.h"
#include "src/topk_merge_rules.h"
#include "topsplit/merge.h"

namespace topsplit {
namespace {

// Parts are handed to the kernel some at a time, since any number of them must do without memory. A slice's heap is then
// made anew for each so many, which is little beside as many parts.
constexpr std::size_t parts_at_a_time = 64;

struct merging {
  const topk_part* parts;
  std::size_t part_count;
  std::size_t axis;
  kernels::topk_merge_kernel kernel;
  kernels::topk_merge_call call;  // without parts
};

kernels::merge_part part_of(const merging& m, std::size_t number) noexcept {
  const topk_part& part = m.parts[number];
  return {part.values.data, static_cast<const std::int64_t*>(part.indices.data), part.index_offset,
          static_cast<std::size_t>(part.values.shape[m.axis])};
}

void run_range(const void* context, std::size_t begin, std::size_t end) noexcept {
  const auto& m = *static_cast<const merging*>(context);
  kernels::merge_part parts[parts_at_a_time];
  kernels::topk_merge_call call = m.call;
  call.parts = parts;
  for (std::size_t first = 0; first < m.part_count; first += parts_at_a_time) {
    call.part_count = std::min(parts_at_a_time, m.part_count - first);
    for (std::size_t p = 0; p < call.part_count; ++p) parts[p] = part_of(m, first + p);
    call.finish = first + call.part_count < m.part_count ? kernels::merge_finish::none : m.call.finish;
    m.kernel(call, begin, end);
    for (std::size_t p = 0; p < call.part_count; ++p) call.held = std::min(call.k, call.held + parts[p].n);
  }
}

struct index_search {
  const merging& m;
  mutable std::atomic<bool> found{false};
};

// Slices stand for as many elements each, wherever those lie: a share of the tensor from end to end.
void search_range(const void* context, std::size_t begin, std::size_t end) noexcept {
  const auto& search = *static_cast<const index_search*>(context);
  for (std::size_t p = 0; p < search.m.part_count; ++p) {
    const kernels::merge_part part = part_of(search.m, p);
    const std::size_t count = (end - begin) * part.n;
    if (count != 0 && detail::find_bad_index(part.labels + begin * part.n, count, part.offset) != count)
      search.found.store(true, std::memory_order_relaxed);
  }
}

// The tasks find out whether, and only then this which, so that the text does not depend on the tasks.
status check_indices(const merging& m, std::size_t slices, const execution& run,
                     const detail::merge_plan& plan) noexcept {
  const index_search search{m};
  detail::parallel_ranges(run, plan.tasks, slices, plan.grain, search_range, &search);
  if (!search.found.load(std::memory_order_relaxed)) return {};
  for (std::size_t p = 0; p < m.part_count; ++p) {
    const kernels::merge_part part = part_of(m, p);
    const std::size_t count = slices * part.n;
    const std::size_t at = detail::find_bad_index(part.labels, count, part.offset);
    if (at != count) return detail::refuse_index(m.parts[p], p, at);
  }
  return {};
}

detail::merge_plan make_plan(const detail::topk_problem& problem, std::size_t input_bytes,
                             const execution& run) noexcept {
  const detail::topk_tuning tuning = detail::tuning_of(run, 0);
  const int width = detail::is_merge_worth_sharing(problem, input_bytes, tuning) ? detail::parallel_width(run) : 1;
  return detail::plan_merge(problem, input_bytes, tuning, width);
}

merging make_merging(const topk_part* parts, std::size_t count, std::size_t held, const tensor& values,
                     const tensor& indices, topk_select select, const detail::merge_problem& checked,
                     const kernels::kernel_table& table) noexcept {
  const detail::topk_problem& p = checked.problem;
  const bool largest = select == topk_select::largest;
  const auto finish = p.by_index ? kernels::merge_finish::by_index : kernels::merge_finish::by_value;
  return {parts,
          count,
          checked.axis,
          table.merge[kernels::topk_order_of(p.element, largest)],
          {nullptr, 0, values.data, static_cast<std::int64_t*>(indices.data), p.k, held, p.inner, finish, p.element,
           largest}};
}

void run_all(const merging& m, const detail::topk_problem& problem, const execution& run,
             const detail::merge_plan& plan) noexcept {
  if (problem.k != 0) detail::parallel_ranges(run, plan.tasks, problem.slices(), plan.grain, run_range, &m);
}

}  // namespace

status merge_topk(const topk_part* parts, std::size_t count, std::int64_t k, const tensor& values,
                  const tensor& indices, const topk_options& options) noexcept {
  detail::merge_problem checked;
  const kernels::kernel_table* table = nullptr;
  if (status s = detail::check_merge(parts, count, k, values, indices, options, checked); !s.ok()) return s;
  if (status s = detail::select_table("TopK", options.run.isa, table); !s.ok()) return s;

  const detail::topk_problem& problem = checked.problem;
  const detail::merge_plan plan = make_plan(problem, problem.element_bytes + sizeof(std::int64_t), options.run);
  const merging m = make_merging(parts, count, 0, values, indices, options.select, checked, *table);
  if (status s = check_indices(m, problem.slices(), options.run, plan); !s.ok()) return s;
  run_all(m, problem, options.run, plan);
  return {};
}

status extend_topk(const const_tensor& x, std::int64_t index_offset, std::int64_t held, const tensor& values,
                   const tensor& indices, const topk_options& options) noexcept {
  detail::merge_problem checked;
  const kernels::kernel_table* table = nullptr;
  if (status s = detail::check_extend(x, index_offset, held, values, indices, options, checked); !s.ok()) return s;
  if (status s = detail::select_table("TopK", options.run.isa, table); !s.ok()) return s;

  const topk_part block = {x, {}, index_offset};  // without indices: labels that count on from the offset
  const detail::merge_plan plan = make_plan(checked.problem, checked.problem.element_bytes, options.run);
  const merging m =
      make_merging(&block, 1, static_cast<std::size_t>(held), values, indices, options.select, checked, *table);
  run_all(m, checked.problem, options.run, plan);
  return {};
}

}  // namespace topsplit
