# The command's tests: they run the built binary as a user would.

if(TARGET topsplit_cli)
  include(${PROJECT_SOURCE_DIR}/src/cli/onnx_classes.cmake)
  topsplit_runnable(topsplit_cli command)
  foreach(name cli_test cli_npy_test cli_onnx_test cli_onnx_data_test cli_sweep_test)
    topsplit_test(${name} LIBS ${TOPSPLIT_ONNX_CLASSES} nlohmann_json::nlohmann_json)
    add_dependencies(${name} topsplit_cli)
    target_compile_definitions(${name} PRIVATE
      TOPSPLIT_COMMAND="${command}"
      TOPSPLIT_ONNX_NODE_TESTS="${TOPSPLIT_ONNX_NODE_TESTS}"
      TOPSPLIT_README="${PROJECT_SOURCE_DIR}/README.md"
      TOPSPLIT_REAL="${TOPSPLIT_REAL}")
  endforeach()
  if(TOPSPLIT_BUILD_BENCH)
    target_compile_definitions(cli_sweep_test PRIVATE TOPSPLIT_HAS_SWEEP)
    # The page in a real browser; without one the test says so and is skipped.
    find_program(TOPSPLIT_CHROMIUM NAMES chromium chromium-browser google-chrome DOC "Browser that checks the report's page")
    if(TOPSPLIT_CHART_JS AND NOT CMAKE_CROSSCOMPILING)
      add_test(NAME report_page
        COMMAND ${CMAKE_COMMAND} -D COMMAND=$<TARGET_FILE:topsplit_cli> -D CHROMIUM=${TOPSPLIT_CHROMIUM}
                -D CHECK=${CMAKE_CURRENT_SOURCE_DIR}/report_page.js -D OUT=${CMAKE_CURRENT_BINARY_DIR}/report_page
                -P ${CMAKE_CURRENT_SOURCE_DIR}/check_report_page.cmake)
      set_tests_properties(report_page PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: " TIMEOUT 300)
    else()
      add_test(NAME report_page COMMAND ${CMAKE_COMMAND} -E echo
               "report_page skipped: the page is text and Chart.js (libjs-chart.js), and a native build's is looked at")
      set_tests_properties(report_page PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
    endif()
  endif()
endif()
