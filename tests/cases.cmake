# The runner of case files, and its runs over the project's own cases and over those of TOPSPLIT_CASES.

add_executable(topsplit_cases
  topsplit_cases.cc cases_elements.cc cases_expect.cc cases_numbers.cc cases_procedures.cc cases_run.cc)
target_include_directories(topsplit_cases PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(topsplit_cases PRIVATE
  topsplit::topsplit nlohmann_json::nlohmann_json topsplit_warnings topsplit_sanitizers)

topsplit_runnable(topsplit_cases cases)
add_test(NAME topsplit_cases.own COMMAND topsplit_cases ${CMAKE_CURRENT_SOURCE_DIR}/data/cases.jsonl)
if(TOPSPLIT_CASES)
  file(GLOB case_files CONFIGURE_DEPENDS ${TOPSPLIT_CASES}/*.jsonl)
endif()
if(case_files)
  add_test(NAME topsplit_cases.given COMMAND topsplit_cases ${case_files})
else()
  add_test(NAME topsplit_cases.given COMMAND ${CMAKE_COMMAND} -E echo
           "SKIPPED: topsplit_cases.given: TOPSPLIT_CASES names no folder with *.jsonl files")
  set_tests_properties(topsplit_cases.given PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
endif()
set_tests_properties(topsplit_cases.own topsplit_cases.given PROPERTIES LABELS cases TIMEOUT 1800)

# What the runner must find wrong, and how it answers then.
foreach(name wrong broken)
  add_test(NAME topsplit_cases.${name} COMMAND ${CMAKE_COMMAND}
           -D CASES=${cases} -D DATA=${CMAKE_CURRENT_SOURCE_DIR}/data
           -P ${CMAKE_CURRENT_SOURCE_DIR}/cases_${name}.cmake)
  set_tests_properties(topsplit_cases.${name} PROPERTIES LABELS cases)
endforeach()

set(left_out)
if(TOPSPLIT_SANITIZE)
  list(APPEND left_out ^isa_symbols ^qemu ^memory_stack_test ^install)
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND left_out ^qemu)
endif()
if(NOT BUILD_SHARED_LIBS)
  list(APPEND left_out ^exports ^install.shared)
endif()
if(NOT TOPSPLIT_BUILD_BENCH)
  list(APPEND left_out ^benchmark_method)
endif()
list(JOIN left_out "|" left_out)
add_test(NAME topsplit_cases.ctests COMMAND ${CMAKE_COMMAND}
         -D CASES=${cases} -D CTEST=${CMAKE_CTEST_COMMAND} -D BUILD=${PROJECT_BINARY_DIR}
         "-D LEFT_OUT=${left_out}" "-D WHOLE_FILES=${CMAKE_CROSSCOMPILING_EMULATOR}" -P ${CMAKE_CURRENT_SOURCE_DIR}/check_ctest_names.cmake)
set_tests_properties(topsplit_cases.ctests PROPERTIES LABELS cases)
