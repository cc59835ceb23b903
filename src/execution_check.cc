// Every text names the operator, the option and its number.

#include "src/execution_check.h"

#include "src/message.h"

namespace topsplit::detail {

status check_execution(const char* op, const execution& run) noexcept {
  constexpr status_code invalid = status_code::invalid_argument;
  if (run.threads != threading::arena && run.threads != threading::serial && run.threads != threading::callback) {
    return error(invalid, "%s: threads = %d is not one of 0 (arena), 1 (serial), 2 (callback)", op,
                 static_cast<int>(run.threads));
  }
  if (run.max_tasks < 0) return error(invalid, "%s: max_tasks = %d is negative", op, run.max_tasks);
  if (run.threads != threading::callback) return {};
  if (run.parallel_for == nullptr) {
    return error(invalid, "%s: threads = %d (callback) with parallel_for = null", op, static_cast<int>(run.threads));
  }
  if (run.parallel_for_width < 1) {
    return error(invalid, "%s: parallel_for_width = %d is below 1", op, run.parallel_for_width);
  }
  return {};
}

}  // namespace topsplit::detail
