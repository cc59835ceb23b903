# The core library's two dependencies. xsimd is headers only and its CMake target is not usable in every release
# (one drags in a library it does not need), so its include folder is found by hand.

find_package(TBB 2021 CONFIG REQUIRED)
find_path(XSIMD_INCLUDE_DIR xsimd/xsimd.hpp REQUIRED DOC "Folder that holds xsimd/xsimd.hpp")
