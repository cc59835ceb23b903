# One set of warnings for all of the project's own code.

add_library(topsplit_warnings INTERFACE)
target_compile_options(topsplit_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion $<$<BOOL:${TOPSPLIT_WERROR}>:-Werror>)
