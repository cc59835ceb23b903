// The CPU quota of control groups: from files that the tests write, in the layouts of real systems and in hostile ones,
// and from a real group where this process may make one.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "src/cpu_quota.h"
#include "src/parallel.h"

namespace {

namespace fs = std::filesystem;
using topsplit::detail::no_cpu_quota;
using topsplit::detail::read_cpu_quota;

const char* const v2_mount = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const char* const v1_mount = "33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n";
const char* const other_mounts =
    "23 28 0:21 / /proc rw,relatime - proc proc rw\n"
    "34 25 0:30 / /sys/fs/cgroup/cpuset rw shared:10 - cgroup cgroup rw,cpuset\n";

class cpu_quota_files : public testing::Test {
 protected:
  cpu_quota_files() {
    std::string pattern = (fs::temp_directory_path() / "topsplit-quota-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~cpu_quota_files() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& content) {
    const fs::path whole = root_.string() + path;
    fs::create_directories(whole.parent_path());
    std::ofstream(whole, std::ios::binary) << content;
  }
  void v2(const std::string& group) {
    write("/proc/self/cgroup", "0::" + group + "\n");
    write("/proc/self/mountinfo", other_mounts + std::string(v2_mount));
  }
  void v1(const std::string& group) {
    write("/proc/self/cgroup", "5:cpuset:/other\n4:cpu,cpuacct:" + group + "\n1:name=systemd:/\n0::/\n");
    write("/proc/self/mountinfo", other_mounts + std::string(v1_mount));
  }
  void v1_quota(const std::string& group, const std::string& quota, const std::string& period) {
    write("/sys/fs/cgroup/cpu,cpuacct" + group + "/cpu.cfs_quota_us", quota);
    write("/sys/fs/cgroup/cpu,cpuacct" + group + "/cpu.cfs_period_us", period);
  }
  void max(const std::string& group, const std::string& content) {
    write("/sys/fs/cgroup" + group + "/cpu.max", content);
  }
  int quota() const { return read_cpu_quota(root_.c_str()); }

  fs::path root_;
};

TEST_F(cpu_quota_files, none_where_there_are_no_files) { EXPECT_EQ(quota(), no_cpu_quota); }

TEST_F(cpu_quota_files, v2_rounds_down_and_is_at_least_one) {
  v2("/work");
  const struct {
    const char* content;
    int cpus;
  } rows[] = {{"200000 100000\n", 2}, {"250000 100000\n", 2}, {"299999 100000\n", 2},    {"100000 100000\n", 1},
              {"50000 100000\n", 1},  {"1000 100000\n", 1},   {"max 100000\n", INT_MAX}, {"10000 5000\n", 2},
              {"6400000 100000", 64}, {"400000 200000", 2},   {"1000000 1000000\n", 1}};
  for (const auto& row : rows) {
    max("/work", row.content);
    EXPECT_EQ(quota(), row.cpus) << row.content;
  }
}

TEST_F(cpu_quota_files, v2_takes_the_least_of_the_ancestors) {
  v2("/a/b/c");
  max("/a/b/c", "max 100000\n");
  EXPECT_EQ(quota(), no_cpu_quota);
  max("/a", "300000 100000\n");
  EXPECT_EQ(quota(), 3);
  max("/a/b", "500000 100000\n");
  EXPECT_EQ(quota(), 3);
  max("/a/b/c", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
  max("", "100000 100000\n");  // the mount's own root, as a container with a namespace sees it
  EXPECT_EQ(quota(), 1);
}

TEST_F(cpu_quota_files, v2_inside_a_container_with_its_own_namespace) {
  v2("/");
  max("", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(cpu_quota_files, v1) {
  v1("/docker/box");
  EXPECT_EQ(quota(), no_cpu_quota);
  v1_quota("/docker/box", "-1\n", "100000\n");
  EXPECT_EQ(quota(), no_cpu_quota);
  v1_quota("/docker/box", "350000\n", "100000\n");
  EXPECT_EQ(quota(), 3);
  v1_quota("/docker", "200000\n", "100000\n");
  EXPECT_EQ(quota(), 2);
  v1_quota("", "-1", "100000");
  EXPECT_EQ(quota(), 2);
}

// Without a cgroup namespace a container is told its host's path, and its mount shows that group as the root.
TEST_F(cpu_quota_files, v1_mounted_at_the_group_itself) {
  v1("/docker/box/inner");
  write("/proc/self/mountinfo",
        "33 25 0:29 /docker/box /sys/fs/cgroup/cpu,cpuacct ro shared:9 - cgroup cgroup rw,cpu,cpuacct\n");
  v1_quota("", "400000\n", "100000\n");
  EXPECT_EQ(quota(), 4);
  v1_quota("/inner", "200000\n", "100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(cpu_quota_files, group_that_the_mount_does_not_show) {
  v2("/../neighbour");
  max("", "300000 100000\n");
  write("/sys/fs/neighbour/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(), 3);
  v2("/dockers/box");
  write("/proc/self/mountinfo", "30 23 0:26 /docker /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  max("s/box", "100000 100000\n");
  EXPECT_EQ(quota(), 3);
}

TEST_F(cpu_quota_files, both_versions_mounted) {
  v1("/a");
  write("/proc/self/mountinfo", v1_mount + std::string("42 25 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"));
  write("/sys/fs/cgroup/unified/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3);
  v1_quota("/a", "200000\n", "100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(cpu_quota_files, mount_point_with_a_blank) {
  v2("/a");
  write("/proc/self/mountinfo", "30 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
  write("/my groups/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(cpu_quota_files, hostile_numbers_are_no_limit_or_a_safe_one) {
  v2("/a");
  const std::string digits(900, '9');
  const struct {
    std::string content;
    int cpus;
  } rows[] = {
      {"", INT_MAX},
      {"\n", INT_MAX},
      {"max", INT_MAX},
      {"200000", INT_MAX},
      {"200000 \n", INT_MAX},
      {"200000 0\n", INT_MAX},
      {"0 100000\n", INT_MAX},
      {"-1 100000\n", INT_MAX},
      {"200000 -100000\n", INT_MAX},
      {"2e5 100000\n", INT_MAX},
      {"0x10 1\n", INT_MAX},
      {std::string("2\0000000 1", 9), INT_MAX},
      {digits + " 1\n", INT_MAX},
      {digits + " " + digits + "\n", 1},
      {"1 " + digits, 1},
      {"9223372036854775807 1\n", INT_MAX},
      {"18446744073709551617 1000000\n", INT_MAX},
      {std::string(5000, '1') + " 1\n", INT_MAX},
  };
  for (const auto& row : rows) {
    max("/a", row.content);
    EXPECT_EQ(quota(), row.cpus) << row.content.substr(0, 60);
  }
}

TEST_F(cpu_quota_files, hostile_lists) {
  max("", "200000 100000\n");
  const std::string long_name(3000, 'x');
  const std::string noise[] = {"",
                               "\n\n",
                               ":",
                               "::",
                               "0:",
                               "0::",
                               "0::relative",
                               "0::/" + long_name,
                               "x:cpu\n" + long_name + ":" + long_name,
                               std::string(100000, '/')};
  for (const std::string& groups : noise) {
    for (const std::string& mounts : noise) {
      write("/proc/self/cgroup", groups);
      write("/proc/self/mountinfo", mounts);
      EXPECT_EQ(quota(), no_cpu_quota);
    }
    write("/proc/self/mountinfo", v2_mount);
    const int cpus = quota();
    EXPECT_TRUE(cpus == 2 || cpus == no_cpu_quota);
  }
  v2("/");
  write("/proc/self/mountinfo", "1 2 3:4 / / rw," + long_name + " - overlay overlay rw\n" + v2_mount);
  EXPECT_EQ(quota(), 2) << "a line that is too long must not swallow the next";
  write("/proc/self/mountinfo", "- - - - - - cgroup2\n\\0 \\777 \\\\ cgroup2 -\n / / / / / - cgroup2 - \n");
  EXPECT_EQ(quota(), no_cpu_quota);
}

TEST_F(cpu_quota_files, a_very_deep_group) {
  std::string group;
  for (int i = 0; i < 400; ++i) group += "/d";
  v2(group);
  max("/d/d", "300000 100000\n");
  EXPECT_EQ(quota(), 3);
}

// ---- a real group

// A new group below this process's own one that has the cpu controller: its folder, or why there is none.
struct real_group {
  fs::path folder;
  bool unified = false;
  std::string why;
};

real_group make_real_group() {
  real_group result;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line.substr(line.find(" - ") + 3));
    std::string type, source, options, id, parent, device, root, point;
    words >> type >> source >> options;
    std::istringstream(line) >> id >> parent >> device >> root >> point;
    const bool unified = type == "cgroup2";
    if (!unified && (type != "cgroup" || ("," + options + ",").find(",cpu,") == std::string::npos)) continue;
    const fs::path folder = fs::path(point) / ("topsplit-test-" + std::to_string(getpid()));
    std::error_code failed;
    fs::create_directory(folder, failed);
    if (failed) {
      result.why += point + ": " + failed.message() + "; ";
    } else if (!fs::exists(folder / (unified ? "cpu.max" : "cpu.cfs_quota_us"))) {
      fs::remove(folder, failed);
      result.why += point + ": no cpu controller in a new group; ";
    } else {
      return {folder, unified, ""};
    }
  }
  return result;
}

// In a child that has moved itself to the group: 16 * the quota read + the width of a default call, or 255.
int quota_and_width_in(const fs::path& folder) {
  const pid_t child = fork();
  if (child == 0) {
    std::ofstream procs(folder / "cgroup.procs");
    procs << getpid() << std::flush;
    if (!procs) _exit(255);
    _exit(16 * std::min(read_cpu_quota(""), 15) + std::min(topsplit::detail::parallel_width({}), 14));
  }
  int state = 0;
  waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : 255;
}

void set_quota(const real_group& group, const char* microseconds) {
  std::ofstream(group.folder / (group.unified ? "cpu.max" : "cpu.cfs_quota_us")) << microseconds;
}

TEST(cpu_quota, real_group) {
  const real_group group = make_real_group();
  if (!group.why.empty() || group.folder.empty()) {
    GTEST_SKIP() << "cpu_quota.real_group: no real cgroup can be made here, only the mocked files were read: "
                 << (group.why.empty() ? "none is mounted" : group.why);
  }
  SCOPED_TRACE(group.folder);
  set_quota(group, "250000");
  const int wide = quota_and_width_in(group.folder);
  set_quota(group, "150000");
  const int narrow = quota_and_width_in(group.folder);
  fs::remove(group.folder);
  ASSERT_NE(wide, 255);
  ASSERT_NE(narrow, 255);
  EXPECT_EQ(wide / 16, 2);
  EXPECT_LE(wide % 16, 2);
  EXPECT_EQ(narrow / 16, 1);
  EXPECT_EQ(narrow % 16, 1);
}

}  // namespace
