// Makes the statuses that are errors.

#ifndef TOPSPLIT_SRC_MESSAGE_H
#define TOPSPLIT_SRC_MESSAGE_H

#include "topsplit/status.h"

namespace topsplit::detail {

// printf's rules; a text that is too long for a status is cut. Allocates nothing.
[[gnu::format(printf, 2, 3)]] status error(status_code code, const char* format, ...) noexcept;

}  // namespace topsplit::detail

#endif
