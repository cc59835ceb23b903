// Profiles: what is refused and why, that a refused one changes nothing, and what a loaded one does to plans. Results
// under extreme profiles are the other suites' (run_with_profile.cmake).

#include "topsplit/profile.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "src/cache_size.h"
#include "src/profile_sizes.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::detail::profile_size;
using topsplit::detail::profiled;

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    std::string name = line.substr(line.find(": ") + 2);
    name.erase(name.find_last_not_of(' ') + 1);
    return name;
  }
  return "unknown";
}

std::string head() {
  return std::string("format = 1\nversion = ") + topsplit::version() + "\ncpu = " + processor() + "\n";
}

class profile : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_TRUE(topsplit::load_profile(nullptr).ok());
    std::filesystem::remove(path_);
  }

  topsplit::status load(const std::string& text) {
    std::ofstream(path_) << text;
    return topsplit::load_profile(path_.c_str());
  }

  void refused(const std::string& text, const std::string& reason) {
    SCOPED_TRACE(text.substr(0, 200));
    const topsplit::status s = load(text);
    EXPECT_EQ(s.code(), topsplit::status_code::invalid_argument);
    EXPECT_NE(std::string(s.text()).find(reason), std::string::npos) << s.text();
    EXPECT_EQ(std::string(s.text()).find("\"\""), std::string::npos) << s.text();
    EXPECT_EQ(profiled(profile_size::topk_grain_bytes), 12345U);
  }

  const std::string path_ = testing::TempDir() + "topsplit-profile-" + std::to_string(::getpid());
};

TEST_F(profile, bad_old_and_foreign_ones_are_refused_and_change_nothing) {
  ASSERT_TRUE(load(head() + "topk_grain_bytes = 12345\n").ok());
  refused("", "format, version and cpu are not all there");
  refused(head() + "topk_grain_bytes = 0\n", "no size from 1 to 2^62: \"0\"");
  refused(head() + "topk_grain_bytes = -1\n", "no size from 1 to 2^62");
  refused(head() + "topk_grain_bytes = 1e6\n", "no size from 1 to 2^62");
  refused(head() + "topk_grain_bytes = 4611686018427387905\n", "no size from 1 to 2^62");
  refused(head() + "topk_grain_bytes = 99999999999999999999999\n", "no size from 1 to 2^62");
  refused(head() + "grain = 5\n", "unknown name: \"grain\"");
  refused(head() + "grain\n", "no name = value: \"grain\"");
  refused("format = 2\n", "another format: \"2\"");
  refused("format = 1\nversion = 0.0.9\n", "tuned for another version: \"0.0.9\"");
  refused("format = 1\nversion = banana\n", "tuned for another version");
  refused("format = 1\ncpu = Abacus 3000\n", "tuned for another processor: \"Abacus 3000\"");
  refused(head() + std::string(5000, '#'), "more than 4096 bytes");
  refused(head() + std::string("a\0b", 3), "not a text");
  EXPECT_FALSE(topsplit::load_profile("/nowhere/at/all").ok());
  EXPECT_FALSE(topsplit::load_profile("/").ok());
}

// Nobody writes to the pipe: a read that waits is ended by the signal.
TEST_F(profile, what_is_no_regular_file_is_refused_at_once) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  alarm(20);
  for (const char* path : {path_.c_str(), "/dev/zero", "/"}) {
    const topsplit::status s = topsplit::load_profile(path);
    EXPECT_EQ(s.text(), std::string("profile ") + path + ": not a regular file");
  }
  alarm(0);
}

TEST_F(profile, a_loaded_one_is_read_as_written_and_can_be_left) {
  ASSERT_TRUE(load("# remark\n\n" + head() + "  topk_grain_bytes=77 # why\r\nsplit_stream_from_bytes = 88").ok());
  EXPECT_EQ(profiled(profile_size::topk_grain_bytes), 77U);
  EXPECT_EQ(profiled(profile_size::split_stream_from_bytes), 88U);
  EXPECT_EQ(profiled(profile_size::topk_rows_longest), 0U);
  bool loaded = false;
  EXPECT_TRUE(topsplit::profile_in_force(loaded).ok());
  EXPECT_TRUE(loaded);
  EXPECT_TRUE(topsplit::load_profile(nullptr).ok());
  EXPECT_TRUE(topsplit::profile_in_force(loaded).ok());
  EXPECT_FALSE(loaded);
  EXPECT_EQ(profiled(profile_size::topk_grain_bytes), 0U);
}

std::string algorithm_of(std::int64_t n, std::int64_t k) {
  const std::int64_t shape[] = {1, n};
  topsplit::explanation plan{};
  EXPECT_TRUE(topsplit::explain_topk({nullptr, topsplit::data_type::f32, shape, 2}, k, {}, plan).ok());
  return plan.algorithm;
}

TEST_F(profile, thresholds_move_the_plan) {
  const std::string before = algorithm_of(1024, 4);
  EXPECT_EQ(before, "reservoir");
  ASSERT_TRUE(load(head() + "topk_rows_longest = 2048\n").ok());
  EXPECT_EQ(algorithm_of(1024, 4), "rows");
  ASSERT_TRUE(load(head() + "topk_reservoir_elements_per_k = 1000000\n").ok());
  EXPECT_NE(algorithm_of(100000, 100), "reservoir");
}

