// ONNX's TensorProto and the .pb files that hold one, to and from `array`.

#ifndef TOPSPLIT_CLI_TENSOR_PROTO_H
#define TOPSPLIT_CLI_TENSOR_PROTO_H

#include <string>

#include "src/cli/array.h"

namespace google::protobuf {
class MessageLite;
}
namespace onnx {
class TensorProto;
}

namespace topsplit::cli {

struct named_array {
  std::string name;
  array value;
};

// Fills message from a file; a failure where it cannot be read, is over protobuf's 2 GB or is not such a message.
void read_message(const std::string& path, google::protobuf::MessageLite& message);

// Data may lie in raw_data or in the type's own field. External data, segments and the types that neither operator has
// are failures, as is data that is not as long as the dimensions say. `what` opens their text.
array to_array(const onnx::TensorProto& tensor, const std::string& what);

named_array read_tensor(const std::string& path);

// A file's content: the data in raw_data, strings in string_data.
std::string tensor_file(const std::string& name, const array& value);

}  // namespace topsplit::cli

#endif
