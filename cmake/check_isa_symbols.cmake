# Shows that no code compiled with ISA flags can run on a CPU that lacks them.
#
#   cmake -DNM=<nm> -DLIST=<isa_objects.cmake> -P check_isa_symbols.cmake
#
# A weak symbol (an inline function, a template's instance) is merged by the linker: whichever object comes first gives the
# code for everyone, AVX-512 code perhaps. So in the objects of an ISA each weak symbol must carry that ISA's own
# namespace in its name, none may also be in an object compiled for the baseline, and there is no initializer that would run
# as soon as the library is loaded. Those ISAs that every CPU of the target has may be merged: their code runs wherever the
# baseline's does. LIST sets isas, isas_of_every_cpu, objects_<isa> and objects_baseline (tests/dispatch_checks.cmake).

cmake_minimum_required(VERSION 3.25)
include("${LIST}")

set(problems)

# The defined symbols of objects as "W name" elements, one a symbol.
function(read_symbols objects found)
  set(all)
  foreach(object IN LISTS objects)
    execute_process(COMMAND "${NM}" --defined-only -C "${object}" RESULT_VARIABLE result OUTPUT_VARIABLE text
                    ERROR_VARIABLE error)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "check_isa_symbols: ${NM} ${object}: ${error}")
    endif()
    string(REPLACE ";" "," text "${text}")
    string(REPLACE "[" "(" text "${text}")
    string(REPLACE "]" ")" text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    list(FILTER lines INCLUDE REGEX "^[0-9a-f-]+ [A-Za-z] ")
    list(TRANSFORM lines REPLACE "^[0-9a-f-]+ " "")
    list(APPEND all ${lines})
  endforeach()
  set(${found} "${all}" PARENT_SCOPE)
endfunction()

# The names among them that the linker merges. Only one is the same in every object: a pointer to the C++ runtime.
function(keep_weak symbols found)
  list(FILTER symbols INCLUDE REGEX "^[WVu] ")
  list(TRANSFORM symbols REPLACE "^. " "")
  list(REMOVE_ITEM symbols "DW.ref.__gxx_personality_v0")
  list(REMOVE_DUPLICATES symbols)
  set(${found} "${symbols}" PARENT_SCOPE)
endfunction()

read_symbols("${objects_baseline}" baseline)
if(NOT baseline)
  message(FATAL_ERROR "check_isa_symbols: no baseline object with a symbol")
endif()
keep_weak("${baseline}" baseline_weak)

set(checked 0)
foreach(isa IN LISTS isas)
  read_symbols("${objects_${isa}}" symbols)
  if(NOT symbols MATCHES "topsplit::kernels::${isa}_table")
    list(APPEND problems "${isa}: its objects define no ${isa}_table: not the right objects")
  endif()
  foreach(object IN LISTS objects_${isa})  # nm shows the symbols of link-time objects like those of machine code
    file(STRINGS "${object}" sections REGEX "gnu[.]lto_" LIMIT_COUNT 1)
    if(sections)
      list(APPEND problems "${isa}: compiled again when the library is linked: ${object}")
    endif()
  endforeach()
  set(initializers "${symbols}")
  list(FILTER initializers INCLUDE REGEX "_GLOBAL__|global constructors|static_initialization|__cxx_global_var_init")
  foreach(symbol IN LISTS initializers)
    list(APPEND problems "${isa}: runs code when the library is loaded: ${symbol}")
  endforeach()
  keep_weak("${symbols}" weak)
  if(isa IN_LIST isas_of_every_cpu)
    set(weak)
  endif()
  foreach(symbol IN LISTS weak)
    if(NOT symbol MATCHES "(kernels|xsimd)_${isa}([^a-z0-9_]|$)")
      list(APPEND problems "${isa}: weak symbol without the ISA in its name: ${symbol}")
    endif()
    if(symbol IN_LIST baseline_weak)
      list(APPEND problems "${isa}: weak symbol that a baseline object has too: ${symbol}")
    endif()
  endforeach()
  list(LENGTH weak count)
  math(EXPR checked "${checked} + ${count}")
endforeach()

list(LENGTH baseline_weak count)
if(problems)
  list(JOIN problems "\n  " problems)
  message(FATAL_ERROR "check_isa_symbols:\n  ${problems}")
endif()
list(JOIN isas ", " isas)
message(STATUS "check_isa_symbols: ${isas}: ${checked} weak symbols, all the ISA's own; ${count} in the baseline")
