# Runs a test program with every size of the profile at its least or its greatest value.
#   cmake -D EXTREME=least|most -D SUITE=program -D PROFILE_TEST=program -D OUT=file -P run_with_profile.cmake

cmake_minimum_required(VERSION 3.25)

set(value 1)
if(EXTREME STREQUAL most)
  set(value 4611686018427387904)
endif()
set(sizes)
foreach(name topk_grain_bytes topk_parallel_from_bytes split_grain_bytes split_parallel_from_bytes
        split_stream_from_bytes topk_rows_longest topk_rows_longer_per_k topk_reservoir_elements_per_k)
  string(APPEND sizes "${name} = ${value}\n")
endforeach()
# profile_test writes the lines that tell version and processor.
set(ENV{TOPSPLIT_PROFILE} "")
set(ENV{TOPSPLIT_WRITE_PROFILE} ${OUT})
execute_process(COMMAND ${PROFILE_TEST} --gtest_filter=profile.head_can_be_written COMMAND_ERROR_IS_FATAL ANY)
file(APPEND ${OUT} "${sizes}")
set(ENV{TOPSPLIT_PROFILE} ${OUT})
execute_process(COMMAND ${PROFILE_TEST} --gtest_filter=profile_of_the_environment.* COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${SUITE} --gtest_brief=1 COMMAND_ERROR_IS_FATAL ANY)
