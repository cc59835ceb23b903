# The thread tests, all with the label "threads": `ctest -L threads` is what runs under ThreadSanitizer.

# Tasks share a slice in the same steps whatever the type: for races one of each size is enough.
if(TOPSPLIT_SANITIZE MATCHES "thread")
  set(topk_shared_test_discovered */uint8:*/float16:*/float:*/int64:*topk_shared_plan*:*topk_shared_repeated*)
  message(STATUS "Not registered with TOPSPLIT_SANITIZE=thread: topk_shared_test of the other types")
endif()
foreach(name threads_test threads_quota_test threads_calls_test threads_process_test topk_shared_test)
  topsplit_test(${name} PROPERTIES LABELS threads)
endforeach()
if(CMAKE_CROSSCOMPILING_EMULATOR)
  # It bounds CPU time and how long a child may take: that holds where the emulator's own work has a processor to itself.
  set_tests_properties(threads_process_test PROPERTIES RUN_SERIAL ON)
endif()

# An object that a program loads and unloads. With the static library nobody but its link line can keep the code mapped
# under oneTBB's workers; the shared library says so itself.
add_library(threads_plugin MODULE threads_plugin.cc)
target_link_libraries(threads_plugin PRIVATE topsplit::topsplit topsplit_warnings topsplit_sanitizers)
if(NOT BUILD_SHARED_LIBS)
  target_link_options(threads_plugin PRIVATE -Wl,-z,nodelete)
endif()
add_executable(threads_unload_test threads_unload_test.cc)
target_compile_features(threads_unload_test PRIVATE cxx_std_17)
target_compile_definitions(threads_unload_test PRIVATE TOPSPLIT_PLUGIN="$<TARGET_FILE:threads_plugin>")
target_include_directories(threads_unload_test PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(threads_unload_test PRIVATE
  topsplit_warnings topsplit_sanitizers GTest::gtest_main ${CMAKE_DL_LIBS})
add_dependencies(threads_unload_test threads_plugin)
topsplit_ctests(threads_unload_test TIMEOUT 300 LABELS threads)

# What a build for `ctest -L threads` has to make.
add_custom_target(threads_tests)
add_dependencies(threads_tests
  threads_test threads_quota_test threads_calls_test threads_process_test threads_unload_test topk_shared_test)
