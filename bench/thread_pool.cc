#include "bench/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <cstddef>

namespace topsplit::bench {
namespace {

void stay_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

}  // namespace

std::vector<int> usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<unsigned>(i), &set)) processors.push_back(i);
  }
  return processors;
}

thread_pool::thread_pool(int width, bool pinned) : width_(width), pinned_(pinned) {
  const std::vector<int> processors = usable_processors();
  for (int place = 1; place < width; ++place) {
    const int processor = processors[static_cast<std::size_t>(place) % processors.size()];
    threads_.emplace_back([this, processor] {
      if (pinned_) stay_on(processor);
      serve();
    });
  }
}

thread_pool::~thread_pool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void thread_pool::take_all(const std::function<void(std::int32_t)>& work) {
  for (;;) {
    std::int32_t mine;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (next_ == count_) return;
      mine = next_++;
    }
    work(mine);
  }
}

void thread_pool::serve() {
  std::uint64_t seen = 0;
  for (;;) {
    const std::function<void(std::int32_t)>* work;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      begin_.wait(lock, [&] { return ending_ || round_ != seen; });
      if (ending_) return;
      seen = round_;
      work = work_;
    }
    take_all(*work);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

void thread_pool::run(std::int32_t count, const std::function<void(std::int32_t)>& work) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_ = &work;
    next_ = 0;
    count_ = count;
    busy_ = width_ - 1;
    ++round_;
  }
  begin_.notify_all();
  take_all(work);
  {
    std::unique_lock<std::mutex> lock(mutex_);
    end_.wait(lock, [&] { return busy_ == 0; });
  }
}

}  // namespace topsplit::bench
