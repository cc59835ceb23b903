// What the thread tests share: a record of which units were done and how many tasks ran at once, and parallel-fors that
// an engine might bring, well behaved and not.

#ifndef TOPSPLIT_TESTS_THREADS_HELPERS_H
#define TOPSPLIT_TESTS_THREADS_HELPERS_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

#include "topsplit/execution.h"

namespace threads_helpers {

// How many hold one at a time; keeps the most that ever did.
class gauge {
 public:
  void enter() noexcept {
    const int now = current_.fetch_add(1) + 1;
    for (int peak = peak_.load(); now > peak && !peak_.compare_exchange_weak(peak, now);) {
    }
  }
  void leave() noexcept { current_.fetch_sub(1); }
  int peak() const noexcept { return peak_.load(); }

 private:
  std::atomic<int> current_{0};
  std::atomic<int> peak_{0};
};

// A range_task that counts how often each unit was done.
class record {
 public:
  explicit record(std::size_t units, std::chrono::microseconds work = {}) : done_(units), work_(work) {}

  static void task(const void* context, std::size_t begin, std::size_t end) noexcept {
    const_cast<record*>(static_cast<const record*>(context))->run(begin, end);
  }

  bool each_once() const {
    return std::all_of(done_.begin(), done_.end(), [](const std::atomic<int>& n) { return n.load() == 1; });
  }
  int ranges() const { return ranges_.load(); }
  std::size_t longest() const { return longest_.load(); }
  int peak() const { return gauge_.peak(); }

 private:
  void run(std::size_t begin, std::size_t end) noexcept {
    gauge_.enter();
    for (std::size_t i = begin; i < end; ++i) done_[i].fetch_add(1);
    if (work_.count() != 0) std::this_thread::sleep_for(work_);  // so that others would come in, if they could
    ranges_.fetch_add(1);
    for (std::size_t most = longest_.load();
         end - begin > most && !longest_.compare_exchange_weak(most, end - begin);) {
    }
    gauge_.leave();
  }

  std::vector<std::atomic<int>> done_;
  std::chrono::microseconds work_;
  std::atomic<int> ranges_{0};
  std::atomic<std::size_t> longest_{0};
  gauge gauge_;
};

using inner_task = void (*)(void*, std::int32_t);

inline void in_order(void*, std::int32_t count, inner_task task, void* context) {
  for (std::int32_t i = 0; i < count; ++i) task(context, i);
}
inline void in_reverse(void*, std::int32_t count, inner_task task, void* context) {
  for (std::int32_t i = count; i-- > 0;) task(context, i);
}
inline void on_threads(void*, std::int32_t count, inner_task task, void* context) {
  std::vector<std::thread> threads;
  for (std::int32_t i = 0; i < count; ++i) threads.emplace_back([=] { task(context, i); });
  for (std::thread& t : threads) t.join();
}
// From here on they break the rule that each task is run once.
inline void twice_on_threads(void*, std::int32_t count, inner_task task, void* context) {
  on_threads(nullptr, 2 * count, task, context);
}
inline void half_on_threads(void*, std::int32_t count, inner_task task, void* context) {
  on_threads(nullptr, count / 2, task, context);
}
inline void not_at_all(void*, std::int32_t, inner_task, void*) {}
inline void throws_after_one(void*, std::int32_t, inner_task task, void* context) {
  task(context, 0);
  throw std::runtime_error("no thread");
}

struct named_parallel_for {
  const char* name;
  topsplit::parallel_for_function function;
};
inline constexpr named_parallel_for parallel_fors[] = {
    {"in_order", in_order},
    {"in_reverse", in_reverse},
    {"on_threads", on_threads},
    {"twice_on_threads", twice_on_threads},
    {"half_on_threads", half_on_threads},
    {"not_at_all", not_at_all},
    {"throws_after_one", throws_after_one},
};

inline topsplit::execution with_callback(topsplit::parallel_for_function function, std::int32_t width) {
  topsplit::execution run;
  run.threads = topsplit::threading::callback;
  run.parallel_for = function;
  run.parallel_for_width = width;
  return run;
}

// Makes any call that has two units to share really parallel.
inline topsplit::execution finely_cut(topsplit::execution run) {
  run.grain_bytes = 1;
  run.parallel_from_bytes = 1;
  return run;
}

inline std::ptrdiff_t entries(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}
inline std::ptrdiff_t thread_count() { return entries("/proc/self/task"); }

// join returns before the system has put the thread away, and before an emulator has ended its own: for a moment more are
// counted than there are, never less. This is the least count of some time, which is over when it is down to `enough`.
inline std::ptrdiff_t settled_thread_count(std::ptrdiff_t enough = 0,
                                           std::chrono::milliseconds most = std::chrono::milliseconds(200)) {
  const auto end = std::chrono::steady_clock::now() + most;
  std::ptrdiff_t least = thread_count();
  while (least > enough && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    least = std::min(least, thread_count());
  }
  return least;
}

inline std::ptrdiff_t descriptor_count() { return entries("/proc/self/fd"); }

}  // namespace threads_helpers

#endif
