// The table for AVX2: 32-byte vectors.

#include "arch/kernel_table.h"
#include "arch/kernels/make_table-inl.h"
#include "arch/x86/avx2_ops-inl.h"
#include "arch/x86/avx2_split_ops-inl.h"

namespace topsplit::kernels {

constexpr kernel_table avx2_table =
    TOPSPLIT_KERNELS::make_table<TOPSPLIT_KERNELS::avx2_ops, TOPSPLIT_KERNELS::avx2_split_ops>(isa::avx2);

}  // namespace topsplit::kernels
