// Picks the kernel table of a call.

#ifndef TOPSPLIT_SRC_DISPATCH_H
#define TOPSPLIT_SRC_DISPATCH_H

#include "arch/kernel_table.h"
#include "topsplit/isa.h"
#include "topsplit/status.h"

namespace topsplit::detail {

// The table for execution::isa, by the precedence that isa.h states. Costs a few loads after the first call.
// op ("TopK", "Split") opens the text of an error.
status select_table(const char* op, isa requested, const kernels::kernel_table*& table) noexcept;

// For tests and benchmarks: the built tables, whether or not this machine can run them, in the order of isa_at. Of an ISA with several
// tables the one that this machine runs.
const kernels::kernel_table& built_table(std::size_t index) noexcept;

}  // namespace topsplit::detail

#endif
