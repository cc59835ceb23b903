# What is checked about the choice of kernels beyond the tests' own processes: TOPSPLIT_ISA, other CPUs, the objects
# themselves, and the includes that keep ISA code where it belongs.

topsplit_test(cpu_features_test)
topsplit_test(dispatch_test PROPERTIES LABELS threads)
# The tables of SVE are one ISA.
list(TRANSFORM TOPSPLIT_ISAS REPLACE "^sve.*" "sve" OUTPUT_VARIABLE names)
list(REMOVE_DUPLICATES names)
list(JOIN names "," names)
target_compile_definitions(dispatch_test PRIVATE TOPSPLIT_BUILT_ISAS="${names}")

# TOPSPLIT_ISA is read once a process: the suite `environment` judges what it finds there.
foreach(value IN ITEMS "" auto automatic generic sse2 avx2 avx512bw avx512vbmi2 neon64 sve avx9 AVX2 "%s")
  add_test(NAME "dispatch_environment[${value}]" COMMAND dispatch_test --gtest_filter=environment.*)
  set_tests_properties("dispatch_environment[${value}]" PROPERTIES ENVIRONMENT "TOPSPLIT_ISA=${value}" TIMEOUT 60)
endforeach()

# Includes point one way.
set(checks ${PROJECT_SOURCE_DIR}/cmake)
add_test(NAME includes COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${checks}/check_includes.cmake)
add_test(NAME includes_self_test
         COMMAND ${CMAKE_COMMAND} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/check_includes -P ${checks}/check_includes_test.cmake)

if(TOPSPLIT_SANITIZE)
  message(STATUS "Not registered with TOPSPLIT_SANITIZE: isa_symbols* and qemu.* (sanitizers add weak symbols and "
                 "initializers of their own to every object, and their shadow memory does not fit QEMU)")
  return()
endif()

# No code compiled with ISA flags leaks, in this build and in the other of Release and Debug; that one with link-time
# optimization, which must not reach the objects of an ISA, where nm reads this compiler's link-time objects.
add_custom_target(isa_objects)
add_dependencies(isa_objects topsplit_objects)
set(targets baseline=topsplit_objects)
foreach(isa ${TOPSPLIT_ISAS})
  add_dependencies(isa_objects topsplit_${isa})
  list(APPEND targets ${isa}=topsplit_${isa})
endforeach()
list(TRANSFORM targets REPLACE "(.+)=(.+)" "set(objects_\\1 \"$<TARGET_OBJECTS:\\2>\")\n")
list(JOIN targets "" lines)
# NEON's own is told apart, as every 64-bit ARM has it and xsimd chooses among its functions by std::tuple.
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/isa_objects_$<CONFIG>.cmake
     CONTENT "set(isas ${TOPSPLIT_ISAS})\nset(isas_of_every_cpu neon64)\n${lines}")

set(wide_flag)
if(avx2 IN_LIST TOPSPLIT_ISAS)
  set(wide_flag -mavx2)
endif()
add_test(NAME isa_symbols
         COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIST=${CMAKE_CURRENT_BINARY_DIR}/isa_objects_$<CONFIG>.cmake
                 -P ${checks}/check_isa_symbols.cmake)
add_test(NAME isa_symbols_self_test
         COMMAND ${CMAKE_COMMAND} -DCXX=${CMAKE_CXX_COMPILER}
                 -DFLAGS=${wide_flag} -DNM=${CMAKE_NM} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/check_isa_symbols
                 -P ${checks}/check_isa_symbols_test.cmake)

set(config Debug)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(config Release)
endif()
set(lto OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(lto ON)
endif()
set(folder ${CMAKE_CURRENT_BINARY_DIR}/isa_symbols_other)
add_test(NAME isa_symbols_other
         COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR} ${folder}
                 --build-generator ${CMAKE_GENERATOR} --build-noclean --build-target isa_objects --build-config ${config}
                 --build-options -DCMAKE_BUILD_TYPE=${config} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
                   -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
                   "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}" -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE}
                   -DTOPSPLIT_ARM_SYSROOT=${TOPSPLIT_ARM_SYSROOT} -DTBB_DIR=${TBB_DIR}
                   -DXSIMD_INCLUDE_DIR=${XSIMD_INCLUDE_DIR} -DTOPSPLIT_BUILD_CLI=OFF -DTOPSPLIT_BUILD_BENCH=OFF
                   -DTOPSPLIT_INSTALL=OFF -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=${lto}
                 --test-command ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
                   -DLIST=${folder}/tests/isa_objects_${config}.cmake -P ${checks}/check_isa_symbols.cmake)
set_tests_properties(isa_symbols_other PROPERTIES TIMEOUT 900 PROCESSORS 2)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  include(arm_checks.cmake)
endif()

# Other CPUs. QEMU of Debian 12 emulates AVX2 but no AVX-512, so the two widest tables run on real CPUs only.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  return()
endif()

# topsplit_qemu_test(NAME CPU SELECTED COMMAND...): the command on that CPU, which must select that ISA.
function(topsplit_qemu_test name cpu selected)
  add_test(NAME qemu.${cpu}.${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run_as_cpu.sh ${cpu} ${ARGN})
  set_tests_properties(qemu.${cpu}.${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
    ENVIRONMENT "TOPSPLIT_ISA=;TOPSPLIT_EXPECT_ISA=generic,sse2,${selected};TOPSPLIT_EXPECT_SELECTED=${selected}")
endfunction()

# The node tests that the command runs there: the library from load to result.
if(TOPSPLIT_ONNX_NODE_TESTS)
  file(GLOB node_tests ${TOPSPLIT_ONNX_NODE_TESTS}/*/model.onnx)
else()
  set(folder /usr/share/libonnx-testdata/data/node)
  file(GLOB node_tests ${folder}/test_top_k*/model.onnx ${folder}/test_split_[evz]*/model.onnx)
endif()
list(TRANSFORM node_tests REPLACE "/model.onnx$" "")

foreach(cpu_and_isa IN ITEMS qemu64=sse2 Nehalem=sse2 Haswell=avx2)
  string(REPLACE "=" ";" pair ${cpu_and_isa})
  list(GET pair 0 cpu)
  list(GET pair 1 isa)
  topsplit_qemu_test(cpu_features ${cpu} ${isa} $<TARGET_FILE:cpu_features_test>)
  topsplit_qemu_test(dispatch ${cpu} ${isa} $<TARGET_FILE:dispatch_test>)
  topsplit_qemu_test(refusal ${cpu} ${isa} $<TARGET_FILE:dispatch_test> --gtest_filter=environment.*)
  set_property(TEST qemu.${cpu}.refusal PROPERTY ENVIRONMENT "TOPSPLIT_ISA=avx512bw")
  if(TARGET topsplit_cli AND node_tests)
    topsplit_qemu_test(onnx_node_tests ${cpu} ${isa} $<TARGET_FILE:topsplit_cli> onnx ${node_tests})
  else()
    add_test(NAME qemu.${cpu}.onnx_node_tests COMMAND ${CMAKE_COMMAND} -E echo
             "SKIPPED: qemu.${cpu}.onnx_node_tests: needs the command (TOPSPLIT_BUILD_CLI) and TOPSPLIT_ONNX_NODE_TESTS")
    set_tests_properties(qemu.${cpu}.onnx_node_tests PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
  endif()
endforeach()
