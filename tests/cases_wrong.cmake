# Each row of cases_wrong.jsonl is wrong in its own way: the runner must fail every one, by its id, and say so at the end.
#   cmake -DCASES=<topsplit_cases> -DDATA=<tests/data> -P cases_wrong.cmake

cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${CASES} ${DATA}/cases_wrong.jsonl OUTPUT_VARIABLE told RESULT_VARIABLE status)
file(STRINGS ${DATA}/cases_wrong.jsonl rows ENCODING UTF-8)
set(count 0)
foreach(row IN LISTS rows)
  string(JSON id GET "${row}" id)
  if(NOT told MATCHES "FAILED ${id}: [^\n]+")
    message(FATAL_ERROR "${id} was not failed:\n${told}")
  endif()
  math(EXPR count "${count} + 1")
endforeach()
if(NOT told MATCHES "\n0 passed, ${count} failed, 0 elsewhere\n$" OR NOT status EQUAL 1)
  message(FATAL_ERROR "status ${status}, not 1, or a wrong last line:\n${told}")
endif()
