// The version of the linked library, spelt from the numbers of the umbrella header.

#include "topsplit/topsplit.h"

#define TOPSPLIT_SPELL(number) TOPSPLIT_SPELL_VALUE(number)
#define TOPSPLIT_SPELL_VALUE(number) #number

namespace topsplit {

const char* version() noexcept {
  return TOPSPLIT_SPELL(TOPSPLIT_VERSION_MAJOR) "." TOPSPLIT_SPELL(TOPSPLIT_VERSION_MINOR) "." TOPSPLIT_SPELL(
      TOPSPLIT_VERSION_PATCH);
}

}  // namespace topsplit
