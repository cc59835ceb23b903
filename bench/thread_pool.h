// A parallel-for on threads of its own: what a program with its own threads hands to the library as a callback, and what
// the limits and others' kernels are shared among threads by. Threads can be kept on one processor each.

#ifndef TOPSPLIT_BENCH_THREAD_POOL_H
#define TOPSPLIT_BENCH_THREAD_POOL_H

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace topsplit::bench {

// The processors that this process may run on.
std::vector<int> usable_processors();

class thread_pool {
 public:
  // width: how many run at once, the caller of run among them. Pinned: thread i stays on the i-th usable processor; the
  // caller, who is the first of them, stays where it is.
  thread_pool(int width, bool pinned);
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  int width() const { return width_; }

  // Runs work(i) once for each i in [0, count); returns when all have ended. One run at a time.
  void run(std::int32_t count, const std::function<void(std::int32_t)>& work);

 private:
  void serve();
  void take_all(const std::function<void(std::int32_t)>& work);

  const int width_;
  const bool pinned_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(std::int32_t)>* work_ = nullptr;
  std::int32_t next_ = 0, count_ = 0;
  int busy_ = 0;
  std::uint64_t round_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace topsplit::bench

#endif
