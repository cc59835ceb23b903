// The checks that each tensor argument of each operator gets, and the texts of their errors.
//
// All of them only read shapes and addresses. They are called before the first write, so a call that is refused has
// left everything as it was.

#ifndef TOPSPLIT_SRC_ARGUMENT_H
#define TOPSPLIT_SRC_ARGUMENT_H

#include <cstddef>
#include <cstdint>

#include "topsplit/status.h"
#include "topsplit/tensor.h"

namespace topsplit::detail {

// What an error is about; its text opens with "TopK: values", or "Split: output 3" where there is a number.
struct argument {
  const char* op;
  const char* name;
  std::int64_t number = -1;
};

// An error whose text is the argument, a space, and the rest by printf's rules.
[[gnu::format(printf, 3, 4)]] status refuse(const argument& who, status_code code, const char* format, ...) noexcept;

// The absent optional input, const_tensor{}.
bool is_absent(const const_tensor& t) noexcept;

// Whether an output has this type and the shape of `like` with dimension `axis` replaced by `length`.
status check_output(const argument& who, const tensor& t, data_type type, const const_tensor& like, std::size_t axis,
                    std::int64_t length) noexcept;

// Data of `bytes` bytes must be there and lie at a multiple of `alignment`; without a byte any pointer will do.
status check_data(const argument& who, const void* data, std::size_t bytes, std::size_t alignment) noexcept;

struct byte_range {
  std::uintptr_t begin;
  std::size_t bytes;
};

inline byte_range range_of(const void* data, std::size_t bytes) noexcept {
  return {reinterpret_cast<std::uintptr_t>(data), bytes};
}

// Whether the ranges share a byte. By differences: no end is computed that could wrap around.
inline bool overlap(byte_range a, byte_range b) noexcept {
  if (a.bytes == 0 || b.bytes == 0) return false;
  return a.begin <= b.begin ? b.begin - a.begin < a.bytes : a.begin - b.begin < b.bytes;
}

// The error that `who` shares bytes with `other`.
status refuse_overlap(const argument& who, byte_range range, const argument& other, byte_range other_range) noexcept;

}  // namespace topsplit::detail

#endif
