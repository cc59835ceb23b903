# Includes point one way only: include <- arch <- src <- tests, bench; and each third party sits behind one arrow.
#
#   cmake -DROOT=<source tree> -P check_includes.cmake
#
# Reads every C and C++ file under those five folders and fails with a line for each include that breaks a rule.

cmake_minimum_required(VERSION 3.25)

set(problems)
macro(problem text)
  list(APPEND problems "${text}")
endmacro()

# What a file may include of the project, by the first pattern that matches its path. The command (src/cli) stands at the
# right end, and only tests see it: it is a caller like any other that sees the public headers, but for what it shows of the
# machine (the quota that the library goes by), and for sweeps and reports, which are benchmarks. A consumer in tests/install sees what is installed. Rows that ask for speed are read as the runner of case files reads
# them.
set(arrows
  "^include/"       "^topsplit/"
  "^arch/"          "^(topsplit|arch)/"
  "^src/cli/"       "^(topsplit/|src/cli/|src/cpu_quota\\.h$|bench/)"
  "^src/"           "^(topsplit/|arch/kernel_table\\.h$|src/[^/]+$)"
  "^tests/install/" "^topsplit/"
  "^tests/"         "^(topsplit|arch|src|tests)/"
  "^bench/perf_"    "^(topsplit|bench|tests/cases_)"
  "^bench/"         "^(topsplit|arch|src|bench)/")

# Who may include what from outside: pairs of the header's pattern and the includer's pattern. Tests play the caller
# that has a oneTBB arena, reads models or sets the floating-point mode.
set(doors
  "^xsimd/"                                      "^arch/"
  "^(oneapi/)?tbb/"                              "^(src/parallel\\.cc|include/topsplit/tbb\\.h|tests/.*)$"
  "^(gtest|gmock)/"                              "^tests/"
  "^benchmark/"                                  "^bench/"
  "^(google/protobuf|onnx)/"                     "^((src/cli|tests)/|bench/peer_)"
  "^faiss/"                                      "^bench/peer_faiss\\.cc$"
  "^(ATen|c10|torch)/"                           "^bench/peer_torch\\.cc$"
  "^CLI/"                                        "^(src/cli|bench)/"
  "^nlohmann/"                                   "^(src/cli|tests|bench)/"
  "^([a-z0-9]*intrin|arm_[a-z0-9_]+|mm_malloc)\\.h$" "^(arch/(x86|arm)|tests)/")

# Standard headers: what the public headers are made of, and the few without inline functions worth merging, which files
# that are compiled once per ISA keep to (a copy compiled with AVX-512 may be the one that the linker keeps for all).
set(standard "^([a-z_]+|(stdbool|stddef|stdint)\\.h)$")
set(standard_in_arch "^(cfloat|climits|cstddef|cstdint|cstring|limits|type_traits|utility)$")
set(system "^((sys|asm|linux|netinet)/)?[a-z0-9_]+(\\.h)?$")

# Sets found to the value that follows the first matching pattern in a list of pairs.
function(look_up pairs key found)
  set(${found} "" PARENT_SCOPE)
  while(pairs)
    list(POP_FRONT pairs pattern value)
    if(key MATCHES "${pattern}")
      set(${found} "${value}" PARENT_SCOPE)
      return()
    endif()
  endwhile()
endfunction()

macro(check_project_include)
  string(REGEX REPLACE "^topsplit/" "include/topsplit/" location "${header}")
  look_up("${arrows}" "${file}" allowed)
  if(NOT EXISTS "${ROOT}/${location}")
    problem("${file}: includes ${header}, which does not exist")
  elseif(NOT header MATCHES "${allowed}")
    problem("${file}: must not see ${header}: includes point left only")
  endif()
endmacro()

macro(check_outside_include)
  get_filename_component(folder "${ROOT}/${file}" DIRECTORY)
  look_up("${doors}" "${header}" door)
  if(EXISTS "${folder}/${header}")
    problem("${file}: ${header} is not written from the root")
  elseif(door)
    if(NOT file MATCHES "${door}")
      problem("${file}: must not see ${header}: it is for ${door}")
    endif()
  elseif(file MATCHES "^include/" AND NOT header MATCHES "${standard}")
    problem("${file}: ${header} in a public header: standard headers only")
  elseif(file MATCHES "^arch/" AND NOT header MATCHES "${standard_in_arch}")
    problem("${file}: ${header} in a file compiled once per ISA")
  elseif(file MATCHES "^src/[^/]+$" AND NOT header MATCHES "${system}")
    problem("${file}: ${header} is no header of the system, and the library depends on xsimd and oneTBB alone")
  endif()
endmacro()

set(files)
set(names)
foreach(folder include arch src tests bench)
  file(GLOB_RECURSE some RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*.c"
       "${ROOT}/${folder}/*.cc" "${ROOT}/${folder}/*.cpp")
  list(APPEND files ${some})
endforeach()
if(NOT files)
  message(FATAL_ERROR "check_includes: no source file under ROOT = \"${ROOT}\"")
endif()

foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  if(NOT file MATCHES "^tests/install/")  # those are projects of their own
    if(name IN_LIST names)
      problem("${file}: another file is called ${name} too")
    endif()
    list(APPEND names "${name}")
  endif()

  file(READ "${ROOT}/${file}" text)
  string(REGEX MATCHALL "(^|\n)[ \t]*#[ \t]*include[^][\n;]*" lines "${text}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "include[ \t]*[<\"]([^>\"]+)[>\"]")
      string(STRIP "${line}" line)
      problem("${file}: ${line}: the name of what is included must be spelled out")
      continue()
    endif()
    set(header "${CMAKE_MATCH_1}")
    if(header MATCHES "\\.\\./")
      problem("${file}: ${header} is not written from the root")
    elseif(header MATCHES "^(topsplit|include|arch|src|tests|bench)/")
      check_project_include()
    else()
      check_outside_include()
    endif()
  endforeach()
endforeach()

list(LENGTH files count)
if(problems)
  list(JOIN problems "\n  " problems)
  message(FATAL_ERROR "check_includes:\n  ${problems}")
endif()
message(STATUS "check_includes: ${count} files keep the rules")
