# Runs a test program with every size of the profile at its least or its greatest value.
#   cmake -D EXTREME=least|most -D SUITE=program [-D LEFT_OUT=tests] -D PROFILE_TEST=program -D OUT=file -P run_with_profile.cmake

cmake_minimum_required(VERSION 3.25)

set(value 1)
if(EXTREME STREQUAL most)
  set(value 4611686018427387904)
endif()
# profile_test knows the version, the processor and the sizes.
set(ENV{TOPSPLIT_PROFILE} "")
set(ENV{TOPSPLIT_WRITE_PROFILE} ${OUT})
set(ENV{TOPSPLIT_WRITE_VALUE} ${value})
execute_process(COMMAND ${PROFILE_TEST} --gtest_filter=profile.whole_ones_can_be_written COMMAND_ERROR_IS_FATAL ANY)
set(ENV{TOPSPLIT_PROFILE} ${OUT})
execute_process(COMMAND ${PROFILE_TEST} --gtest_filter=profile_of_the_environment.* COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${SUITE} --gtest_brief=1 --gtest_filter=-${LEFT_OUT} COMMAND_ERROR_IS_FATAL ANY)
