// How the command fails: an exception that carries the one line the user gets. main prints it and turns it into the
// exit status: 2 for bad input, 1 where `topsplit onnx` finds that a model or its results are not as expected.

#ifndef TOPSPLIT_CLI_FAILURE_H
#define TOPSPLIT_CLI_FAILURE_H

#include <stdexcept>
#include <string>

#include "topsplit/status.h"

namespace topsplit::cli {

// Bad input: a file, an argument or a call that the library refuses.
class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A check of `topsplit onnx` that did not hold: a result differs, or the model has what the command does not run.
class failed_check : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(const status& result) {
  if (!result.ok()) throw failure(result.text());
}

// Any text as one printable line: names that come out of files may hold line breaks, or megabytes.
inline std::string one_line(std::string text) {
  constexpr std::size_t limit = 1000;
  if (text.size() > limit) text = text.substr(0, limit) + "...";
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace topsplit::cli

#endif
