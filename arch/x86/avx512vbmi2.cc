// The table for AVX-512 with IFMA, VBMI and VBMI2 (Ice Lake, Zen 4 and later). Same operations as avx512bw so far, compiled with
// the wider flags; the byte permutes and compresses that these CPUs add belong here.

#include "arch/kernel_table.h"
#include "arch/kernels/make_table-inl.h"
#include "arch/x86/avx512bw_ops-inl.h"
#include "arch/x86/avx512vbmi2_split_ops-inl.h"

namespace topsplit::kernels {

constexpr kernel_table avx512vbmi2_table =
    TOPSPLIT_KERNELS::make_table<TOPSPLIT_KERNELS::avx512bw_ops, TOPSPLIT_KERNELS::avx512vbmi2_split_ops>(
        isa::avx512vbmi2);

}  // namespace topsplit::kernels
