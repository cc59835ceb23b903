// Refuses execution options that no call can follow, before anything is written.

#ifndef TOPSPLIT_SRC_EXECUTION_CHECK_H
#define TOPSPLIT_SRC_EXECUTION_CHECK_H

#include "topsplit/execution.h"
#include "topsplit/status.h"

namespace topsplit::detail {

// op ("TopK", "Split") opens the text. The ISA is checked by select_table (dispatch.h), not here.
status check_execution(const char* op, const execution& run) noexcept;

}  // namespace topsplit::detail

#endif
