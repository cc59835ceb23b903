// Runs the built command in a process of its own and says how it ended; and a folder for its files, which each test
// gets empty and which goes away with it.

#ifndef TOPSPLIT_TESTS_CLI_RUNNER_H
#define TOPSPLIT_TESTS_CLI_RUNNER_H

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#ifndef TOPSPLIT_COMMAND
#error "TOPSPLIT_COMMAND is the path of the built command"
#endif

namespace cli_runner {

namespace fs = std::filesystem;

// So small that what a hostile file claims cannot be had, and large enough for the command itself. Sanitizers reserve
// terabytes of addresses, so there the limit is off and they report an allocation that is too large themselves.
inline constexpr rlim_t address_space_limit = rlim_t{1} << 30;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool limits_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool limits_memory = false;
#else
inline constexpr bool limits_memory = true;
#endif
#else
inline constexpr bool limits_memory = true;
#endif

inline std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  ASSERT_TRUE(file) << path;
}

struct outcome {
  int status = -1;  // exit status; -1 when a signal ended it
  std::string out, err;
};

class command_test : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "topsplit-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    folder_ = root_ / "files";
    fs::create_directory(folder_);
    // No profile of the user's is in force.
    setenv("XDG_CONFIG_HOME", (root_ / "config").c_str(), 1);
    unsetenv("TOPSPLIT_PROFILE");
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // What the folder holds, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  outcome run(const std::vector<std::string>& arguments) const { return run_into((root_ / "out").string(), arguments); }

  // With standard output going to this file; what goes to a device is not given back.
  outcome run_into(const std::string& out, const std::vector<std::string>& arguments) const {
    const std::string err = (root_ / "err").string();
    std::vector<char*> argv{const_cast<char*>("topsplit")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) exec_command(argv.data(), out.c_str(), err.c_str());
    int state = 0;
    EXPECT_EQ(waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFEXITED(state)) << "ended by signal " << WTERMSIG(state);
    return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, fs::is_regular_file(out) ? read_file(out) : std::string(),
            read_file(err)};
  }

  // Exit status 2, and on standard error one line with this text in it.
  static void expect_refused(const outcome& result, const std::string& text) {
    EXPECT_EQ(result.status, 2) << result.out << result.err;
    EXPECT_EQ(result.err.rfind("topsplit: ", 0), 0U) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err << "has not: " << text;
  }

 private:
  [[noreturn]] static void exec_command(char** argv, const char* out, const char* err) {
    if (limits_memory) {
      const rlimit limit{address_space_limit, address_space_limit};
      setrlimit(RLIMIT_AS, &limit);
    }
    alarm(120);  // outlives exec: a command that hangs is ended by a signal
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execv(TOPSPLIT_COMMAND, argv);
    _exit(127);
  }

  fs::path root_, folder_;
};

// The bytes of a vector of numbers.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Little endian numbers of `width` bytes, as headers have them.
inline std::string little_endian(std::uint64_t value, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}

// A .npy file around any header text, not padded: readers must not need that.
inline std::string npy_with_header(const std::string& header, const std::string& data, int version = 1) {
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
         little_endian(header.size(), version == 1 ? 2 : 4) + header + data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       const std::string& fortran_order = "False", int version = 1) {
  return npy_with_header(
      "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }\n", data, version);
}

// The data of a .npy file that the command has written, after its version 1 header was found to say this.
inline std::string npy_data(const fs::path& path, const std::string& descr, const std::string& shape) {
  const std::string file = read_file(path);
  if (file.size() < 10) {
    ADD_FAILURE() << path << " has " << file.size() << " bytes";
    return {};
  }
  const std::size_t length = static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\1\0", 8));
  EXPECT_EQ((10 + length) % 64, 0U);
  const std::string header = file.substr(10, length);
  EXPECT_EQ(header.rfind("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", 0), 0U)
      << header;
  return file.substr(std::min(file.size(), 10 + length));
}

}  // namespace cli_runner

#endif
