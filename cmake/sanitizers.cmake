# TOPSPLIT_SANITIZE=address,undefined or thread goes to every compile and link line of the project. -O1, since at -O3
# the checks make each ISA's kernels a matter of minutes to compile.

add_library(topsplit_sanitizers INTERFACE)
if(TOPSPLIT_SANITIZE)
  target_compile_options(topsplit_sanitizers INTERFACE
    -fsanitize=${TOPSPLIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1)
  target_link_options(topsplit_sanitizers INTERFACE -fsanitize=${TOPSPLIT_SANITIZE})
endif()
