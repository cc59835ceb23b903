// The table without vectors: plain C++ for any 64-bit little-endian CPU, and the check that the others are held against.

#include "arch/kernel_table.h"
#include "arch/kernels/make_table-inl.h"
#include "arch/kernels/scalar_ops-inl.h"
#include "arch/kernels/scalar_split_ops-inl.h"

namespace topsplit::kernels {

constexpr kernel_table generic_table =
    TOPSPLIT_KERNELS::make_table<TOPSPLIT_KERNELS::scalar_ops, TOPSPLIT_KERNELS::scalar_split_ops>(isa::generic);

}  // namespace topsplit::kernels
