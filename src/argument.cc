// Checks of one tensor argument. The text of an error is made only once there is one.

#include "src/argument.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace topsplit::detail {
namespace {

struct label {
  char text[48];
};

label label_of(const argument& who) noexcept {
  label result;
  if (who.number < 0) {
    std::snprintf(result.text, sizeof(result.text), "%s", who.name);
  } else {
    std::snprintf(result.text, sizeof(result.text), "%s %" PRId64, who.name, who.number);
  }
  return result;
}

}  // namespace

status refuse(const argument& who, status_code code, const char* format, ...) noexcept {
  status result(code);
  const int opened = std::snprintf(result.buffer(), status::text_capacity, "%s: %s ", who.op, label_of(who).text);
  const std::size_t used = opened < 0 ? 0 : static_cast<std::size_t>(opened);
  if (used < status::text_capacity) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(result.buffer() + used, status::text_capacity - used, format, arguments);
    va_end(arguments);
  }
  return result;
}

bool is_absent(const const_tensor& t) noexcept {
  return t.data == nullptr && t.type == data_type::undefined && t.shape == nullptr && t.rank == 0;
}

status check_output(const argument& who, const tensor& t, data_type type, const const_tensor& like, std::size_t axis,
                    std::int64_t length) noexcept {
  if (t.type != type) {
    return refuse(who, status_code::invalid_argument, "has type %s (%d), expected %s (%d)", data_type_name(t.type),
                  static_cast<int>(t.type), data_type_name(type), static_cast<int>(type));
  }
  if (t.rank != like.rank) {
    return refuse(who, status_code::invalid_argument, "has rank %zu, expected %zu", t.rank, like.rank);
  }
  if (t.shape == nullptr) {
    return refuse(who, status_code::invalid_argument, "has rank %zu but a null shape", t.rank);
  }
  for (std::size_t d = 0; d < like.rank; ++d) {
    const std::int64_t expected = d == axis ? length : like.shape[d];
    if (t.shape[d] != expected) {
      return refuse(who, status_code::invalid_argument, "has length %" PRId64 " in dimension %zu, expected %" PRId64,
                    t.shape[d], d, expected);
    }
  }
  return {};
}

status check_data(const argument& who, const void* data, std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes == 0) return {};
  if (data == nullptr) {
    return refuse(who, status_code::invalid_argument, "has null data but %zu bytes", bytes);
  }
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
    return refuse(who, status_code::invalid_argument, "is misaligned: address %p is no multiple of %zu", data,
                  alignment);
  }
  return {};
}

status refuse_overlap(const argument& who, byte_range range, const argument& other, byte_range other_range) noexcept {
  return refuse(who, status_code::invalid_argument, "(%zu bytes) overlaps %s (%zu bytes)", range.bytes,
                label_of(other).text, other_range.bytes);
}

}  // namespace topsplit::detail
