# Holds the benchmarks to their own method, by what a short threaded run reports of itself and by their text:
# wall-clock time and the whole process's CPU time, data below and above the last-level cache, the first call apart, no
# timer paused in the loop, results kept alive.
#   cmake -D BENCH=topk_bench -D SOURCES=folder -D OUT=file.json -P check_method.cmake

cmake_minimum_required(VERSION 3.25)

# T21's inputs all fit into the cache; T06's must not.
execute_process(
  COMMAND ${BENCH} --threads 2 --isa generic --benchmark_filter=^T\(06|21\)/generic --min-time 0.001 --cache-bytes 32M
          --benchmark_out=${OUT} --benchmark_out_format=json
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "benchmark method: ${BENCH} failed:\n${output}")
endif()
file(READ ${OUT} json)
string(JSON count LENGTH "${json}" benchmarks)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "benchmark method: ${count} cases ran, not 2:\n${output}")
endif()

foreach(i RANGE 1)
  foreach(field name first_us input rotation llc real_time cpu_time items_per_second bytes_per_second)
    string(JSON ${field} GET "${json}" benchmarks ${i} ${field})
  endforeach()
  if(NOT name MATCHES "/process_time/real_time$")
    message(SEND_ERROR "benchmark method: ${name} is not measured by wall-clock and process CPU time")
  endif()
  if(NOT first_us GREATER 0)
    message(SEND_ERROR "benchmark method: ${name} does not report its first call")
  endif()
  if(NOT rotation GREATER input)
    message(SEND_ERROR "benchmark method: ${name} does not rotate its inputs")
  endif()
  if(name MATCHES "^T21" AND NOT rotation LESS llc)
    message(SEND_ERROR "benchmark method: ${name} goes round ${rotation} bytes, not below the cache's ${llc}")
  elseif(name MATCHES "^T06" AND NOT rotation GREATER llc)
    message(SEND_ERROR "benchmark method: ${name} goes round ${rotation} bytes, not above the cache's ${llc}")
  endif()
endforeach()

file(GLOB sources ${SOURCES}/*.cc ${SOURCES}/*.h)
foreach(source ${sources})
  file(READ ${source} text)
  if(text MATCHES "(Pause|Resume)Timing")
    message(SEND_ERROR "benchmark method: ${source} pauses the timer")
  endif()
endforeach()
file(READ ${SOURCES}/harness.cc text)
foreach(needed UseRealTime MeasureProcessCPUTime "DoNotOptimize" "ClobberMemory")
  if(NOT text MATCHES "${needed}\\(")
    message(SEND_ERROR "benchmark method: harness.cc does without ${needed}")
  endif()
endforeach()
