# Every ctest that topsplit_cases names as the one which does a procedure is there.
#   cmake -DCASES=<topsplit_cases> -DCTEST=<ctest> -DBUILD=<build folder> [-DLEFT_OUT=<regex>]
#         [-DWHOLE_FILES=ON] -P check_ctest_names.cmake
# LEFT_OUT matches names that this kind of build does not have; they are told. With WHOLE_FILES the tests of a file are one ctest,
# called what stands before the first dot.

cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${CASES} --ctests OUTPUT_VARIABLE wanted COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CTEST} -N WORKING_DIRECTORY ${BUILD} OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "Test +#[0-9]+: [^\n]+" lines "${listing}")
list(TRANSFORM lines REPLACE "^Test +#[0-9]+: " "" OUTPUT_VARIABLE present)
string(STRIP "${wanted}" wanted)
string(REPLACE "\n" ";" wanted "${wanted}")
set(missing)
foreach(name IN LISTS wanted)
  if(name IN_LIST present)
    continue()
  endif()
  string(REGEX REPLACE "\\..*" "" file "${name}")
  if(WHOLE_FILES AND file IN_LIST present)
    continue()
  elseif(LEFT_OUT AND name MATCHES "${LEFT_OUT}")
    message(STATUS "left out of this build: ${name}")
  else()
    list(APPEND missing ${name})
  endif()
endforeach()
if(missing OR NOT wanted)
  list(JOIN missing "\n  " missing)
  message(FATAL_ERROR "ctest has no test called\n  ${missing}")
endif()
