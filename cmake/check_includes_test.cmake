# Shows that check_includes.cmake can fail: makes small trees that break one rule each, and one that keeps them all.
#
#   cmake -DWORK=<folder to make and remove> -P check_includes_test.cmake

cmake_minimum_required(VERSION 3.25)

set(failures 0)

# Runs the check over a good tree to which one file with one line is added. expected: a part of the complaint, or "".
function(expect file line expected)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/include/topsplit/topk.h" "#include <cstdint>\n#include <stddef.h>\n")
  file(WRITE "${WORK}/include/topsplit/tbb.h" "#include <oneapi/tbb/task_arena.h>\n#include \"topsplit/topk.h\"\n")
  file(WRITE "${WORK}/arch/kernel_table.h" "#include \"topsplit/topk.h\"\n")
  file(WRITE "${WORK}/arch/kernels/heap-inl.h" "#include <xsimd/xsimd.hpp>  // [one] of; two\n#include <cstring>\n")
  file(WRITE "${WORK}/arch/x86/avx2.cc" "#include <immintrin.h>\n#include \"arch/kernels/heap-inl.h\"\n")
  file(WRITE "${WORK}/src/plan.h" "#include \"arch/kernel_table.h\"\n#include <sys/auxv.h>\n#include <algorithm>\n")
  file(WRITE "${WORK}/src/parallel.cc" "#include \"src/plan.h\"\n#include <oneapi/tbb/parallel_for.h>\n")
  file(WRITE "${WORK}/src/cli/main.cc" "#include <CLI/CLI.hpp>\n#include \"topsplit/topk.h\"\n")
  file(WRITE "${WORK}/src/cli/array.h" "#include <vector>\n")
  file(WRITE "${WORK}/tests/plan_test.cc" "#include <gtest/gtest.h>\n#include \"src/plan.h\"\n")
  file(WRITE "${WORK}/tests/oracle.h" "#include <vector>\n#include \"src/cli/array.h\"\n")
  file(WRITE "${WORK}/bench/plan_bench.cc" "#include <benchmark/benchmark.h>\n#include \"arch/kernel_table.h\"\n")
  file(APPEND "${WORK}/${file}" "${line}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -DROOT=${WORK} -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_includes.cmake"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${expected}" position)
  if(expected STREQUAL "" AND result EQUAL 0)
    message(STATUS "passes, as it should: ${file}: ${line}")
  elseif(NOT expected STREQUAL "" AND NOT result EQUAL 0 AND NOT position EQUAL -1)
    message(STATUS "found: ${file}: ${line}")
  else()
    message(NOTICE "NOT AS EXPECTED (\"${expected}\"): ${file}: ${line}: result ${result}: ${output}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

expect(include/topsplit/topk.h "// nothing wrong" "")
expect(tests/threads_test.cc "#include <oneapi/tbb/task_arena.h>" "")
expect(tests/install/cpp/main.cc "#include <topsplit/topk.h>" "")

# The arrows.
expect(include/topsplit/topk.h "#include \"arch/kernel_table.h\"" "include/topsplit/topk.h: must not see arch/kernel_table.h")
expect(arch/kernels/heap-inl.h "#include \"src/plan.h\"" "arch/kernels/heap-inl.h: must not see src/plan.h")
expect(src/plan.h "  #  include \"arch/kernels/heap-inl.h\"" "src/plan.h: must not see arch/kernels/heap-inl.h")
expect(src/plan.h "#include \"tests/oracle.h\"" "src/plan.h: must not see tests/oracle.h")
expect(src/plan.h "#include \"src/cli/array.h\"" "src/plan.h: must not see src/cli/array.h")
expect(src/cli/main.cc "#include \"src/plan.h\"" "src/cli/main.cc: must not see src/plan.h")
expect(tests/plan_test.cc "#include \"bench/plan_bench.cc\"" "tests/plan_test.cc: must not see bench/plan_bench.cc")
expect(bench/plan_bench.cc "#include \"tests/oracle.h\"" "bench/plan_bench.cc: must not see tests/oracle.h")
expect(tests/install/c/consumer.c "#include \"src/plan.h\"" "tests/install/c/consumer.c: must not see src/plan.h")

# The doors to what is not ours.
expect(src/plan.h "#include <xsimd/xsimd.hpp>" "src/plan.h: must not see xsimd/xsimd.hpp")
expect(src/plan.h "#include <oneapi/tbb/parallel_for.h>" "src/plan.h: must not see oneapi/tbb/parallel_for.h")
expect(include/topsplit/topk.h "#include <tbb/task_arena.h>" "include/topsplit/topk.h: must not see tbb/task_arena.h")
expect(bench/plan_bench.cc "#include <gtest/gtest.h>" "bench/plan_bench.cc: must not see gtest/gtest.h")
expect(tests/oracle.h "#include <benchmark/benchmark.h>" "tests/oracle.h: must not see benchmark/benchmark.h")
expect(src/plan.h "#include <CLI/CLI.hpp>" "src/plan.h: must not see CLI/CLI.hpp")
expect(src/plan.h "#include <boost/sort/sort.hpp>" "src/plan.h: boost/sort/sort.hpp is no header of the system")
expect(src/plan.h "#include <immintrin.h>" "src/plan.h: must not see immintrin.h")
expect(arch/kernels/heap-inl.h "#include <arm_neon.h>" "arch/kernels/heap-inl.h: must not see arm_neon.h")
expect(include/topsplit/topk.h "#include <unistd.h>" "unistd.h in a public header")
expect(arch/x86/avx2.cc "#include <algorithm>" "algorithm in a file compiled once per ISA")

# How names are written.
expect(src/plan.h "#include HEADER" "the name of what is included must be spelled out")
expect(src/parallel.cc "#include \"plan.h\"" "plan.h is not written from the root")
expect(tests/plan_test.cc "#include \"../src/plan.h\"" "../src/plan.h is not written from the root")
expect(src/plan.h "#include \"src/gone.h\"" "includes src/gone.h, which does not exist")
expect(bench/oracle.h "// a name that tests/ has" "another file is called oracle.h too")

file(REMOVE_RECURSE "${WORK}")
if(failures)
  message(FATAL_ERROR "check_includes_test: ${failures} trees were not judged as expected")
endif()
