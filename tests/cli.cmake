# The command's tests: they run the built binary as a user would.

if(TARGET topsplit_cli)
  include(${PROJECT_SOURCE_DIR}/src/cli/onnx_classes.cmake)
  topsplit_runnable(topsplit_cli command)
  foreach(name cli_test cli_npy_test cli_onnx_test cli_onnx_data_test)
    topsplit_test(${name} LIBS ${TOPSPLIT_ONNX_CLASSES})
    add_dependencies(${name} topsplit_cli)
    target_compile_definitions(${name} PRIVATE
      TOPSPLIT_COMMAND="${command}"
      TOPSPLIT_ONNX_NODE_TESTS="${TOPSPLIT_ONNX_NODE_TESTS}"
      TOPSPLIT_REAL="${TOPSPLIT_REAL}")
  endforeach()
endif()
