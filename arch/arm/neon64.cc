// The table for every ARMv8-A CPU: 16-byte vectors.

#include "arch/arm/neon64_ops-inl.h"
#include "arch/arm/neon64_split_ops-inl.h"
#include "arch/kernel_table.h"
#include "arch/kernels/make_table-inl.h"

namespace topsplit::kernels {

constexpr kernel_table neon64_table =
    TOPSPLIT_KERNELS::make_table<TOPSPLIT_KERNELS::neon64_ops, TOPSPLIT_KERNELS::neon64_split_ops>(isa::neon64);

}  // namespace topsplit::kernels