void one_by_one(void*, std::int32_t count, void (*task)(void*, std::int32_t), void* context) {
  for (std::int32_t i = 0; i < count; ++i) task(context, i);
}

std::int64_t split_tasks(std::int64_t bytes) {
  const std::int64_t sizes[] = {bytes / 2, bytes - bytes / 2};
  topsplit::split_options options = {0, {}};
  options.run.threads = topsplit::threading::callback;
  options.run.parallel_for = one_by_one;
  options.run.parallel_for_width = 64;
  topsplit::explanation plan{};
  EXPECT_TRUE(topsplit::explain_split({nullptr, topsplit::data_type::u8, &bytes, 1}, sizes, 2, options, plan).ok());
  return plan.tasks;
}

TEST_F(profile, a_call_goes_before_the_profile) {
  const std::int64_t shape[] = {4096, 4096}, sizes[] = {2048, 2048};
  topsplit::split_options options;
  topsplit::explanation plan{};
  ASSERT_TRUE(load(head() + "split_parallel_from_bytes = 4611686018427387904\n").ok());
  const topsplit::const_tensor input = {nullptr, topsplit::data_type::u8, shape, 2};
  ASSERT_TRUE(topsplit::explain_split(input, sizes, 2, {1, options.run}, plan).ok());
  EXPECT_EQ(plan.tasks, 1);
  options.run.parallel_from_bytes = 1;
  options.run.threads = topsplit::threading::callback;
  options.run.parallel_for = one_by_one;
  options.run.parallel_for_width = 4;
  ASSERT_TRUE(topsplit::explain_split(input, sizes, 2, {1, options.run}, plan).ok());
  EXPECT_GT(plan.tasks, 1);
}

// The plan goes by what is told of it, and a profile's value takes its place.
TEST_F(profile, thresholds_are_told_with_the_plans_own_values) {
  std::map<std::string, topsplit::threshold> told;
  ASSERT_TRUE(load(head() + "topk_rows_longest = 100\n").ok());
  for (std::size_t i = 0; i < topsplit::threshold_count(); ++i) {
    told[topsplit::threshold_at(i).name] = topsplit::threshold_at(i);
    EXPECT_GT(topsplit::threshold_at(i).own, 0U) << i;
    EXPECT_STRNE(topsplit::threshold_at(i).effect, "") << i;
  }
  EXPECT_EQ(told.size(), topsplit::detail::profile_size_count);
  EXPECT_EQ(told.at("topk_rows_longest").profiled, 100U);
  EXPECT_EQ(told.at("topk_grain_bytes").profiled, 0U);
  EXPECT_EQ(told.at("split_stream_from_bytes").own, topsplit::detail::kept_bytes());
  EXPECT_STREQ(topsplit::threshold_at(topsplit::threshold_count()).name, "unknown");

  ASSERT_TRUE(topsplit::load_profile(nullptr).ok());
  const auto own = [&](const char* name) { return static_cast<std::int64_t>(told.at(name).own); };
  const std::int64_t longest = own("topk_rows_longest") + 4 * own("topk_rows_longer_per_k");
  EXPECT_EQ(algorithm_of(longest, 4), "rows");
  EXPECT_EQ(algorithm_of(longest + 1, 4), "reservoir");
  EXPECT_EQ(algorithm_of(1000 * own("topk_reservoir_elements_per_k"), 1000), "reservoir");
  EXPECT_EQ(algorithm_of(1000 * own("topk_reservoir_elements_per_k") - 1, 1000), "select");
  const std::int64_t from = own("split_parallel_from_bytes");
  EXPECT_EQ(split_tasks(from - 1), 1);
  EXPECT_EQ(split_tasks(from), std::min<std::int64_t>(64, from / own("split_grain_bytes")));
}

// run_with_profile.cmake names the file, and the value of every size in it.
TEST_F(profile, whole_ones_can_be_written) {
  const char *path = std::getenv("TOPSPLIT_WRITE_PROFILE"), *value = std::getenv("TOPSPLIT_WRITE_VALUE");
  std::string text = head();
  for (std::size_t i = 0; i < topsplit::threshold_count(); ++i)
    text += std::string(topsplit::threshold_at(i).name) + " = " + (value != nullptr ? value : "1") + "\n";
  std::ofstream(path != nullptr ? path : path_.c_str()) << text;
  EXPECT_TRUE(topsplit::load_profile(path != nullptr ? path : path_.c_str()).ok());
}

TEST(profile_of_the_environment, is_in_force_where_there_is_one) {
  const char* path = std::getenv("TOPSPLIT_PROFILE");
  bool loaded = false;
  const topsplit::status s = topsplit::profile_in_force(loaded);
  EXPECT_TRUE(s.ok()) << s.text();
  EXPECT_EQ(loaded, path != nullptr && path[0] != '\0');
}

}  // namespace
