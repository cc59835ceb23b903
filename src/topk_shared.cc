// The steps of one slice (arch/kernel_table.h), shared among tasks: a step's ranges run at once, the steps one after the other.

#include "src/topk_shared.h"

#include <algorithm>
#include <mutex>

#include "src/parallel.h"
#include "src/shape.h"

namespace topsplit::detail {
namespace {

// Below this many records a part of the region is sorted whole.
constexpr std::size_t least_sorted_part = 4096;

class slice_work {
 public:
  slice_work(const execution& run, const topk_plan& plan, const kernels::kernel_table& table,
             const kernels::topk_call& call, std::size_t slice)
      : run_(run),
        plan_(plan),
        table_(table),
        steps_(table.steps[kernels::topk_order_of(call.type, call.largest)]),
        call_(call),
        slice_(slice) {}

  void gather() {
    kernels::topk_slice shared = {slice_, 0, [](void* m) noexcept { static_cast<std::mutex*>(m)->lock(); },
                                  [](void* m) noexcept { static_cast<std::mutex*>(m)->unlock(); }, &mutex_};
    share(call_.n, plan_.grain, [&](std::size_t begin, std::size_t end) { steps_.gather(call_, shared, begin, end); });
    steps_.finish(call_, slice_);
  }

  void select() {
    kernels::topk_cut cut;
    if (!steps_.find(call_, slice_, cut)) {
      const auto heap = kernels::index_of(kernels::topk_algorithm::heap);
      return table_.topk[heap][kernels::topk_order_of(call_.type, call_.largest)](call_, slice_, slice_ + 1);
    }
    place(cut);
    if (!call_.by_index) sort();
    share(call_.k, divide_up(call_.k, most_ranges_in_slice),
          [&](std::size_t begin, std::size_t end) { steps_.write(call_, slice_, begin, end); });
  }

 private:
  // Calls step(begin, end) for ranges that cover the units.
  template <class Step>
  void share(std::size_t units, std::size_t grain, const Step& step) {
    parallel_ranges(
        run_, plan_.tasks, units, grain,
        [](const void* context, std::size_t begin, std::size_t end) noexcept {
          (*static_cast<const Step*>(context))(begin, end);
        },
        &step);
  }

  // Each range of the slice puts what it chooses behind what the ranges before it choose.
  void place(kernels::topk_cut cut) {
    const std::size_t ranges = divide_up(call_.n, plan_.grain);
    const auto range_end = [&](std::size_t r) { return std::min(call_.n, (r + 1) * plan_.grain); };
    std::size_t chosen[most_ranges_in_slice], place[most_ranges_in_slice];
    share(ranges, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r)
        chosen[r] = steps_.count(call_, slice_, cut, r * plan_.grain, range_end(r));
    });
    for (std::size_t r = 0, sum = 0; r < ranges; ++r) {
      place[r] = sum;
      sum += chosen[r];
    }
    share(ranges, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r)
        steps_.place(call_, slice_, cut, r * plan_.grain, range_end(r), place[r], chosen[r]);
    });
  }

  // Halves, halves of halves, and so on, until there is a part for each task and some to even out; then sorts the parts.
  void sort() {
    std::size_t ends[most_ranges_in_slice + 1] = {0, call_.k};
    std::size_t parts = 1;
    while (parts < 4 * static_cast<std::size_t>(plan_.tasks) && 2 * parts <= most_ranges_in_slice &&
           call_.k / parts > least_sorted_part) {
      std::size_t middle[most_ranges_in_slice];
      share(parts, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) middle[p] = steps_.split(call_, slice_, ends[p], ends[p + 1]);
      });
      for (std::size_t p = parts; p-- > 0;) {
        ends[2 * p + 2] = ends[p + 1];
        ends[2 * p + 1] = middle[p];
      }
      parts *= 2;
    }
    share(parts, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) steps_.sort(call_, slice_, ends[p], ends[p + 1]);
    });
  }

  const execution& run_;
  const topk_plan& plan_;
  const kernels::kernel_table& table_;
  const kernels::topk_steps& steps_;
  const kernels::topk_call& call_;
  std::size_t slice_;
  std::mutex mutex_;
};

}  // namespace

void share_slices(const execution& run, const topk_plan& plan, const kernels::kernel_table& table,
                  const kernels::topk_call& call, std::size_t slices) noexcept {
  for (std::size_t s = 0; s < slices; ++s) {
    slice_work work(run, plan, table, call, s);
    if (plan.algorithm == kernels::topk_algorithm::reservoir) {
      work.gather();
    } else {
      work.select();
    }
  }
}

}  // namespace topsplit::detail
