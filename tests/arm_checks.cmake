# What is checked on ARM alone: the kernels' hot loops, and under QEMU other CPUs than the one that the suite runs as.

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_test(NAME hot_loops
           COMMAND ${CMAKE_COMMAND} -DOBJDUMP=${CMAKE_OBJDUMP} -DLIST=${CMAKE_CURRENT_BINARY_DIR}/isa_objects_$<CONFIG>.cmake
                   -DROWS=${CMAKE_CURRENT_SOURCE_DIR}/hot_loops.txt -P ${CMAKE_CURRENT_SOURCE_DIR}/hot_loops.cmake)
  set_tests_properties(hot_loops PROPERTIES TIMEOUT 300)
else()
  message(STATUS "Not registered: hot_loops (what it says is said of g++ and Release)")
endif()

if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()

# topsplit_arm_test(NAME CPU SELECTED TEST [arguments...]): the test on that CPU, which must select that ISA; a filter must find some.
function(topsplit_arm_test name cpu selected test)
  set(present generic,neon64)
  if(selected STREQUAL "sve")
    string(APPEND present ,sve)
  endif()
  topsplit_runnable(${test} command)
  add_test(NAME qemu.${name} COMMAND ${command} ${ARGN})
  set_tests_properties(qemu.${name} PROPERTIES TIMEOUT 3000 FAIL_REGULAR_EXPRESSION "Running 0 tests"
    ENVIRONMENT "QEMU_CPU=${cpu};TOPSPLIT_ISA=;TOPSPLIT_EXPECT_ISA=${present};TOPSPLIT_EXPECT_SELECTED=${selected}")
endfunction()

# The choice, on CPUs without SVE, with it at lengths that have a table, and at one that has none.
foreach(cpu_and_isa IN ITEMS cortex-a57:neon64 neoverse-n1:neon64 a64fx:sve max,sve128=on:neon64 max,sve256=on:sve
                             max,sve512=on:sve)
  string(REPLACE ":" ";" pair ${cpu_and_isa})
  list(GET pair 0 cpu)
  list(GET pair 1 isa)
  string(REGEX REPLACE "^max,(.*)=on$" "\\1" name ${cpu})
  topsplit_arm_test(${name}.cpu_features ${cpu} ${isa} cpu_features_test)
  topsplit_arm_test(${name}.dispatch ${cpu} ${isa} dispatch_test)
  topsplit_arm_test(${name}.forced_sve ${cpu} ${isa} dispatch_test --gtest_filter=environment.*)
  set_property(TEST qemu.${name}.forced_sve PROPERTY ENVIRONMENT "QEMU_CPU=${cpu};TOPSPLIT_ISA=sve")
endforeach()

# The reduced set for SVE at either length: all tests of kernels, the digests, and the stack. The whole suite on such a CPU:
# `sh tests/run.sh --arm max,sve256=on`. These take longest, so they are begun first.
foreach(length 256 512)
  foreach(test digests_test topk_kernel_test topk_merge_test split_kernel_test split_batches_test
               memory_stack_test)
    set(of_sve)
    if(test MATCHES "^(digests|topk|split_kernel)_")
      set(of_sve --gtest_filter=*/sve*)  # the other tables are the suite's
    endif()
    topsplit_arm_test(sve${length}.${test} max,sve${length}=on sve ${test} ${of_sve})
    set_tests_properties(qemu.sve${length}.${test} PROPERTIES LABELS arm COST 100)
  endforeach()
endforeach()

# What a quick look at a change asks: `--label arm`.
set_property(TEST digests_test topk_kernel_test split_kernel_test split_batches_test memory_stack_test dispatch_test
                  cpu_features_test APPEND PROPERTY LABELS arm)
if(TEST hot_loops)
  set_property(TEST hot_loops PROPERTY LABELS arm)
endif()
