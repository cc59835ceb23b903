// parallel_ranges and parallel_width by themselves: every range once, never more tasks at once than asked, nothing of
// the caller's run meanwhile, and a width that obeys all who may limit it.

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <sched.h>

#include <cfenv>
#include <mutex>

#include "src/parallel.h"
#include "tests/threads_helpers.h"
#include "topsplit/tbb.h"

namespace {

using namespace std::chrono_literals;
using namespace threads_helpers;
using topsplit::execution;
using topsplit::threading;
using topsplit::detail::parallel_ranges;
using topsplit::detail::parallel_width;

execution serial() {
  execution run;
  run.threads = threading::serial;
  return run;
}

void expect_each_once(const execution& run, int tasks, std::size_t units, std::size_t grain) {
  SCOPED_TRACE(testing::Message() << "tasks " << tasks << ", units " << units << ", grain " << grain);
  record seen(units);
  parallel_ranges(run, tasks, units, grain, record::task, &seen);
  EXPECT_TRUE(seen.each_once());
  EXPECT_LE(seen.peak(), std::max(tasks, 1));
  const std::size_t ranges = (units + grain - 1) / grain;
  const bool shared = tasks > 1 && run.threads != threading::serial;
  EXPECT_EQ(seen.ranges(), shared ? static_cast<int>(ranges) : units == 0 ? 0 : 1);
  EXPECT_EQ(seen.longest(), shared ? std::min(grain, units) : units);
}

void expect_each_once(const execution& run) {
  for (const int tasks : {1, 2, 3, 4, 8}) {
    for (const std::size_t units : {0u, 1u, 2u, 7u, 64u, 1000u, 4097u}) {
      for (const std::size_t grain : {1u, 3u, 64u, 5000u}) expect_each_once(run, tasks, units, grain);
    }
  }
}

TEST(parallel_ranges, each_range_once_in_serial) { expect_each_once(serial()); }

TEST(parallel_ranges, each_range_once_in_the_current_arena) {
  expect_each_once({});
  tbb::task_arena one(1);
  one.execute([] { expect_each_once({}); });
}

TEST(parallel_ranges, each_range_once_in_a_lent_arena) {
  tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);
  expect_each_once(topsplit::in_arena(arena));
  tbb::task_arena other(2);
  other.execute([&] { expect_each_once(topsplit::in_arena(arena)); });
  arena.execute([&] { expect_each_once(topsplit::in_arena(arena)); });
}

TEST(parallel_ranges, each_range_once_whatever_the_callback_does) {
  for (const named_parallel_for& f : parallel_fors) {
    SCOPED_TRACE(f.name);
    for (const int tasks : {1, 2, 3, 8}) {
      for (const std::size_t units : {1u, 7u, 300u}) expect_each_once(with_callback(f.function, 8), tasks, units, 3);
    }
  }
}

TEST(parallel_ranges, counts_that_come_near_the_end_of_size_t) {
  static std::atomic<std::size_t> sum;
  sum = 0;
  const topsplit::detail::range_task add = [](const void*, std::size_t begin, std::size_t end) noexcept {
    sum += end - begin;
  };
  parallel_ranges(with_callback(on_threads, 8), 8, SIZE_MAX, SIZE_MAX / 3, add, nullptr);
  EXPECT_EQ(sum.load(), SIZE_MAX);
  sum = 0;
  parallel_ranges({}, 8, SIZE_MAX, SIZE_MAX - 1, add, nullptr);
  EXPECT_EQ(sum.load(), SIZE_MAX);
}

TEST(parallel_ranges, at_most_as_many_tasks_at_once_as_asked) {
  tbb::global_control eight(tbb::global_control::max_allowed_parallelism, 8);
  tbb::task_arena arena(8);
  for (const int tasks : {2, 3, 4}) {
    SCOPED_TRACE(tasks);
    for (const execution& run : {execution{}, topsplit::in_arena(arena), with_callback(twice_on_threads, 8)}) {
      record seen(60, 200us);
      parallel_ranges(run, tasks, 60, 1, record::task, &seen);
      EXPECT_TRUE(seen.each_once());
      EXPECT_LE(seen.peak(), tasks);
    }
  }
}

