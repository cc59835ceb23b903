// How a call answers: a code and, for an error, a text that names the operator, the argument and the numbers.
//
// A status owns its text in an inline buffer: making, copying and reading one allocates nothing, takes no lock and
// touches no state of the thread. It is a plain value; use it from any thread.

#ifndef TOPSPLIT_STATUS_H
#define TOPSPLIT_STATUS_H

#include <cstddef>
#include <cstdint>

#include "topsplit/export.h"

namespace topsplit {

enum class status_code : std::int32_t {
  ok = 0,
  invalid_argument = 1,  // a shape, size, axis, pointer or attribute breaks the operator's rules
  unsupported_type = 2,  // the operator's version does not list this element type
  unavailable_isa = 3,   // the ISA asked for is not built in, or this CPU or its operating system lacks it
  out_of_memory = 4,     // only where memory may be taken: making an operator, copying strings
};

// "ok", "invalid argument", ...; never null, also for a number that is no code.
TOPSPLIT_EXPORT const char* status_code_name(status_code code) noexcept;

class [[nodiscard]] status {
 public:
  static constexpr std::size_t text_capacity = 252;  // with the closing zero; a longer text is cut, never refused

  status() noexcept : code_(status_code::ok) { text_[0] = '\0'; }

  bool ok() const noexcept { return code_ == status_code::ok; }
  status_code code() const noexcept { return code_; }
  const char* text() const noexcept { return text_; }  // "" when ok; lives as long as this status

  // For those who make one: an error whose text is yet to be written into buffer().
  explicit status(status_code code) noexcept : code_(code) { text_[0] = '\0'; }
  char* buffer() noexcept { return text_; }

 private:
  status_code code_;
  char text_[text_capacity];
};

}  // namespace topsplit

#endif
