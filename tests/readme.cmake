# README.md is held to: its C++ example is compiled and run, the examples of its contract table are calculated.

set(readme ${PROJECT_SOURCE_DIR}/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${readme})
file(READ ${readme} readme_text)
if(NOT readme_text MATCHES "\n```cpp\n([^`]*int )main(\\(\\) {\n[^`]*)}\n```\n")
  message(FATAL_ERROR "README.md has no C++ example with a main")
endif()
file(CONFIGURE OUTPUT readme_example.inc CONTENT "${CMAKE_MATCH_1}readme_main${CMAKE_MATCH_2}  return 0;\n}\n" @ONLY)

topsplit_test(readme_test)
target_include_directories(readme_test PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
target_compile_definitions(readme_test PRIVATE TOPSPLIT_README="${readme}")
