# What programs outside the project meet: the C interface, the library's symbols and ABI, the installed packages.

topsplit_test(c_api_test c_api_calls.c c_api_operator_calls.c c_api_merge_calls.c c_api_fixture.c)
set_target_properties(c_api_test PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)

# The program in the comment of the C header, as it stands there.
set(c_api_header ${PROJECT_SOURCE_DIR}/include/topsplit/c_api.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${c_api_header})
file(READ ${c_api_header} c_api_example)
string(REGEX MATCH "\n//     #include.*\n//     }\n" c_api_example "${c_api_example}")
string(REGEX REPLACE "\n//(     )?" "\n" c_api_example "${c_api_example}")
file(CONFIGURE OUTPUT c_api_example.c CONTENT "${c_api_example}" @ONLY)
add_executable(c_api_example ${CMAKE_CURRENT_BINARY_DIR}/c_api_example.c)
target_link_libraries(c_api_example PRIVATE topsplit::topsplit topsplit_warnings topsplit_sanitizers)
set_target_properties(c_api_example PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
  LINKER_LANGUAGE CXX)  # for a static library and for sanitizers, whose C++ parts a C linker leaves out
add_test(NAME c_api_example COMMAND c_api_example)
set_tests_properties(c_api_example PROPERTIES PASS_REGULAR_EXPRESSION "^7 at 2, 5 at 3\n$")

if(BUILD_SHARED_LIBS)
  add_test(NAME exports COMMAND ${CMAKE_COMMAND}
    -D LIBRARY=$<TARGET_FILE:topsplit> -D SONAME=$<TARGET_SONAME_FILE_NAME:topsplit>
    -D NM=${CMAKE_NM} -D READELF=${CMAKE_READELF} -P ${PROJECT_SOURCE_DIR}/cmake/check_exports.cmake)
endif()

# Against the last release; by hand: ctest -L abi -V.
add_test(NAME abi COMMAND ${PROJECT_SOURCE_DIR}/cmake/check_abi.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/abi
  -G ${CMAKE_GENERATOR} -D CMAKE_C_COMPILER=${CMAKE_C_COMPILER} -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER})
set_tests_properties(abi PROPERTIES LABELS abi SKIP_RETURN_CODE 77 TIMEOUT 1800 PROCESSORS 2)

# Targets that the configuration refuses.
set(flag -m32)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(flag -mbig-endian)
endif()
add_test(NAME refused_targets COMMAND ${CMAKE_COMMAND}
  -D SOURCE=${PROJECT_SOURCE_DIR} -D WORK=${CMAKE_CURRENT_BINARY_DIR}/refused_targets -D FLAG=${flag}
  "-DSETTINGS=-G;${CMAKE_GENERATOR};-DCMAKE_C_COMPILER=${CMAKE_C_COMPILER};-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER};\
-DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE};-DTOPSPLIT_ARM_SYSROOT=${TOPSPLIT_ARM_SYSROOT}"
  -P ${CMAKE_CURRENT_SOURCE_DIR}/refused_targets.cmake)

add_subdirectory(install)
