// Each value is an atomic of its own, so that a profile may be loaded while calls run: a plan made of old and new ones
// gives the same bytes. The file is read by system calls into a buffer on the stack, as a call must not allocate.

#include "topsplit/profile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "src/cache_size.h"
#include "src/message.h"
#include "src/profile_sizes.h"
#include "src/split_thresholds.h"
#include "src/topk_thresholds.h"
#include "topsplit/version.h"

namespace topsplit {
namespace {

using detail::error;
using detail::profile_size_count;

constexpr std::size_t most_bytes = 4096;
constexpr std::size_t greatest = std::size_t{1} << 62;

struct known_size {
  const char* name;
  const char* effect;
  std::size_t own;  // 0: it is asked of the machine
};
constexpr known_size known[profile_size_count] = {
    {"topk_grain_bytes", "TopK: least input of a task; the plan's own counts work, which is input and sorting",
     detail::default_grain},
    {"topk_parallel_from_bytes", "TopK: a call on less input is serial; the plan's own counts work, too",
     detail::default_parallel_from},
    {"split_grain_bytes", "Split: least input of a task", detail::split_default_grain},
    {"split_parallel_from_bytes", "Split: a call on less input is serial", detail::split_default_parallel_from},
    {"split_stream_from_bytes", "Split: outputs of so many bytes go past the caches", 0},
    {"topk_rows_longest", "TopK: up to so many elements a slice is sorted whole on the stack", detail::rows_longest},
    {"topk_rows_longer_per_k", "TopK: and up to so many more for each of k", detail::rows_longer_per_k},
    {"topk_reservoir_elements_per_k", "TopK: from so many elements for each of k on a slice is filtered",
     detail::reservoir_elements_per_k},
};

std::atomic<std::size_t> values[profile_size_count];
std::atomic<bool> is_loaded{false};
std::once_flag environment_is_read;

// Why TOPSPLIT_PROFILE was refused; ok where it was not. Made when first asked for, which may be before main.
status& refusal_of_environment() noexcept {
  static status refusal;
  return refusal;
}

constexpr ssize_t no_regular_file = -2;

// Reads at most `size` bytes of a file; -1 with errno. Neither opening nor reading waits: a pipe would stop the first call
// of a program until somebody writes to it.
ssize_t read_file(const char* path, char* text, std::size_t size) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return -1;
  struct stat info {};
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(file);
    return no_regular_file;
  }
  std::size_t length = 0;
  ssize_t got = 0;
  while (length < size && (got = read(file, text + length, size - length)) > 0) length += static_cast<std::size_t>(got);
  const int reason = errno;
  close(file);
  errno = reason;
  return got < 0 ? -1 : static_cast<ssize_t>(length);
}

// The processor as the kernel names it.
void processor_name(char* name, std::size_t size) noexcept {
  char text[2048];
  const ssize_t length = read_file("/proc/cpuinfo", text, sizeof text - 1);
  text[length < 0 ? 0 : length] = '\0';
  const char* found = std::strstr(text, "model name");
  found = found == nullptr ? nullptr : std::strstr(found, ": ");
  const char* from = found == nullptr ? "unknown" : found + 2;
  const std::size_t bytes = std::strcspn(from, "\n");
  std::size_t kept = bytes < size ? bytes : size - 1;
  while (kept > 0 && from[kept - 1] == ' ') --kept;
  std::memcpy(name, from, kept);
  name[kept] = '\0';
}

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

// Cuts blanks off both ends, in place.
char* trim(char* text) noexcept {
  while (is_blank(*text)) ++text;
  std::size_t length = std::strlen(text);
  while (length > 0 && is_blank(text[length - 1])) text[--length] = '\0';
  return text;
}

bool read_number(const char* text, std::size_t& number) noexcept {
  number = 0;
  for (const char* c = text; *c != '\0'; ++c) {
    if (*c < '0' || *c > '9' || number > greatest / 10) return false;
    number = number * 10 + static_cast<std::size_t>(*c - '0');
  }
  return number > 0 && number <= greatest;
}

struct profile {
  std::size_t sizes[profile_size_count] = {};
  bool has_format = false, has_version = false, has_cpu = false;
};

status refuse(const char* path, const char* what, const char* text) noexcept {
  return error(status_code::invalid_argument, "profile %.80s: %s \"%.60s\"", path, what, text);
}

