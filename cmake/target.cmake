# Refuses targets that the library is not made for: it counts in 64 bits, and takes the first byte of a number for its lowest.

if(CMAKE_SIZEOF_VOID_P LESS 8)
  math(EXPR bits "8 * ${CMAKE_SIZEOF_VOID_P}")
  message(FATAL_ERROR "topsplit is for 64-bit targets; this compiler and its flags make ${bits}-bit code")
endif()
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "topsplit is for little-endian targets; this compiler and its flags make big-endian code")
endif()
