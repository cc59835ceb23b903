// Files in and out. Reading never allocates what a file merely claims; writing leaves either every output or none.

#ifndef TOPSPLIT_CLI_FILE_IO_H
#define TOPSPLIT_CLI_FILE_IO_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace topsplit::cli {

// A file read from front to end. Failures open with the path.
class input_file {
 public:
  explicit input_file(const std::string& path);
  ~input_file();
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;

  // Exactly count bytes, or a failure that says the file is truncated. A regular file is asked for its size first; a
  // pipe or device is read in growing steps, so that memory follows what has really arrived.
  std::vector<std::byte> read(std::uint64_t count);

  // A failure when there is more to read.
  void expect_end();

 private:
  std::size_t read_some(std::byte* target, std::size_t count);

  std::string path_;
  int descriptor_;
  bool regular_ = false;
  std::uint64_t size_ = 0;  // of a regular file
  std::uint64_t offset_ = 0;
};

// All of a regular file of at most `limit` bytes.
std::vector<std::byte> read_regular_file(const std::string& path, std::uint64_t limit);

// Whether commit waits until the storage has a file before the file takes its name.
enum class durability { cached, synced };

// The outputs of one run. commit writes each to a temporary file beside its target, which has no name until it is whole
// where the file system can do that, and renames all when all are complete; on a failure what it made is removed again
// and no target has changed. A file that is replaced must be writable and keeps its mode; a link stays, and what it points
// at is written. Devices and pipes are written last, in place.
class output_files {
 public:
  output_files() = default;
  ~output_files();
  output_files(const output_files&) = delete;
  output_files& operator=(const output_files&) = delete;

  // A folder that commit makes if there is none. Parents first.
  void add_folder(const std::string& path) { folders_.push_back(path); }

  // The file's content is head followed by body; body is a view that must live until commit returns.
  void add(const std::string& path, std::string head, std::string_view body);

  void commit(durability wanted = durability::cached);

 private:
  struct entry {
    std::string path;    // as the user wrote it
    std::string target;  // with links followed
    std::string temporary;
    std::string head;
    std::string_view body;
    std::optional<unsigned> mode;  // of the file that is replaced
    bool in_place = false;
  };

  void make_folders();
  void write_temporaries(durability wanted);

  std::vector<std::string> folders_, made_folders_, made_files_;
  std::vector<entry> entries_;
  std::set<std::string> targets_;  // of those that are not in place
};

}  // namespace topsplit::cli

#endif
