# 32-bit and big-endian targets are refused at configure time, and a 64-bit little-endian one is not.
#   cmake -DSOURCE=<project> -DWORK=<folder> -DFLAG=<-m32 or -mbig-endian> -DSETTINGS=<options of this build, a list> -P refused_targets.cmake
# By the check alone, told what CMake finds out of a compiler; and by configuring the project for such a target, where this
# compiler can make one.

cmake_minimum_required(VERSION 3.25)

function(expect result text)
  execute_process(COMMAND ${CMAKE_COMMAND} ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  string(REGEX REPLACE "[ \n]+" " " words "${out}")  # CMake wraps an error's lines
  if((result STREQUAL "passes" AND NOT status EQUAL 0) OR (result STREQUAL "fails" AND status EQUAL 0) OR
     NOT words MATCHES "${text}")
    message(FATAL_ERROR "${ARGN}\nstatus ${status}, which should be: ${result}, with '${text}'; printed:\n${out}")
  endif()
endfunction()

set(check -P ${SOURCE}/cmake/target.cmake)
set(narrow "topsplit is for 64-bit targets; this compiler and its flags make 32-bit code")
set(big "topsplit is for little-endian targets; this compiler and its flags make big-endian code")
expect(passes "" -DCMAKE_SIZEOF_VOID_P=8 -DCMAKE_CXX_BYTE_ORDER=LITTLE_ENDIAN ${check})
expect(fails "${narrow}" -DCMAKE_SIZEOF_VOID_P=4 -DCMAKE_CXX_BYTE_ORDER=LITTLE_ENDIAN ${check})
expect(fails "${narrow}" -DCMAKE_SIZEOF_VOID_P=4 -DCMAKE_CXX_BYTE_ORDER=BIG_ENDIAN ${check})
expect(fails "${big}" -DCMAKE_SIZEOF_VOID_P=8 -DCMAKE_CXX_BYTE_ORDER=BIG_ENDIAN ${check})

if(FLAG STREQUAL "-m32")
  set(text "${narrow}")
else()
  set(text "${big}")
endif()
file(REMOVE_RECURSE ${WORK})
# There need be no C library for such a target: nothing is linked.
expect(fails "${text}" -S ${SOURCE} -B ${WORK} ${SETTINGS} -DCMAKE_C_FLAGS=${FLAG} -DCMAKE_CXX_FLAGS=${FLAG}
       -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY)
