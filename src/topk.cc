// The TopK call: validate -> plan -> run. Everything that can fail comes before the first kernel.

#include "topsplit/topk.h"

#include "arch/kernel_table.h"
#include "src/dispatch.h"
#include "src/parallel.h"
#include "src/topk_plan.h"
#include "src/topk_rules.h"
#include "src/topk_shared.h"

namespace topsplit {
namespace {

struct range_context {
  kernels::topk_kernel kernel;
  kernels::topk_call call;
};

void run_range(const void* context, std::size_t begin, std::size_t end) noexcept {
  const auto& c = *static_cast<const range_context*>(context);
  c.kernel(c.call, begin, end);
}

detail::topk_plan make_plan(const detail::topk_problem& problem, const execution& run,
                            const kernels::kernel_table& table) noexcept {
  const detail::topk_tuning tuning = detail::tuning_of(run, table.vector_bytes);
  const int width = detail::is_worth_sharing(problem, tuning) ? detail::parallel_width(run) : 1;
  return detail::plan_topk(problem, tuning, width);
}

}  // namespace

status topk(const const_tensor& x, std::int64_t k, const tensor& values, const tensor& indices,
            const topk_options& options) noexcept {
  detail::folded_shape folded;
  detail::topk_problem problem;
  const kernels::kernel_table* table = nullptr;
  if (status s = detail::check_topk(x, k, options, folded, problem); !s.ok()) return s;
  if (status s = detail::check_topk_tensors(x, values, indices, folded, problem); !s.ok()) return s;
  if (status s = detail::select_table("TopK", options.run.isa, table); !s.ok()) return s;

  const detail::topk_plan plan = make_plan(problem, options.run, *table);
  if (plan.units == 0) return {};
  const bool largest = options.select == topk_select::largest;
  const range_context context = {
      table->topk[kernels::index_of(plan.algorithm)][kernels::topk_order_of(problem.element, largest)],
      {x.data, values.data, static_cast<std::int64_t*>(indices.data), problem.n, problem.k, problem.inner,
       problem.by_index, problem.element, largest}};
  if (plan.tasks == 1) {
    run_range(&context, 0, plan.units);
  } else if (plan.in_slices) {
    detail::share_slices(options.run, plan, *table, context.call, problem.slices());
  } else {
    detail::parallel_ranges(options.run, plan.tasks, plan.units, plan.grain, run_range, &context);
  }
  return {};
}

status explain_topk(const const_tensor& x, std::int64_t k, const topk_options& options, explanation& result) noexcept {
  detail::folded_shape folded;
  detail::topk_problem problem;
  const kernels::kernel_table* table = nullptr;
  if (status s = detail::check_topk(x, k, options, folded, problem); !s.ok()) return s;
  if (status s = detail::select_table("TopK", options.run.isa, table); !s.ok()) return s;

  const detail::topk_plan plan = make_plan(problem, options.run, *table);
  result = {kernels::topk_algorithm_names[static_cast<std::size_t>(plan.algorithm)],
            table->id,
            plan.tasks,
            static_cast<std::int64_t>(plan.units),
            static_cast<std::int64_t>(plan.grain),
            plan.in_slices ? "elements" : "slices",
            plan.stack_bytes,
            0};
  return {};
}

}  // namespace topsplit