// Without this the tests here would pass on a library that never shares.
TEST(parallel_ranges, several_tasks_run_at_once) {
  tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);
  for (const execution& run : {topsplit::in_arena(arena), with_callback(on_threads, 4)}) {
    int peak = 0;
    for (int attempt = 0; attempt < 50 && peak < 4; ++attempt) {
      record seen(40, 1ms);
      parallel_ranges(run, 4, 40, 1, record::task, &seen);
      peak = seen.peak();
    }
    EXPECT_EQ(peak, 4);
  }
}

TEST(parallel_ranges, a_lent_arena_is_the_one_that_runs) {
  tbb::global_control three(tbb::global_control::max_allowed_parallelism, 3);
  tbb::task_arena arena(3);
  static std::atomic<int> inside;
  inside = 0;
  parallel_ranges(
      topsplit::in_arena(arena), 3, 30, 1,
      [](const void*, std::size_t, std::size_t) noexcept {
        if (tbb::this_task_arena::max_concurrency() == 3) ++inside;
      },
      nullptr);
  EXPECT_EQ(inside.load(), 30);
}

// All is done, and still on several threads.
TEST(parallel_ranges, a_cancelled_group_of_the_caller_cuts_nothing_short) {
  tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  std::atomic<int> most_at_once{0};
  for (int round = 0; round < 100 && most_at_once < 2; ++round) {
    tbb::task_group_context group;
    std::atomic<int> complete{0}, begun{0};
    tbb::parallel_for(
        0, 8,
        [&](int) {
          ++begun;
          group.cancel_group_execution();
          record seen(50, 100us);
          parallel_ranges({}, 4, 50, 1, record::task, &seen);
          if (seen.each_once()) ++complete;
          if (seen.peak() > most_at_once) most_at_once = seen.peak();
        },
        group);
    EXPECT_GE(begun.load(), 1);
    EXPECT_EQ(complete.load(), begun.load());
  }
  EXPECT_GE(most_at_once.load(), 2);
}

thread_local bool inside_call = false;

// Each outer task holds a mutex through its call. A thread that took another outer task while waiting inside the call
// would wait for its own mutex.
void nest_under_a_mutex(const execution& run) {
  std::mutex mutex;
  std::atomic<int> intruders{0};
  tbb::parallel_for(0, 64, [&](int) {
    if (inside_call) {
      ++intruders;
      return;
    }
    std::lock_guard<std::mutex> lock(mutex);
    inside_call = true;
    record seen(64, 20us);
    parallel_ranges(run, 8, 64, 1, record::task, &seen);
    inside_call = false;
    EXPECT_TRUE(seen.each_once());
  });
  EXPECT_EQ(intruders.load(), 0);
}

TEST(parallel_ranges, a_waiting_thread_runs_no_outer_task) {
  tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);
  arena.execute([] { nest_under_a_mutex({}); });
  arena.execute([&] { nest_under_a_mutex(topsplit::in_arena(arena)); });
  tbb::task_arena other(4);
  arena.execute([&] { nest_under_a_mutex(topsplit::in_arena(other)); });
}

// Two ranges, one of them on another thread that puts tasks of the caller's into the arena and then takes its time. The
// calling thread has nothing of the call left to do, both slots are taken, and it must still leave those tasks alone.
struct tempting_wait {
  explicit tempting_wait(tbb::task_arena& a) : arena(a) {}

  static void task(const void* context, std::size_t, std::size_t) noexcept {
    const_cast<tempting_wait*>(static_cast<const tempting_wait*>(context))->run();
  }
  void run() {
    if (inside_call) {
      for (int i = 0; i < 1000 && !joined; ++i) std::this_thread::sleep_for(100us);
      return;
    }
    for (int i = 0; i < 20; ++i) {
      ++pending;
      arena.enqueue([this] {
        intruders += inside_call ? 1 : 0;
        --pending;
      });
    }
    joined = true;
    std::this_thread::sleep_for(5ms);
  }

  tbb::task_arena& arena;
  std::atomic<bool> joined{false};
  std::atomic<int> intruders{0}, pending{0};
};

void expect_to_wait_alone(tbb::task_arena& arena, const execution& run) {
  int joined = 0;
  for (int attempt = 0; attempt < 200 && joined < 5; ++attempt) {
    tempting_wait wait(arena);
    arena.execute([&] {
      inside_call = true;
      parallel_ranges(run, 2, 2, 1, tempting_wait::task, &wait);
      inside_call = false;
    });
    while (wait.pending != 0) std::this_thread::sleep_for(100us);
    joined += wait.joined ? 1 : 0;
    EXPECT_EQ(wait.intruders.load(), 0);
  }
  EXPECT_GT(joined, 0) << "no second thread ever came";
}

