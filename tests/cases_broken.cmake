# Files that are no cases: exit status 2 and one line that says where.
#   cmake -DCASES=<topsplit_cases> -DDATA=<tests/data> -P cases_broken.cmake

cmake_minimum_required(VERSION 3.25)

function(expect_refusal text)
  execute_process(COMMAND ${CASES} ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  if(NOT status EQUAL 2 OR NOT out STREQUAL "" OR NOT err MATCHES "^topsplit_cases: [^\n]*${text}[^\n]*\n$")
    message(FATAL_ERROR "${ARGN}: status ${status}, printed \"${out}\", told \"${err}\"")
  endif()
endfunction()

set(good ${DATA}/cases.jsonl)
set(file broken_cases.jsonl)
expect_refusal("usage")
expect_refusal("cannot be read" ${good} no_such_file.jsonl)
expect_refusal("cannot be read" ${DATA})
file(WRITE ${file} "")
expect_refusal("empty" ${file})
file(WRITE ${file} "{\"id\": \"a\", \"expect\": {}}\n{\"id\": ")
expect_refusal("broken_cases.jsonl:2: " ${good} ${file})
file(WRITE ${file} "[1, 2]\n")
expect_refusal("no object" ${file})
file(WRITE ${file} "{\"id\": 7, \"expect\": {}}\n")
expect_refusal("no object" ${file})
file(WRITE ${file} "{\"id\": \"a\"}\n")
expect_refusal("nothing expected" ${file})
file(REMOVE ${file})
