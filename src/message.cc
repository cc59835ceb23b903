#include "src/message.h"

#include <cstdarg>
#include <cstdio>

namespace topsplit::detail {

status error(status_code code, const char* format, ...) noexcept {
  status result(code);
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(result.buffer(), status::text_capacity, format, arguments);
  va_end(arguments);
  return result;
}

}  // namespace topsplit::detail
