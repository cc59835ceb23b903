// The memory law on a tensor of 256 MB: what one call takes from the heap, and by how much it lets the process grow, for one
// thread and for eight. The bound is 64 KiB and 16 bytes for each of k elements a thread; the second call takes nothing.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "tests/allocation_counter.h"
#include "tests/inputs.h"
#include "tests/runs.h"
#include "topsplit/topk.h"

namespace {

// A "name: number kB" line of a file under /proc, in bytes; 0 where there is none.
std::size_t proc_bytes(const char* file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;) {
    if (std::size_t kilobytes = 0; word == name + ":" && lines >> kilobytes) {
      return kilobytes * 1024;
    }
  }
  return 0;
}

// Makes VmHWM, the peak of resident memory, begin anew.
bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

class peak : public testing::Test {
 protected:
  static constexpr std::int64_t rows = 32;
  static constexpr std::int64_t n = 2000000;
  static constexpr std::int64_t k = 100;

  void SetUp() override {
    if (proc_bytes("/proc/meminfo", "MemAvailable") < std::size_t{1} << 30) {
      GTEST_SKIP() << "memory_peak_test." << testing::UnitTest::GetInstance()->current_test_info()->name()
                   << ": needs 1 GiB of free memory";
    }
    x.resize(rows * n);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(inputs::splitmix(343, i) >> 40);
    }
    values.resize(rows * k);
    indices.resize(rows * k);
  }

  void call(const topsplit::execution& run) {
    topsplit::topk_options options;
    options.run = run;
    const topsplit::status done = topsplit::topk_rows(x.data(), rows, n, k, values.data(), indices.data(), options);
    ASSERT_TRUE(done.ok()) << done.text();
  }

  void check(const topsplit::execution& run, std::size_t threads) {
    const std::size_t bound = 64 * 1024 + threads * k * 16;
    const allocation_window first;
    call(run);
    EXPECT_LE(first.seen().bytes, bound) << describe(run);
    const allocation_window second;
    call(run);
    EXPECT_EQ(second.events(), 0U) << describe(run);
  }

  std::vector<float> x;
  std::vector<float> values;
  std::vector<std::int64_t> indices;
};

TEST_F(peak, heap_of_one_thread) {
  const allocation_window window;
  call(serial(topsplit::isa::automatic));
  EXPECT_EQ(window.events(), 0U);
  check(serial(topsplit::isa::automatic), 1);
}

TEST_F(peak, heap_of_eight_tasks) {
  check(on_caller(topsplit::isa::automatic, 8), 8);
  check(forced_parallel(topsplit::isa::automatic, 8), 8);
}

// The kernel counts pages in lots, so that single readings may be off: the least of several growths counts.
TEST_F(peak, resident_memory) {
  if (!reset_peak()) {
    GTEST_SKIP() << "memory_peak_test.resident_memory: this system does not let /proc/self/clear_refs be written";
  }
  for (const topsplit::execution& run : {serial(topsplit::isa::automatic), on_caller(topsplit::isa::automatic, 8),
                                         forced_parallel(topsplit::isa::automatic, 8)}) {
    std::size_t least = SIZE_MAX;
    call(run);
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(reset_peak());
      const std::size_t before = proc_bytes("/proc/self/status", "VmRSS");
      call(run);
      const std::size_t most = proc_bytes("/proc/self/status", "VmHWM");
      ASSERT_GT(before, x.size() * sizeof(float));
      least = std::min(least, most > before ? most - before : 0);
    }
    EXPECT_LE(least, 64U * 1024 + (run.threads == topsplit::threading::serial ? 1U : 8U) * k * 16) << describe(run);
  }
}

}  // namespace
