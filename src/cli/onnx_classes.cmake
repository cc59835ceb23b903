# Sets TOPSPLIT_ONNX_CLASSES to the targets that carry ONNX's protobuf classes, under whichever name the package has.

# ONNX's package refers to protobuf's target without looking for it, so protobuf comes first.
find_package(Protobuf REQUIRED)
find_package(ONNX CONFIG REQUIRED)
if(TARGET ONNX::onnx_proto)
  set(TOPSPLIT_ONNX_CLASSES ONNX::onnx_proto protobuf::libprotobuf)
else()
  set(TOPSPLIT_ONNX_CLASSES onnx_proto protobuf::libprotobuf)
endif()
