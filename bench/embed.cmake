# Makes a source file of files: a raw string for each, named as report_assets.h declares them.
#   cmake -D OUT=file.cc -D HTML=... -D CSS=... -D JS=... -D LIBRARY=... -P embed.cmake
# Several files of one name are put together; LIBRARY may be empty.

cmake_minimum_required(VERSION 3.25)

set(text "// Made by bench/embed.cmake.\n#include \"bench/report_assets.h\"\n
#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace topsplit::bench {\n")
foreach(pair HTML=report_page_html CSS=report_page_css JS=report_page_js LIBRARY=report_chart_library)
  string(REGEX MATCH "^([A-Z]+)=(.*)$" pair "${pair}")
  set(name ${CMAKE_MATCH_2})
  set(content)
  foreach(file IN LISTS ${CMAKE_MATCH_1})
    file(READ "${file}" part)
    string(APPEND content "${part}")
  endforeach()
  string(APPEND text "const char* const ${name} = R\"embedded(${content})embedded\";\n")
endforeach()
file(WRITE "${OUT}" "${text}}  // namespace topsplit::bench\n")
