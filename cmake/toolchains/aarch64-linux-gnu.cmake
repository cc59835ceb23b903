# Debian's cross compiler for 64-bit ARM (g++-aarch64-linux-gnu). It finds the headers of oneTBB and xsimd, which are the same for
# every processor, in /usr/include; that compiles the library's objects. To link, and to run tests under QEMU, set
# CMAKE_FIND_ROOT_PATH to a folder with the arm64 packages unpacked.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-L;/usr/aarch64-linux-gnu")
