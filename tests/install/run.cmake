# One step of the install tests (CMakeLists.txt beside this file): installs the library, or builds and runs a consumer.
#
# Variables: STEP, KIND (shared or static), SOURCE and BUILD (the project's folders), WORK (where to work), SETTINGS (an
# initial cache for nested builds), GENERATOR.

cmake_minimum_required(VERSION 3.25)

include(${SETTINGS})
set(consumer ${CMAKE_CURRENT_LIST_DIR}/${STEP})
set(build ${WORK}/${KIND}/${STEP})
set(prefix ${WORK}/${KIND}/prefix)

function(run)
  list(JOIN ARGN " " line)
  message(STATUS "${line}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(configure_and_build)
  file(REMOVE_RECURSE ${build})
  run(${CMAKE_COMMAND} -G ${GENERATOR} -C ${SETTINGS} -S ${consumer} -B ${build} ${ARGN})
  run(${CMAKE_COMMAND} --build ${build} --parallel 2)
endfunction()

# Installs to one place and moves the tree to another, where everything must be found.
function(install_from folder)
  file(REMOVE_RECURSE ${prefix} ${prefix}.before)
  run(${CMAKE_COMMAND} --install ${folder} --prefix ${prefix}.before)
  file(RENAME ${prefix}.before ${prefix})
endfunction()

# The flags that pkg-config prints for the installed library, as a list.
function(ask_pkg_config result)
  file(GLOB_RECURSE pc_file ${prefix}/topsplit.pc)
  cmake_path(GET pc_file PARENT_PATH pc_dir)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_dir} ${PKG_CONFIG} ${ARGN} topsplit
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags NATIVE_COMMAND "${flags}")
  set(${result} ${flags} PARENT_SCOPE)
endfunction()

if(STEP STREQUAL "install")
  install_from(${BUILD})
  if(EXISTS ${prefix}/bin/topsplit)  # must find the library from where it lies now
    run(${prefix}/bin/topsplit info)
  endif()
elseif(STEP STREQUAL "cpp_add_subdirectory")
  if(KIND STREQUAL "shared")
    set(shared ON)
  else()
    set(shared OFF)
  endif()
  # What matters here is what is built and where it goes; optimized kernels take minutes.
  configure_and_build(-D TOPSPLIT_SOURCE=${SOURCE} -D BUILD_SHARED_LIBS=${shared} -D TOPSPLIT_INSTALL=ON
    -D CMAKE_BUILD_TYPE=Debug)
  run(${build}/consumer)
  install_from(${build})
elseif(STEP STREQUAL "cpp_find_package")
  configure_and_build(-D CMAKE_PREFIX_PATH=${prefix} -D KIND=${KIND})
  run(${build}/consumer)
elseif(STEP STREQUAL "c_pkg_config")
  find_program(PKG_CONFIG NAMES pkg-config pkgconf)
  if(NOT PKG_CONFIG)
    message(STATUS "c_pkg_config: skipped, there is no pkg-config")
    return()
  endif()
  set(static)
  if(KIND STREQUAL "static")
    set(static --static)
  endif()
  ask_pkg_config(cflags --cflags)
  ask_pkg_config(libs ${static} --libs)
  ask_pkg_config(libdir --variable=libdir)
  file(MAKE_DIRECTORY ${build})
  run(${CMAKE_C_COMPILER} -std=c99 -Wall -Wextra -Wpedantic -Werror ${cflags} ${consumer}/main.c -o ${build}/consumer
      ${libs})
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libdir}:$ENV{LD_LIBRARY_PATH} ${build}/consumer)
else()
  message(FATAL_ERROR "unknown STEP: ${STEP}")
endif()
