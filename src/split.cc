// The Split call: validate -> plan -> run. Everything that can fail comes before the first kernel, strings apart.
//
// Tasks share bytes, laid out batch by batch: first all rows of the first 128 parts, then all rows of the next. A task
// builds the array of a batch's parts on its own stack, so that the number of outputs bounds nothing.

#include "topsplit/split.h"

#include <algorithm>
#include <new>

#include "arch/kernel_table.h"
#include "src/cache_size.h"
#include "src/dispatch.h"
#include "src/execution_check.h"
#include "src/message.h"
#include "src/parallel.h"
#include "src/profile_sizes.h"
#include "src/split_plan.h"
#include "src/split_rules.h"
#include "src/split_run.h"

namespace topsplit::detail {
namespace {

struct range_context {
  kernels::split_kernel kernel;
  const split_problem& problem;
  const std::byte* input;
  const tensor* outputs;
};

// The parts that one kernel call takes; a part without bytes is left out.
struct part_batch {
  kernels::split_part parts[split_batch_parts];
  std::size_t count = 0;
  std::size_t span_bytes = 0;

  // Takes parts from `first` on, the first of them at offset_bytes in a row; returns the next one.
  std::size_t fill(const range_context& context, std::size_t first, std::size_t offset_bytes) noexcept {
    std::size_t i = first;
    span_bytes = 0;
    for (count = 0; i < context.problem.sizes.count && count < split_batch_parts; ++i) {
      const std::size_t bytes = context.problem.part_bytes(i);
      if (bytes == 0) continue;
      parts[count++] = {static_cast<std::byte*>(context.outputs[i].data), bytes, offset_bytes + span_bytes};
      span_bytes += bytes;
    }
    return i;
  }
};

// Copies the bytes [begin, end) of all batches laid end to end.
void run_range(const void* untyped, std::size_t begin, std::size_t end) noexcept {
  const auto& context = *static_cast<const range_context*>(untyped);
  const std::size_t row_bytes = context.problem.row_bytes(context.problem.folded.n);
  part_batch batch;
  std::size_t part = 0;
  std::size_t offset = 0;  // of the batch in a row
  for (std::size_t done = 0; done < end;) {
    part = batch.fill(context, part, offset);
    const std::size_t next = done + context.problem.folded.outer * batch.span_bytes;
    if (begin < next) {
      const kernels::split_call call = {context.input, row_bytes, batch.parts, batch.count, batch.span_bytes};
      context.kernel(call, std::max(begin, done) - done, std::min(end, next) - done);
    }
    offset += batch.span_bytes;
    done = next;
  }
}

status copy_strings(const const_tensor& input, const tensor* outputs, const split_problem& problem) noexcept {
  const auto* row = static_cast<const std::string*>(input.data);
  const std::size_t row_length = problem.folded.n * problem.folded.inner;
  for (std::size_t i = 0; i < problem.sizes.count; ++i) {
    const std::size_t length = static_cast<std::size_t>(problem.sizes[i]) * problem.folded.inner;
    auto* out = static_cast<std::string*>(outputs[i].data);
    try {
      for (std::size_t r = 0; length != 0 && r < problem.folded.outer; ++r) {
        out = std::copy_n(row + r * row_length, length, out);
      }
    } catch (const std::bad_alloc&) {
      return error(status_code::out_of_memory, "Split: out of memory while copying the strings of output %zu", i);
    }
    if (length != 0) row += length;
  }
  return {};
}

split_form form_of(const split_problem& problem, const kernels::kernel_table& table) noexcept {
  split_form form = {problem.folded.outer, problem.row_bytes(problem.folded.n), 0, SIZE_MAX, 0, table.shuffle_bytes,
                     table.streams};
  for (std::size_t i = 0; i < problem.sizes.count; ++i) {
    const std::size_t bytes = problem.part_bytes(i);
    if (bytes == 0) continue;
    ++form.parts;
    form.narrowest = std::min(form.narrowest, bytes);
    form.widest = std::max(form.widest, bytes);
  }
  return form;
}

split_plan make_plan(const split_problem& problem, const kernels::kernel_table& table, const execution& run) noexcept {
  const std::size_t stream_from = asked_or_profiled(run.stream_from_bytes, profile_size::split_stream_from_bytes);
  const split_tuning tuning = {asked_or_profiled(run.grain_bytes, profile_size::split_grain_bytes),
                               asked_or_profiled(run.parallel_from_bytes, profile_size::split_parallel_from_bytes),
                               stream_from != 0 ? stream_from : kept_bytes()};
  const int width = is_worth_sharing(problem.total_bytes(), tuning) ? parallel_width(run) : 1;
  return plan_split(form_of(problem, table), tuning, width);
}

// A part that takes the whole axis lies in one piece, rows and all.
void fold_whole_part(split_problem& problem) noexcept {
  for (std::size_t i = 0; i < problem.sizes.count; ++i) {
    if (static_cast<std::size_t>(problem.sizes[i]) != problem.folded.n) continue;
    problem.folded.inner *= problem.folded.outer;
    problem.folded.outer = 1;
    return;
  }
}

// What run and explain check alike.
status check_call(const const_tensor& input, const part_sizes& sizes, const split_options& options,
                  split_problem& problem) noexcept {
  if (status s = check_split(input, sizes, options.axis, problem); !s.ok()) return s;
  fold_whole_part(problem);
  return check_execution("Split", options.run);
}

}  // namespace

status run_split(const const_tensor& input, const part_sizes& sizes, const tensor* outputs,
                 const split_options& options) noexcept {
  split_problem problem;
  const kernels::kernel_table* table = nullptr;
  if (status s = check_call(input, sizes, options, problem); !s.ok()) return s;
  if (status s = check_split_tensors(input, outputs, problem); !s.ok()) return s;
  if (status s = select_table("Split", options.run.isa, table); !s.ok()) return s;
  if (input.type == data_type::string) return copy_strings(input, outputs, problem);

  const split_plan plan = make_plan(problem, *table, options.run);
  if (plan.units == 0) return {};
  const range_context context = {table->split[static_cast<std::size_t>(plan.algorithm)], problem,
                                 static_cast<const std::byte*>(input.data), outputs};
  if (plan.tasks == 1) {
    run_range(&context, 0, plan.units);
  } else {
    parallel_ranges(options.run, plan.tasks, plan.units, plan.grain, run_range, &context);
  }
  return {};
}

status infer_split_sizes(const const_tensor& input, const part_sizes& sizes, std::int64_t axis,
                         std::int64_t* output_sizes) noexcept {
  split_problem problem;
  if (status s = check_split(input, sizes, axis, problem); !s.ok()) return s;
  if (output_sizes == nullptr) return error(status_code::invalid_argument, "Split: output_sizes is null");
  for (std::size_t i = 0; i < sizes.count; ++i) output_sizes[i] = problem.sizes[i];
  return {};
}

status explain_split_run(const const_tensor& input, const part_sizes& sizes, const split_options& options,
                         explanation& result) noexcept {
  split_problem problem;
  const kernels::kernel_table* table = nullptr;
  if (status s = check_call(input, sizes, options, problem); !s.ok()) return s;
  if (status s = select_table("Split", options.run.isa, table); !s.ok()) return s;
  if (input.type == data_type::string) {
    const auto strings = static_cast<std::int64_t>(problem.total_bytes() / problem.element_bytes);
    // How much the copies take stands in the data, which is not looked at.
    result = {"strings", table->id, 1, strings, strings, "strings", sizeof(split_problem), SIZE_MAX};
    return {};
  }
  const split_plan plan = make_plan(problem, *table, options.run);
  result = {kernels::split_algorithm_names[static_cast<std::size_t>(plan.algorithm)],
            table->id,
            plan.tasks,
            static_cast<std::int64_t>(plan.units),
            static_cast<std::int64_t>(plan.grain),
            "bytes",
            plan.stack_bytes,
            0};
  return {};
}

}  // namespace topsplit::detail

namespace topsplit {
namespace {

detail::part_sizes sizes_of(const std::int64_t* sizes, std::size_t count) noexcept {
  return sizes == nullptr ? detail::equal_sizes(count) : detail::given_sizes(sizes, count);
}

}  // namespace

status split(const const_tensor& input, const std::int64_t* sizes, const tensor* outputs, std::size_t count,
             const split_options& options) noexcept {
  return detail::run_split(input, sizes_of(sizes, count), outputs, options);
}

status infer_split(const const_tensor& input, const std::int64_t* sizes, std::size_t count, std::int64_t axis,
                   std::int64_t* output_sizes) noexcept {
  return detail::infer_split_sizes(input, sizes_of(sizes, count), axis, output_sizes);
}

status explain_split(const const_tensor& input, const std::int64_t* sizes, std::size_t count,
                     const split_options& options, explanation& result) noexcept {
  return detail::explain_split_run(input, sizes_of(sizes, count), options, result);
}

}  // namespace topsplit
