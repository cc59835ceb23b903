// A program that links neither topsplit nor oneTBB loads an object that does, calls it on threads and unloads it, again
// and again, and ends from main or from another thread. TOPSPLIT_PLUGIN is the object's path.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "tests/threads_helpers.h"

namespace {

using threads_helpers::descriptor_count;
using threads_helpers::thread_count;

void load_run_unload() {
  void* object = dlopen(TOPSPLIT_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(object, nullptr) << dlerror();
  const auto run = reinterpret_cast<int (*)(int)>(dlsym(object, "topsplit_plugin_run"));
  ASSERT_NE(run, nullptr) << dlerror();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run(4), 0);
  EXPECT_EQ(run(1), 0);
  EXPECT_EQ(dlclose(object), 0);
}

TEST(threads_unload, fifty_rounds) {
  load_run_unload();
  const std::ptrdiff_t descriptors = descriptor_count();
  // oneTBB starts threads when it first wants them: at most one for each CPU.
  const std::ptrdiff_t threads = thread_count() + static_cast<std::ptrdiff_t>(std::thread::hardware_concurrency());
  for (int round = 1; round < 50 && !HasFailure(); ++round) load_run_unload();
  EXPECT_LE(thread_count(), threads);
  EXPECT_EQ(descriptor_count(), descriptors);
}

// Runs the statement in a fresh process of this program, which must end by itself within a minute.
class threads_exit : public testing::Test {
 protected:
  threads_exit() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

void rounds(int count) {
  alarm(60);
  while (count-- > 0) load_run_unload();
}

TEST_F(threads_exit, from_main) { EXPECT_EXIT((rounds(5), std::exit(7)), testing::ExitedWithCode(7), ""); }

TEST_F(threads_exit, from_another_thread) {
  EXPECT_EXIT((rounds(5), std::thread([] { std::exit(7); }).join()), testing::ExitedWithCode(7), "");
}

TEST_F(threads_exit, from_another_thread_that_called) {
  EXPECT_EXIT(std::thread([] {
                rounds(5);
                std::exit(7);
              }).join(),
              testing::ExitedWithCode(7), "");
}

// The object is still loaded when the program ends.
TEST_F(threads_exit, without_unloading) {
  const auto run_and_exit = [] {
    alarm(60);
    void* object = dlopen(TOPSPLIT_PLUGIN, RTLD_NOW);
    const auto run = reinterpret_cast<int (*)(int)>(dlsym(object, "topsplit_plugin_run"));
    std::exit(run(4) == 0 ? 7 : 1);
  };
  EXPECT_EXIT(run_and_exit(), testing::ExitedWithCode(7), "");
}

}  // namespace