TEST(parallel_ranges, a_waiting_thread_runs_no_enqueued_task) {
  tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(2);
  expect_to_wait_alone(arena, {});
  expect_to_wait_alone(arena, topsplit::in_arena(arena));
}

// Calls inside of range tasks: no use of ours, but what a callback of the caller's may come to.
TEST(parallel_ranges, nested_in_itself) {
  static std::atomic<int> complete;
  complete = 0;
  parallel_ranges(
      {}, 4, 16, 1,
      [](const void*, std::size_t, std::size_t) noexcept {
        record seen(100);
        parallel_ranges({}, 3, 100, 7, record::task, &seen);
        if (seen.each_once()) ++complete;
      },
      nullptr);
  EXPECT_EQ(complete.load(), 16);
}

TEST(parallel_ranges, workers_have_the_callers_rounding_and_it_stays) {
  ASSERT_EQ(std::fegetround(), FE_TONEAREST);
  tbb::parallel_for(0, 2, [](int) {});  // a thread's arena keeps the mode of the thread's first use of oneTBB
  static std::atomic<int> upward;
  for (int round = 0; round < 20; ++round) {
    upward = 0;
    std::fesetround(FE_UPWARD);
    parallel_ranges(
        {}, 2, 40, 1,
        [](const void*, std::size_t, std::size_t) noexcept {
          if (std::fegetround() == FE_UPWARD) ++upward;
          std::this_thread::sleep_for(50us);
        },
        nullptr);
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(after, FE_UPWARD);
    EXPECT_EQ(upward.load(), 40);
  }
  std::atomic<int> changed{0};
  tbb::parallel_for(0, 1000, [&](int) { changed += std::fegetround() == FE_TONEAREST ? 0 : 1; });
  EXPECT_EQ(changed.load(), 0);
}

// ---- width

cpu_set_t allowed_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  return cpus;
}

TEST(parallel_width, max_tasks_and_serial) {
  EXPECT_EQ(parallel_width(serial()), 1);
  execution run;
  run.max_tasks = 1;
  EXPECT_EQ(parallel_width(run), 1);
  const int free_width = parallel_width({});
  EXPECT_GE(free_width, 1);
  const cpu_set_t cpus = allowed_cpus();
  EXPECT_LE(free_width, CPU_COUNT(&cpus));
  run.max_tasks = free_width + 5;
  EXPECT_EQ(parallel_width(run), free_width);
}

TEST(parallel_width, a_callbacks_width_is_its_own) {
  EXPECT_EQ(parallel_width(with_callback(in_order, 37)), 37);
  execution run = with_callback(in_order, 37);
  run.max_tasks = 5;
  EXPECT_EQ(parallel_width(run), 5);
  run.max_tasks = 50;
  EXPECT_EQ(parallel_width(run), 37);
}

TEST(parallel_width, global_control) {
  const int free_width = parallel_width({});
  {
    tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(parallel_width({}), 1);
    tbb::task_arena arena(2);
    EXPECT_EQ(parallel_width(topsplit::in_arena(arena)), 1);
  }
  EXPECT_EQ(parallel_width({}), free_width);
}

TEST(parallel_width, arenas) {
  tbb::task_arena one(1);
  EXPECT_EQ(parallel_width(topsplit::in_arena(one)), 1);
  EXPECT_EQ(one.execute([] { return parallel_width({}); }), 1);
  tbb::task_arena automatic;
  EXPECT_EQ(parallel_width(topsplit::in_arena(automatic)), parallel_width({}));
  // A lent arena counts, not the one that the thread is in.
  EXPECT_EQ(one.execute([&] { return parallel_width(topsplit::in_arena(automatic)); }), parallel_width({}));
}

TEST(parallel_width, affinity_of_the_calling_thread_now) {
  const cpu_set_t cpus = allowed_cpus();
  if (CPU_COUNT(&cpus) < 2) GTEST_SKIP() << "affinity_of_the_calling_thread_now: needs two CPUs, this process has one";
  EXPECT_GE(parallel_width({}), 1);
  int pinned = 0;
  std::thread([&] {
    cpu_set_t first;
    CPU_ZERO(&first);
    for (std::size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++i) {
      if (CPU_ISSET(i, &cpus)) CPU_SET(i, &first);
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
    pinned = parallel_width({});
  }).join();
  EXPECT_EQ(pinned, 1);
}

}  // namespace
