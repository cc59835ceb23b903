// What threaded calls do to the process around them: fork from any thread, no growth of threads or descriptors, no CPU
// time between calls, and a scheduler that can start no thread.

#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <system_error>

#include "tests/inputs.h"
#include "tests/threads_helpers.h"
#include "topsplit/topsplit.h"

namespace {

using namespace std::chrono_literals;
using namespace threads_helpers;
using namespace topsplit;

constexpr std::int64_t rows = 64, n = 1024, k = 8;

const std::vector<float>& input() {
  static const std::vector<float> x = [] {
    std::vector<float> made(static_cast<std::size_t>(rows * n));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<float>(inputs::splitmix(1, i) % 5000);
    return made;
  }();
  return x;
}

struct answer {
  std::vector<float> values;
  std::vector<std::int64_t> indices;
  friend bool operator==(const answer& a, const answer& b) { return a.values == b.values && a.indices == b.indices; }
};

answer call(const execution& run) {
  answer a{std::vector<float>(rows * k), std::vector<std::int64_t>(rows * k, -1)};
  topk_options options;
  options.run = run;
  const status s = topk_rows(input().data(), rows, n, k, a.values.data(), a.indices.data(), options);
  EXPECT_TRUE(s.ok()) << s.text();
  return a;
}

const answer& expected() {
  static const answer a = [] {
    execution run;
    run.threads = threading::serial;
    return call(run);
  }();
  return a;
}

execution tasks(int most) {
  execution run = finely_cut({});
  run.max_tasks = most;
  return run;
}

// Runs body in a child and returns its exit status; 124 where it does not end within 10 seconds.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  for (int i = 0; i < 1000; ++i) {
    int state = 0;
    if (waitpid(child, &state, WNOHANG) == child) return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    std::this_thread::sleep_for(10ms);
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return 124;
}

// How many of these ways to run give a wrong answer in this process.
int wrong_in(std::initializer_list<execution> ways) {
  int wrong = 0;
  for (const execution& run : ways) wrong += call(run) == expected() ? 0 : 1;
  return wrong;
}
int count_wrong() { return wrong_in({tasks(1), tasks(4), finely_cut({}), finely_cut(with_callback(on_threads, 4))}); }

// Whether a call that its options allow to be parallel is so in this process.
bool is_parallel() {
  static bool called;
  called = false;
  const execution run = finely_cut(with_callback(
      [](void*, std::int32_t count, inner_task task, void* context) {
        called = true;
        in_order(nullptr, count, task, context);
      },
      4));
  return call(run) == expected() && called;
}

void run_parallel() {
  EXPECT_EQ(call(tasks(4)), expected());
  EXPECT_EQ(call(finely_cut(with_callback(on_threads, 4))), expected());
}

TEST(threads_fork, child_before_the_first_parallel_call) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // a fresh process: it has run no parallel call for certain
  EXPECT_EXIT((expected(), std::exit(in_child([] { return is_parallel() ? count_wrong() : 100; }))),
              testing::ExitedWithCode(0), "");
}

// The parent's threads are not in the child, which must neither wait for them nor start its own: a child of a child
// too.
TEST(threads_fork, child_after_a_parallel_call) {
  run_parallel();
  EXPECT_EQ(in_child([] {
              const std::ptrdiff_t before = thread_count();
              const int wrong = count_wrong() + (is_parallel() ? 100 : 0);
              return wrong + (thread_count() == before ? 0 : 10) + in_child(count_wrong);
            }),
            0);
  run_parallel();
}

TEST(threads_fork, child_of_another_thread) {
  run_parallel();
  int result = -1;
  std::thread([&] { result = in_child(count_wrong); }).join();
  EXPECT_EQ(result, 0);
}

TEST(threads_fork, while_other_threads_are_in_calls) {
  run_parallel();
  std::atomic<bool> stop{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] {
      while (!stop) EXPECT_EQ(call(tasks(4)), expected());
    });
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(in_child(count_wrong), 0);
  stop = true;
  for (std::thread& t : callers) t.join();
}

// The program's own use of oneTBB before the fork is nothing that the library sees: the child still works.
TEST(threads_fork, child_of_a_program_that_used_tbb_itself) {
  tbb::parallel_for(0, 100, [](int) { std::this_thread::sleep_for(100us); });
  expected();
  EXPECT_EQ(in_child([] { return wrong_in({tasks(1), tasks(4), finely_cut({})}); }), 0);
}

TEST(threads_process, threads_and_descriptors_stop_growing) {
  for (int i = 0; i < 100; ++i) run_parallel();
  const std::ptrdiff_t threads = settled_thread_count(), descriptors = descriptor_count();
  for (int i = 0; i < 300; ++i) run_parallel();
  EXPECT_LE(settled_thread_count(threads, 10s), threads);
  EXPECT_EQ(descriptor_count(), descriptors);
}

std::chrono::microseconds cpu_time() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

// A call every 100 ms: what the process burns between one's return and the next one's start is less than 5% of a core.
TEST(threads_process, idle_between_calls) {
  call(finely_cut({}));
  std::chrono::microseconds outside{0};
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(call(finely_cut({})), expected());
    const auto before = cpu_time();
    std::this_thread::sleep_for(100ms);
    outside += cpu_time() - before;
  }
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  EXPECT_LT(outside.count() * 20, whole.count()) << outside.count() << " us of CPU time in " << whole.count() << " us";
}

// Exits with 0 where calls work although no thread can be started, 77 where the limit on them does not bind. It never
// binds root, who becomes somebody else first.
[[noreturn]] void call_without_threads() {
  alarm(10);
  const answer right = expected();
  const rlimit none = {0, 0};
  const passwd* nobody = getpwnam("nobody");
  if (geteuid() == 0 && (nobody == nullptr || setuid(nobody->pw_uid) != 0)) std::_Exit(77);
  if (setrlimit(RLIMIT_NPROC, &none) != 0) std::_Exit(77);
  try {
    std::thread([] {}).join();
    std::_Exit(77);
  } catch (const std::system_error&) {
  }
  std::_Exit(call(tasks(4)) == right && call(finely_cut({})) == right ? 0 : 1);
}

TEST(threads_process, no_thread_to_be_had) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // in a fresh process
  static int result;
  const auto keep = [](int state) {
    result = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return result == 0 || result == 77;
  };
  EXPECT_EXIT(call_without_threads(), keep, "");
  if (result == 77) GTEST_SKIP() << "threads_process.no_thread_to_be_had: this system does not let RLIMIT_NPROC bind";
}

}  // namespace
