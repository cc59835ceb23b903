// The whole C++ interface, and the version of the library.

#ifndef TOPSPLIT_TOPSPLIT_H
#define TOPSPLIT_TOPSPLIT_H

#include "topsplit/execution.h"
#include "topsplit/explain.h"
#include "topsplit/isa.h"
#include "topsplit/merge.h"
#include "topsplit/operator.h"
#include "topsplit/profile.h"
#include "topsplit/split.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"
#include "topsplit/topk.h"
#include "topsplit/version.h"

namespace topsplit {

// "0.1.0": the version of the library that is linked, which a program may compare with that of its headers.
TOPSPLIT_EXPORT const char* version() noexcept;

}  // namespace topsplit

#endif
