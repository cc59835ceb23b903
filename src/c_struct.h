// Reads the structs of the C interface that may grow: those that begin with struct_size.
//
// The library and its caller may have been compiled with different headers. What both know is copied, what only the
// library knows is zero, and what only the caller knows must be zero, since it would else be ignored in silence.

#ifndef TOPSPLIT_SRC_C_STRUCT_H
#define TOPSPLIT_SRC_C_STRUCT_H

#include <cstddef>
#include <cstring>

#include "src/message.h"
#include "topsplit/status.h"

namespace topsplit::detail {

// A size beyond it is one that the caller never set: reading that far could fault.
inline constexpr std::size_t struct_bytes_limit = 4096;

// name opens the text of an error. result, a zeroed Struct, keeps its zeros when given is null. first_size is the size
// that Struct had when it was first published: every honest caller has at least that.
template <class Struct>
status read_struct(const char* name, const Struct* given, std::size_t first_size, Struct& result) noexcept {
  if (given == nullptr) return {};
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  std::size_t size = 0;
  static_assert(offsetof(Struct, struct_size) == 0 && sizeof(result.struct_size) == sizeof(size));
  std::memcpy(&size, bytes, sizeof(size));
  if (size < first_size || size > struct_bytes_limit) {
    return error(status_code::invalid_argument, "%s: struct_size = %zu is outside [%zu, %zu]; set it to sizeof(%s)",
                 name, size, first_size, struct_bytes_limit, name);
  }
  for (std::size_t i = sizeof(Struct); i < size; ++i) {
    if (bytes[i] != 0) {
      return error(status_code::invalid_argument,
                   "%s: struct_size = %zu exceeds the %zu bytes that this library knows and byte %zu is not 0", name,
                   size, sizeof(Struct), i);
    }
  }
  std::memcpy(&result, bytes, size < sizeof(Struct) ? size : sizeof(Struct));
  return {};
}

// The way back for structs that a call fills: result as read_struct left it but for the fields, so that struct_size
// is still the caller's.
template <class Struct>
void write_struct(const Struct& result, Struct* given) noexcept {
  std::memcpy(given, &result, result.struct_size < sizeof(Struct) ? result.struct_size : sizeof(Struct));
}

}  // namespace topsplit::detail

#endif
