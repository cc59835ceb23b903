// Reads the CPU quota of control groups, v1 and v2.
//
// /proc/self/cgroup says which group the process is in, one line a hierarchy ("4:cpu,cpuacct:/a/b", or "0::/a/b" for
// v2); /proc/self/mountinfo says where the hierarchies are mounted and which group is each mount's root. The quota is
// looked up in the group and in every one above it as far as the mount shows them, since each of them binds. All of it
// is text from outside: what is not understood is no limit, and no length or number in it is trusted.

#include "src/cpu_quota.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace topsplit::detail {
namespace {

using text = std::string_view;

// A path, or a line. One that does not fit is empty and stays so: its group counts as having no quota.
class short_string {
 public:
  short_string& operator+=(text more) noexcept {
    if (too_long_ || more.size() >= sizeof chars_ - size_) {
      clear();
      too_long_ = true;
      return *this;
    }
    size_ += more.copy(chars_ + size_, more.size());
    return *this;
  }
  void clear() noexcept { size_ = 0, too_long_ = false; }
  void shorten(std::size_t size) noexcept { size_ = size; }
  text view() const noexcept { return {chars_, size_}; }
  const char* c_str() noexcept {
    chars_[size_] = '\0';
    return chars_;
  }

 private:
  char chars_[2048];
  std::size_t size_ = 0;
  bool too_long_ = false;
};

class file {
 public:
  explicit file(const char* path) noexcept : descriptor_(open(path, O_RDONLY | O_CLOEXEC)) {}
  ~file() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  // The next line without its end; false when there is none. A line that is too long comes out empty.
  bool next_line(short_string& line) noexcept {
    line.clear();
    for (bool any = false;; any = true) {
      if (begin_ == end_ && !fill()) return any;
      const text rest(buffer_ + begin_, end_ - begin_);
      const std::size_t length = rest.find('\n');
      line += rest.substr(0, length);
      begin_ = length == text::npos ? end_ : begin_ + length + 1;
      if (length != text::npos) return true;
    }
  }

 private:
  bool fill() noexcept {
    const ssize_t got = descriptor_ < 0 ? 0 : read(descriptor_, buffer_, sizeof buffer_);
    begin_ = 0;
    end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return end_ != 0;
  }

  int descriptor_;
  char buffer_[1024];
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// Takes the text up to the separator off the front of rest.
text cut(text& rest, char separator) noexcept {
  const std::size_t length = rest.find(separator);
  const text head = rest.substr(0, length);
  rest = length == text::npos ? text() : rest.substr(length + 1);
  return head;
}

bool lists(text words, text word) noexcept {
  while (!words.empty()) {
    if (cut(words, ',') == word) return true;
  }
  return false;
}

// A positive number; 0 for all else: "max", "-1", a word. Stops at the largest, so that no digits overflow it.
std::int64_t positive(text digits) noexcept {
  std::int64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return 0;
    value = value > (INT64_MAX - 9) / 10 ? INT64_MAX : value * 10 + (c - '0');
  }
  return value;
}

int whole_cpus(std::int64_t quota, std::int64_t period) noexcept {
  if (quota <= 0 || period <= 0) return no_cpu_quota;
  return static_cast<int>(std::clamp<std::int64_t>(quota / period, 1, no_cpu_quota));
}

// Where the process is: the paths of its groups, empty where it is in none.
struct membership {
  short_string unified;     // v2
  short_string controller;  // v1, the hierarchy that has the cpu controller
};

void read_membership(const char* path, membership& groups) noexcept {
  file lines(path);
  for (short_string line; lines.next_line(line);) {
    text rest = line.view();
    const text id = cut(rest, ':');
    const text controllers = cut(rest, ':');
    short_string* group = lists(controllers, "cpu") ? &groups.controller : nullptr;
    if (id == "0" && controllers.empty()) group = &groups.unified;
    if (group == nullptr) continue;
    group->clear();
    *group += rest;
  }
}

struct mount {
  text root;   // the group that the mount shows at its point
  text point;  // with the kernel's escapes: "\040" is a blank
  bool unified = false;
  bool has_cpu = false;  // v1
};

// "36 35 98:0 /root /point rw,noatime [tags] - type source options"
mount parse_mount(text line) noexcept {
  mount result;
  for (int i = 0; i < 3; ++i) cut(line, ' ');
  result.root = cut(line, ' ');
  result.point = cut(line, ' ');
  while (!line.empty() && cut(line, ' ') != "-") {
  }
  const text type = cut(line, ' ');
  cut(line, ' ');
  result.unified = type == "cgroup2";
  result.has_cpu = type == "cgroup" && lists(line, "cpu");
  return result;
}

void append_unescaped(short_string& path, text escaped) noexcept {
  const auto octal = [&](std::size_t i) { return i < escaped.size() && escaped[i] >= '0' && escaped[i] <= '7'; };
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    char c = escaped[i];
    if (c == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      const int code = (escaped[i + 1] - '0') * 64 + (escaped[i + 2] - '0') * 8 + (escaped[i + 3] - '0');
      c = static_cast<char>(code);
      i += 3;
    }
    path += text(&c, 1);
  }
}

