# Debian's cross compiler for 64-bit ARM (g++-aarch64-linux-gnu), and QEMU to run what it makes.
#
# TOPSPLIT_ARM_SYSROOT is a folder with arm64 packages, made by cmake/arm_sysroot.sh: the project's dependencies are looked
# for there alone. Its libraries need each other, so programs carry its folder as a run path that holds for all of them.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-L;/usr/aarch64-linux-gnu")

set(TOPSPLIT_ARM_SYSROOT "" CACHE PATH "Folder made by cmake/arm_sysroot.sh")
if(NOT IS_DIRECTORY "${TOPSPLIT_ARM_SYSROOT}/usr")
  message(FATAL_ERROR "TOPSPLIT_ARM_SYSROOT: no arm64 packages in '${TOPSPLIT_ARM_SYSROOT}'; cmake/arm_sysroot.sh unpacks them")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TOPSPLIT_ARM_SYSROOT)
set(CMAKE_FIND_ROOT_PATH ${TOPSPLIT_ARM_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(topsplit_arm_libraries ${TOPSPLIT_ARM_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
foreach(kind IN ITEMS EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT
      "-Wl,-rpath,${topsplit_arm_libraries} -Wl,-rpath-link,${topsplit_arm_libraries} -Wl,--disable-new-dtags")
endforeach()
