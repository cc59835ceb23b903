# One OBJECT library per ISA, each with its own flags; no other file of the project gets an ISA flag.
#
# topsplit_add_isa_tables(target) makes those that the target processor and the compiler have, gives `target` a
# definition TOPSPLIT_HAVE_<ISA> for each, and sets in the caller's scope
#   TOPSPLIT_ISAS             their names, narrowest first
#   TOPSPLIT_ISA_OBJECTS      their objects, as $<TARGET_OBJECTS:...>
#   TOPSPLIT_ISA_DEFINITIONS  the definitions again, for tests

include(CheckCXXCompilerFlag)

# Every ISA compiles the same text. TOPSPLIT_KERNELS names the namespace it goes to and xsimd is renamed likewise, so that
# no symbol compiled with ISA flags can be taken by the linker for one that runs everywhere (check_isa_symbols.cmake).
function(topsplit_isa_library name source)
  add_library(topsplit_${name} OBJECT ${source})
  target_compile_features(topsplit_${name} PRIVATE cxx_std_17)
  target_compile_definitions(topsplit_${name} PRIVATE TOPSPLIT_KERNELS=kernels_${name} xsimd=xsimd_${name})
  target_compile_options(topsplit_${name} PRIVATE
    -fno-exceptions -fno-rtti -ffp-contract=off -fno-asynchronous-unwind-tables -fno-lto ${ARGN})
  target_include_directories(topsplit_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
  target_include_directories(topsplit_${name} SYSTEM PRIVATE ${XSIMD_INCLUDE_DIR})
  target_link_libraries(topsplit_${name} PRIVATE topsplit_warnings topsplit_sanitizers)
  set_target_properties(topsplit_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
endfunction()

function(topsplit_add_isa_tables target)
  set(isas generic)
  set(known)
  topsplit_isa_library(generic arch/generic.cc)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(flags_sse2 -msse2)
    set(flags_avx2 -mavx2)
    set(flags_avx512bw -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl)
    set(flags_avx512vbmi2 ${flags_avx512bw} -mavx512ifma -mavx512vbmi -mavx512vbmi2)
    set(known sse2 avx2 avx512bw avx512vbmi2)
    set(folder x86)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    # arm_neon.h adds and subtracts signed lanes by the language's own operators: without this flag the compiler takes it that they
    # never overflow, and (c - a) > (c - b) becomes b > a.
    set(flags_neon64 -fwrapv)
    # SVE compilers that are told the vectors' length make code for that length alone; dispatch asks for it.
    set(flags_sve256 ${flags_neon64} -march=armv8.2-a+sve -msve-vector-bits=256)
    set(flags_sve512 ${flags_neon64} -march=armv8.2-a+sve -msve-vector-bits=512)
    set(known neon64 sve256 sve512)
    set(folder arm)
  endif()
  foreach(isa ${TOPSPLIT_WITHOUT_ISAS})
    if(NOT isa IN_LIST known)
      message(FATAL_ERROR "TOPSPLIT_WITHOUT_ISAS: '${isa}' is none of ${known}")
    endif()
  endforeach()
  foreach(isa ${known})
    if(NOT isa IN_LIST TOPSPLIT_WITHOUT_ISAS)
      topsplit_isa_library(${isa} arch/${folder}/${isa}.cc ${flags_${isa}})
      list(APPEND isas ${isa})
    endif()
  endforeach()
  set(objects)
  set(definitions)
  foreach(isa ${isas})
    list(APPEND objects $<TARGET_OBJECTS:topsplit_${isa}>)
    string(TOUPPER ${isa} upper)
    list(APPEND definitions TOPSPLIT_HAVE_${upper})
  endforeach()
  target_compile_definitions(${target} PRIVATE ${definitions})
  set(TOPSPLIT_ISAS ${isas} PARENT_SCOPE)
  set(TOPSPLIT_ISA_OBJECTS ${objects} PARENT_SCOPE)
  set(TOPSPLIT_ISA_DEFINITIONS ${definitions} PARENT_SCOPE)
endfunction()