status refuse(const char* path, const char* what) noexcept {
  return error(status_code::invalid_argument, "profile %.80s: %s", path, what);
}

// The major and the minor version count.
bool is_our_version(const char* text) noexcept {
  char* end = nullptr;
  const long major = std::strtol(text, &end, 10);
  if (*end != '.' || major != TOPSPLIT_VERSION_MAJOR) return false;
  return std::strtol(end + 1, &end, 10) == TOPSPLIT_VERSION_MINOR && (*end == '.' || *end == '\0');
}

status take_entry(const char* path, const char* name, const char* value, profile& read) noexcept {
  if (std::strcmp(name, "format") == 0) {
    read.has_format = std::strcmp(value, "1") == 0;
    return read.has_format ? status() : refuse(path, "another format:", value);
  }
  if (std::strcmp(name, "version") == 0) {
    read.has_version = is_our_version(value);
    return read.has_version ? status() : refuse(path, "tuned for another version:", value);
  }
  if (std::strcmp(name, "cpu") == 0) {
    char cpu[128];
    processor_name(cpu, sizeof cpu);
    read.has_cpu = std::strcmp(value, cpu) == 0;
    return read.has_cpu ? status() : refuse(path, "tuned for another processor:", value);
  }
  for (std::size_t i = 0; i < profile_size_count; ++i) {
    if (std::strcmp(name, known[i].name) != 0) continue;
    return read_number(value, read.sizes[i]) ? status() : refuse(path, "no size from 1 to 2^62:", value);
  }
  return refuse(path, "unknown name:", name);
}

status read_profile(const char* path, profile& read) noexcept {
  char text[most_bytes + 1];
  const ssize_t length = read_file(path, text, sizeof text);
  if (length == no_regular_file) return refuse(path, "not a regular file");
  if (length < 0) return refuse(path, "cannot be read:", std::strerror(errno));
  if (static_cast<std::size_t>(length) > most_bytes) return refuse(path, "more than 4096 bytes");
  text[length] = '\0';
  if (std::strlen(text) != static_cast<std::size_t>(length)) return refuse(path, "not a text");
  char* rest = text;
  while (char* line = strsep(&rest, "\n")) {
    line[std::strcspn(line, "#")] = '\0';
    line = trim(line);
    if (*line == '\0') continue;
    char* value = std::strchr(line, '=');
    if (value == nullptr) return refuse(path, "no name = value:", line);
    *value = '\0';
    if (status s = take_entry(path, trim(line), trim(value + 1), read); !s.ok()) return s;
  }
  if (!read.has_format || !read.has_version || !read.has_cpu) {
    return refuse(path, "format, version and cpu are not all there");
  }
  return {};
}

void put_in_force(const profile& read, bool loaded) noexcept {
  for (std::size_t i = 0; i < profile_size_count; ++i) values[i].store(read.sizes[i], std::memory_order_relaxed);
  is_loaded.store(loaded, std::memory_order_relaxed);
}

void read_environment() noexcept {
  const char* path = std::getenv("TOPSPLIT_PROFILE");
  if (path == nullptr || *path == '\0') return;
  profile read;
  refusal_of_environment() = read_profile(path, read);
  if (refusal_of_environment().ok()) put_in_force(read, true);
}

void settle_environment() noexcept { std::call_once(environment_is_read, read_environment); }

}  // namespace

namespace detail {

std::size_t profiled(profile_size which) noexcept {
  settle_environment();
  return values[static_cast<std::size_t>(which)].load(std::memory_order_relaxed);
}

}  // namespace detail

status load_profile(const char* path) noexcept {
  settle_environment();
  profile read;
  if (path != nullptr) {
    if (status s = read_profile(path, read); !s.ok()) return s;
  }
  put_in_force(read, path != nullptr);
  return {};
}

status profile_in_force(bool& loaded) noexcept {
  settle_environment();
  loaded = is_loaded.load(std::memory_order_relaxed);
  return loaded ? status() : refusal_of_environment();
}

std::size_t threshold_count() noexcept { return profile_size_count; }

threshold threshold_at(std::size_t index) noexcept {
  if (index >= profile_size_count) return {"unknown", "", 0, 0};
  const known_size& size = known[index];
  const std::size_t own = size.own != 0 ? size.own : detail::kept_bytes();
  return {size.name, size.effect, own, detail::profiled(static_cast<detail::profile_size>(index))};
}

}  // namespace topsplit
