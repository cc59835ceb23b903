// The table for SVE with vectors of 64 bytes.

#include "arch/arm/sve_table-inl.h"
#include "arch/kernel_table.h"

namespace topsplit::kernels {

constexpr kernel_table sve512_table = TOPSPLIT_KERNELS::make_sve_table();

}  // namespace topsplit::kernels
