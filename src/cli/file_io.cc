// POSIX calls rather than streams, because errors must be told by errno and a file's kind and size must be known.

#include "src/cli/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "src/cli/failure.h"

namespace topsplit::cli {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) { throw failure(path + ": " + what); }

[[noreturn]] void fail_with_errno(const std::string& path) { fail(path, std::generic_category().message(errno)); }

struct owned_descriptor {
  int value;
  ~owned_descriptor() {
    if (value >= 0) ::close(value);
  }
};

bool write_all(int descriptor, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = ::write(descriptor, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    data.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The file that a path stands for, absolute and with links followed, so that two spellings of one file are equal. A link
// to what is not there yet is followed by hand: weakly_canonical stops at it.
std::string find_target(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path target = fs::absolute(path, error);
  for (int links = 0; links < 40; ++links) {
    const fs::path resolved = fs::weakly_canonical(target, error);
    if (!resolved.empty()) target = resolved;
    if (!fs::is_symlink(fs::symlink_status(target, error))) return target.empty() ? path : target.string();
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  errno = ELOOP;
  fail_with_errno(path);
}

void fill(const std::string& name, const owned_descriptor& out, std::string_view head, std::string_view body,
          durability wanted) {
  if (out.value < 0) fail_with_errno(name);
  if (!write_all(out.value, head) || !write_all(out.value, body)) fail_with_errno(name);
  if (wanted == durability::synced && ::fsync(out.value) != 0 && errno != EINVAL) fail_with_errno(name);
}

// Some file systems tell of a full disk only here.
void close_filled(const std::string& name, owned_descriptor& out) {
  if (::close(std::exchange(out.value, -1)) != 0) fail_with_errno(name);
}

// A file without a name, so that a program which is killed leaves nothing; negative where the file system has none.
int open_nameless(const std::string& beside) {
  const std::filesystem::path folder = std::filesystem::path(beside).parent_path();
  if (::access("/proc/self/fd", X_OK) != 0) return -1;  // by which it gets its name
  return ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

bool give_name(int descriptor, const std::string& name) {
  const std::string nameless = "/proc/self/fd/" + std::to_string(descriptor);
  return ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

input_file::input_file(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  owned_descriptor guard{descriptor_};
  struct stat info {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0) fail_with_errno(path);
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    fail_with_errno(path);
  }
  regular_ = S_ISREG(info.st_mode);
  if (regular_) size_ = static_cast<std::uint64_t>(info.st_size);
  guard.value = -1;
}

input_file::~input_file() { ::close(descriptor_); }

std::size_t input_file::read_some(std::byte* target, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::read(descriptor_, target + done, count - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno(path_);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  offset_ += done;
  return done;
}

std::vector<std::byte> input_file::read(std::uint64_t count) {
  const auto truncated = [&](std::uint64_t there) {
    fail(path_, "truncated: " + std::to_string(count) + " bytes expected at offset " + std::to_string(offset_) + ", " +
                    std::to_string(there) + " there");
  };
  if (regular_ && count > size_ - std::min(size_, offset_)) truncated(size_ - std::min(size_, offset_));
  std::vector<std::byte> data;
  std::uint64_t step = regular_ ? count : std::uint64_t{1} << 20;
  while (data.size() < count) {
    const std::size_t before = data.size();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(step, count - before));
    data.resize(before + wanted);
    const std::size_t got = read_some(data.data() + before, wanted);
    if (got < wanted) {
      offset_ -= before + got;
      truncated(before + got);
    }
    step = data.size();
  }
  return data;
}

void input_file::expect_end() {
  std::byte next;
  if (read_some(&next, 1) != 0) fail(path_, "there is more in it after offset " + std::to_string(offset_ - 1));
}

std::vector<std::byte> read_regular_file(const std::string& path, std::uint64_t limit) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) fail_with_errno(path);
  if (!S_ISREG(info.st_mode)) fail(path, "not a regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > limit) fail(path, std::to_string(size) + " bytes are more than the " + std::to_string(limit) + " allowed");
  return input_file(path).read(size);
}

output_files::~output_files() {
  for (const std::string& file : made_files_) ::unlink(file.c_str());
  for (auto folder = made_folders_.rbegin(); folder != made_folders_.rend(); ++folder) ::rmdir(folder->c_str());
}

void output_files::add(const std::string& path, std::string head, std::string_view body) {
  entry added;
  added.path = path;
  added.target = find_target(path);
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      errno = EISDIR;
      fail_with_errno(path);
    }
    // Renaming over a file asks only for its folder; a file that is read-only says it is to stay.
    if (::access(path.c_str(), W_OK) != 0) fail_with_errno(path);
    added.in_place = !S_ISREG(info.st_mode);
    if (!added.in_place) added.mode = info.st_mode & 0777U;
  }
  if (!added.in_place && !targets_.insert(added.target).second) {
    fail(path, "two outputs would be written to this file");
  }
  added.temporary = added.target + ".part" + std::to_string(::getpid());
  added.head = std::move(head);
  added.body = body;
  entries_.push_back(std::move(added));
}

void output_files::make_folders() {
  for (const std::string& folder : folders_) {
    if (::mkdir(folder.c_str(), 0777) == 0) {
      made_folders_.push_back(folder);
      continue;
    }
    struct stat info {};
    const int error = errno;
    if (error != EEXIST || ::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
      errno = error;
      fail_with_errno(folder);
    }
  }
}

void output_files::write_temporaries(durability wanted) {
  for (const entry& file : entries_) {
    if (file.in_place) continue;
    owned_descriptor out{open_nameless(file.temporary)};
    const bool is_nameless = out.value >= 0;
    // O_EXCL: a file of this name that someone else made is neither followed nor removed.
    if (!is_nameless) out.value = ::open(file.temporary.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
    if (!is_nameless && out.value >= 0) made_files_.push_back(file.temporary);
    if (file.mode && out.value >= 0 && ::fchmod(out.value, *file.mode) != 0) fail_with_errno(file.path);
    fill(file.path, out, file.head, file.body, wanted);
    if (is_nameless) {
      if (!give_name(out.value, file.temporary)) fail_with_errno(file.path);
      made_files_.push_back(file.temporary);
    }
    close_filled(file.path, out);
  }
}

void output_files::commit(durability wanted) {
  make_folders();
  write_temporaries(wanted);
  for (const entry& file : entries_) {
    if (!file.in_place) continue;
    owned_descriptor out{::open(file.path.c_str(), O_WRONLY | O_CLOEXEC)};
    fill(file.path, out, file.head, file.body, wanted);
    close_filled(file.path, out);
  }
  for (const entry& file : entries_) {
    if (!file.in_place && ::rename(file.temporary.c_str(), file.target.c_str()) != 0) fail_with_errno(file.path);
  }
  made_files_.clear();
  made_folders_.clear();
}

}  // namespace topsplit::cli
