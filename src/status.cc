// Names of the status codes. The texts of errors are made where the errors are found (message.h, argument.h).

#include "topsplit/status.h"

namespace topsplit {

const char* status_code_name(status_code code) noexcept {
  switch (code) {
    case status_code::ok:
      return "ok";
    case status_code::invalid_argument:
      return "invalid argument";
    case status_code::unsupported_type:
      return "unsupported type";
    case status_code::unavailable_isa:
      return "unavailable ISA";
    case status_code::out_of_memory:
      return "out of memory";
  }
  return "unknown status";
}

}  // namespace topsplit
