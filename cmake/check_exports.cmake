# What a program can link to in libtopsplit.so is its interface and nothing else.
#
#   cmake -DLIBRARY=<libtopsplit.so> -DSONAME=<libtopsplit.so.X.Y> -DNM=<nm> -DREADELF=<readelf> -P check_exports.cmake
#
# Fails with a line for each exported symbol that belongs neither to namespace topsplit itself nor to the C interface.
# The rest leaks in as weak instances of std and oneTBB templates, which another library's copy may replace or be
# replaced by. Fails also without the SONAME, which says whose ABI this is, and without NODELETE, since the library must
# stay mapped while oneTBB's workers may run its code.

cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${NM} --dynamic --defined-only --demangle ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${READELF} --dynamic --wide ${LIBRARY} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)

set(problems)
set(count 0)
string(REPLACE ";" "," symbols "${symbols}")
string(REPLACE "\n" ";" symbols "${symbols}")
foreach(line IN LISTS symbols)
  if(line MATCHES "^[0-9a-f]+ [A-Za-z] (.*)$")
    set(symbol "${CMAKE_MATCH_1}")
    math(EXPR count "${count} + 1")
    if(NOT symbol MATCHES "^topsplit(_|::)" OR symbol MATCHES "^topsplit::(detail|kernels)")
      list(APPEND problems "exports ${symbol}")
    endif()
  endif()
endforeach()
if(count EQUAL 0)
  list(APPEND problems "exports nothing")
endif()
if(NOT dynamic MATCHES "\\(SONAME\\)[^\n]*\\[${SONAME}\\]")
  list(APPEND problems "has not the SONAME ${SONAME}")
endif()
if(NOT dynamic MATCHES "NODELETE")
  list(APPEND problems "can be unmapped: NODELETE is not set")
endif()

if(problems)
  list(JOIN problems "\n  " text)
  message(FATAL_ERROR "${LIBRARY}:\n  ${text}")
endif()
message(STATUS "${LIBRARY}: ${count} symbols, all of the interface")
