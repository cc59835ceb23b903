// Shares ranges among threads: of a oneTBB arena, or of the caller's own parallel-for.
//
// A call is one counter on the caller's stack. Each of `tasks` workers takes the next range from it until none is left,
// and when the scheduler comes back, whatever it did, the calling thread takes what remains. So every range is done
// exactly once and never more than `tasks` at once, even where a worker is started late, twice, or not at all.

#include "src/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>

#include "src/cpu_quota.h"

namespace topsplit::detail {
namespace {

struct shared_work {
  std::size_t units;
  std::size_t grain;
  std::size_t ranges;
  int tasks;
  range_task task;
  const void* context;
  std::atomic<std::size_t> next{0};
  std::atomic<int> started{0};

  // Counts ranges rather than units, so that it cannot overflow: each worker counts past the end once.
  void drain() noexcept {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < ranges;) {
      const std::size_t begin = i * grain;
      task(context, begin, begin + std::min(grain, units - begin));
    }
  }

  // A callback that calls more often than it was asked to gets no further worker for it.
  void work() noexcept {
    if (started.fetch_add(1, std::memory_order_relaxed) < tasks) drain();
  }
};

// The process that ran the first parallel call; 0 before it. Its threads do not exist in a child made by fork, so there
// calls are serial: the scheduler, and a lock in it that another thread held at the fork, must not be waited for.
std::atomic<pid_t> parallel_process{0};

bool forked() noexcept {
  const pid_t process = parallel_process.load(std::memory_order_relaxed);
  return process != 0 && process != getpid();
}

bool enter_parallel() noexcept {
  if (parallel_process.load(std::memory_order_relaxed) == 0) {
    pid_t none = 0;
    parallel_process.compare_exchange_strong(none, getpid(), std::memory_order_relaxed);
  }
  return !forked();
}

// CPUs that the calling thread may run on now. Room for 16,384: the kernel refuses a mask shorter than its own.
int affinity_width() noexcept {
  cpu_set_t sets[16];
  if (sched_getaffinity(0, sizeof sets, sets) != 0) return INT_MAX;
  return CPU_COUNT_S(sizeof sets, sets);
}

// max_concurrency alone would not do: it keeps its value under a global_control.
int arena_width(const tbb::task_arena* lent) noexcept {
  try {
    const int arena = lent != nullptr ? lent->max_concurrency() : tbb::this_task_arena::max_concurrency();
    const std::size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const int control = static_cast<int>(std::min<std::size_t>(allowed, INT_MAX));
    return std::min({arena, control, affinity_width(), cpu_quota()});
  } catch (...) {
    return 1;
  }
}

// One task of the scheduler's a worker. Isolation keeps the thread that waits here from running the caller's other
// tasks; a context of our own keeps a cancellation of the caller's group from ending the loop early, and gives the
// workers the calling thread's floating-point mode.
void run_in_current_arena(shared_work& work) {
  tbb::this_task_arena::isolate([&work] {
    tbb::task_group_context context(tbb::task_group_context::isolated, tbb::task_group_context::fp_settings);
    tbb::parallel_for(
        tbb::blocked_range<int>(0, work.tasks, 1),
        [&work](const tbb::blocked_range<int>& workers) {
          for (int i = workers.begin(); i != workers.end(); ++i) work.work();
        },
        tbb::simple_partitioner{}, context);
  });
}

void start_workers(const execution& run, shared_work& work) noexcept {
  try {
    if (run.threads == threading::callback) {
      run.parallel_for(
          run.parallel_for_context, work.tasks,
          [](void* context, std::int32_t) { static_cast<shared_work*>(context)->work(); }, &work);
    } else if (run.lent_arena != nullptr) {
      static_cast<tbb::task_arena*>(run.lent_arena)->execute([&work] { run_in_current_arena(work); });
    } else {
      run_in_current_arena(work);
    }
  } catch (...) {
    // No memory or no thread to be had. What was started has ended; the caller does the rest.
  }
}

}  // namespace

int parallel_width(const execution& run) noexcept {
  if (run.threads == threading::serial || run.max_tasks == 1 || forked()) return 1;
  int width = run.threads == threading::callback ? run.parallel_for_width
                                                 : arena_width(static_cast<tbb::task_arena*>(run.lent_arena));
  if (run.max_tasks > 0) width = std::min(width, run.max_tasks);
  return std::max(width, 1);
}

void parallel_ranges(const execution& run, int tasks, std::size_t units, std::size_t grain, range_task task,
                     const void* context) noexcept {
  if (units == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t ranges = (units - 1) / grain + 1;
  if (ranges < static_cast<std::size_t>(std::max(tasks, 1))) tasks = static_cast<int>(ranges);
  if (tasks <= 1 || run.threads == threading::serial || !enter_parallel()) {
    task(context, 0, units);
    return;
  }
  shared_work work{units, grain, ranges, tasks, task, context};
  start_workers(run, work);
  work.drain();
}

}  // namespace topsplit::detail
