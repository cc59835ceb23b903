// The table for every x86-64 CPU: 16-byte vectors.

#include "arch/kernel_table.h"
#include "arch/kernels/make_table-inl.h"
#include "arch/x86/sse2_ops-inl.h"
#include "arch/x86/sse2_split_ops-inl.h"

namespace topsplit::kernels {

constexpr kernel_table sse2_table =
    TOPSPLIT_KERNELS::make_table<TOPSPLIT_KERNELS::sse2_ops, TOPSPLIT_KERNELS::sse2_split_ops>(isa::sse2);

}  // namespace topsplit::kernels
