# Shows that check_isa_symbols.cmake can fail: compiles small objects that break one rule each, and one that keeps all.
#
#   cmake -DCXX=<compiler> -DFLAGS=<ISA flag or nothing> -DNM=<nm> -DWORK=<folder to make and remove>
#         -P check_isa_symbols_test.cmake

cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
set(failures 0)

function(compile name text)
  file(WRITE "${WORK}/${name}.cc" "${text}\n")
  execute_process(COMMAND "${CXX}" -std=c++17 -O0 ${ARGN} -c "${WORK}/${name}.cc" -o "${WORK}/${name}.o"
                  RESULT_VARIABLE result ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "check_isa_symbols_test: ${CXX} ${name}.cc: ${error}")
  endif()
endfunction()

# Checks an object of the ISA avx2 with this text. expected: a part of the complaint, or "". More flags may follow.
function(expect name text expected)
  compile(${name} "${text}" ${FLAGS} ${ARGN})
  file(WRITE "${WORK}/list.cmake" "set(isas avx2)\nset(isas_of_every_cpu ${of_every_cpu})\nset(objects_avx2 \"${WORK}/${name}.o\")\n"
       "set(objects_baseline \"${WORK}/baseline.o\")\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -DNM=${NM} -DLIST=${WORK}/list.cmake
                          -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_isa_symbols.cmake"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${expected}" position)
  if(expected STREQUAL "" AND result EQUAL 0)
    message(STATUS "passes, as it should: ${name}")
  elseif(NOT expected STREQUAL "" AND NOT result EQUAL 0 AND NOT position EQUAL -1)
    message(STATUS "found: ${name}: ${expected}")
  else()
    message(NOTICE "NOT AS EXPECTED (\"${expected}\"): ${name}: result ${result}: ${output}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

set(table "
namespace kernels_avx2 { template <class T> T twice(T x) { return x + x; } }
namespace topsplit::kernels {
extern int (*const avx2_table)(int);
int (*const avx2_table)(int) = kernels_avx2::twice<int>;
}")
compile(baseline "#include <algorithm>
namespace kernels_avx2 { inline int seen_by_both(int x) { return x; } }
int baseline(int a, int b) { return std::max(a, kernels_avx2::seen_by_both(b)); }")

expect(good "${table}" "")
expect(own_inline "${table} inline int mine(int x) { return x; } int f(int x) { return mine(x); }"
       "avx2: weak symbol without the ISA in its name: mine(int)")
expect(other_isa "${table} namespace kernels_avx2_old { inline int f(int x) { return x; } }
  int f(int x) { return kernels_avx2_old::f(x); }" "avx2: weak symbol without the ISA in its name: kernels_avx2_old::f(int)")
expect(std_template "#include <algorithm>\n${table} int f(int a, int b) { return std::max(a, b); }"
       "avx2: weak symbol that a baseline object has too: int const& std::max<int>(int const&, int const&)")
expect(weak_object "${table} template <class T> struct s { static int count; }; template <class T> int s<T>::count = 1;
  int f() { return s<int>::count; }" "avx2: weak symbol without the ISA in its name: s<int>::count")
expect(tagged_but_shared "${table} namespace kernels_avx2 { inline int seen_by_both(int x) { return x; } }
  int f(int x) { return kernels_avx2::seen_by_both(x); }"
       "avx2: weak symbol that a baseline object has too: kernels_avx2::seen_by_both(int)")
set(of_every_cpu avx2)
expect(of_every_cpu "${table} namespace kernels_avx2 { inline int seen_by_both(int x) { return x + 1; } }
  int again(int x) { return kernels_avx2::seen_by_both(x); }" "")
set(of_every_cpu)
expect(initializer "${table} int ask(); int asked = ask();" "avx2: runs code when the library is loaded")
expect(no_table "int f() { return 1; }" "avx2: its objects define no avx2_table")
execute_process(COMMAND "${CXX}" --version OUTPUT_VARIABLE compiler)
if(compiler MATCHES "Free Software Foundation")  # whose link-time objects nm reads
  expect(link_time "${table}" "avx2: compiled again when the library is linked" -flto)
endif()

file(REMOVE_RECURSE "${WORK}")
if(failures)
  message(FATAL_ERROR "check_isa_symbols_test: ${failures} objects were not judged as expected")
endif()