// The group's path below the mount. A group that the mount does not show (a container without a cgroup namespace may
// be told paths of its host) leaves the mount's own root, which is then the nearest one that can be read.
text below(text root, text group) noexcept {
  if (root == "/") root = text();
  const bool inside =
      group.substr(0, root.size()) == root && (group.size() == root.size() || group[root.size()] == '/');
  const text rest = inside ? group.substr(root.size()) : text();
  return rest == "/" || rest.find("/..") != text::npos ? text() : rest;
}

// The positive number that opens the folder's file; what follows it on the line goes to rest, which points into line.
std::int64_t read_number(short_string& folder, text name, short_string& line, text* rest = nullptr) noexcept {
  const std::size_t size = folder.view().size();
  folder += name;
  if (folder.view().empty()) return 0;
  file lines(folder.c_str());
  folder.shorten(size);
  if (!lines.next_line(line)) return 0;
  text words = line.view();
  const text first = cut(words, ' ');
  if (rest != nullptr) *rest = words;
  return positive(first);
}

int folder_quota(short_string& folder, bool unified) noexcept {
  short_string line;
  if (unified) {
    text period;
    const std::int64_t quota = read_number(folder, "/cpu.max", line, &period);
    return whole_cpus(quota, positive(period));
  }
  const std::int64_t quota = read_number(folder, "/cpu.cfs_quota_us", line);
  return whole_cpus(quota, read_number(folder, "/cpu.cfs_period_us", line));
}

int mount_quota(const char* root, const mount& where, text group) noexcept {
  short_string folder;
  folder += root;
  append_unescaped(folder, where.point);
  const std::size_t top = folder.view().size();
  folder += below(where.root, group);
  int quota = no_cpu_quota;
  while (!folder.view().empty()) {
    quota = std::min(quota, folder_quota(folder, where.unified));
    if (folder.view().size() <= top) break;
    folder.shorten(std::max(top, folder.view().rfind('/')));
  }
  return quota;
}

}  // namespace

int read_cpu_quota(const char* root) noexcept {
  membership groups;
  short_string path;
  path += root;
  path += "/proc/self/cgroup";
  read_membership(path.c_str(), groups);

  path.clear();
  path += root;
  path += "/proc/self/mountinfo";
  file mounts(path.c_str());
  int quota = no_cpu_quota;
  for (short_string line; mounts.next_line(line);) {
    const mount where = parse_mount(line.view());
    const text group = (where.unified ? groups.unified : groups.controller).view();
    if ((where.unified || where.has_cpu) && !group.empty()) quota = std::min(quota, mount_quota(root, where, group));
  }
  return quota;
}

// No lock: threads that come first together read the same. A function-local static's lock would stay shut for ever in a
// child forked in that moment.
int cpu_quota() noexcept {
  static std::atomic<int> known{0};
  int quota = known.load(std::memory_order_relaxed);
  if (quota == 0) {
    quota = read_cpu_quota("");
    known.store(quota, std::memory_order_relaxed);
  }
  return quota;
}

}  // namespace topsplit::detail
