// The table for AVX-512 F, CD, BW, DQ and VL (Skylake-X and later): 64-byte vectors, masks in registers.

#include "arch/kernel_table.h"
#include "arch/kernels/make_table-inl.h"
#include "arch/x86/avx512bw_ops-inl.h"
#include "arch/x86/avx512bw_split_ops-inl.h"

namespace topsplit::kernels {

constexpr kernel_table avx512bw_table =
    TOPSPLIT_KERNELS::make_table<TOPSPLIT_KERNELS::avx512bw_ops, TOPSPLIT_KERNELS::avx512bw_split_ops>(isa::avx512bw);

}  // namespace topsplit::kernels
