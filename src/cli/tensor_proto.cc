// A file is read into memory whole and then parsed, because protobuf then checks every length it meets against what is
// there; parsing from a stream would trust a claimed length for its first allocation.

#include "src/cli/tensor_proto.h"

#include <onnx/onnx_pb.h>

#include <climits>
#include <cstring>
#include <limits>
#include <utility>

#include "src/cli/failure.h"
#include "src/cli/file_io.h"

namespace topsplit::cli {
namespace {

constexpr std::size_t message_limit = INT_MAX;  // protobuf counts in int

[[noreturn]] void fail_length(const std::string& what, const array& expected, std::size_t got, const char* unit) {
  throw failure(what + ": " + shape_text(expected.shape) + " of " + data_type_name(expected.type) +
                " does not fit its " + std::to_string(got) + " " + unit);
}

// Copies a typed field, `per_element` entries an element, each narrowed to Stored, which must hold it.
template <class Stored, class Field>
void copy_field(const Field& field, std::size_t count, std::size_t per_element, array& result,
                const std::string& what) {
  const auto entries = static_cast<std::size_t>(field.size());
  if (entries / per_element != count || entries % per_element != 0) fail_length(what, result, entries, "entries");
  result.bytes.resize(entries * sizeof(Stored));
  std::byte* target = result.bytes.data();
  for (const auto entry : field) {
    const auto stored = static_cast<Stored>(entry);
    if constexpr (std::numeric_limits<Stored>::is_integer) {
      using entry_type = decltype(+entry);
      if (static_cast<entry_type>(stored) != entry) {
        throw failure(what + ": " + std::to_string(entry) + " is no " + data_type_name(result.type));
      }
    }
    std::memcpy(target, &stored, sizeof stored);
    target += sizeof stored;
  }
}

void copy_typed_data(const onnx::TensorProto& tensor, std::size_t count, array& result, const std::string& what) {
  switch (result.type) {
    case data_type::f32:
      return copy_field<float>(tensor.float_data(), count, 1, result, what);
    case data_type::complex64:
      return copy_field<float>(tensor.float_data(), count, 2, result, what);
    case data_type::f64:
      return copy_field<double>(tensor.double_data(), count, 1, result, what);
    case data_type::complex128:
      return copy_field<double>(tensor.double_data(), count, 2, result, what);
    case data_type::i64:
      return copy_field<std::int64_t>(tensor.int64_data(), count, 1, result, what);
    case data_type::u64:
      return copy_field<std::uint64_t>(tensor.uint64_data(), count, 1, result, what);
    case data_type::u32:
      return copy_field<std::uint32_t>(tensor.uint64_data(), count, 1, result, what);
    case data_type::i32:
      return copy_field<std::int32_t>(tensor.int32_data(), count, 1, result, what);
    case data_type::i16:
      return copy_field<std::int16_t>(tensor.int32_data(), count, 1, result, what);
    case data_type::i8:
      return copy_field<std::int8_t>(tensor.int32_data(), count, 1, result, what);
    case data_type::u16:
    case data_type::f16:
    case data_type::bf16:
      return copy_field<std::uint16_t>(tensor.int32_data(), count, 1, result, what);
    case data_type::u8:
      return copy_field<std::uint8_t>(tensor.int32_data(), count, 1, result, what);
    case data_type::boolean:
      return copy_field<bool>(tensor.int32_data(), count, 1, result, what);
    default:
      break;
  }
}

bool has_typed_data(const onnx::TensorProto& tensor) {
  return tensor.float_data_size() + tensor.int32_data_size() + tensor.string_data_size() + tensor.int64_data_size() +
             tensor.double_data_size() + tensor.uint64_data_size() !=
         0;
}

void copy_data(const onnx::TensorProto& tensor, std::size_t count, array& result, const std::string& what) {
  if (result.type == data_type::string) {
    const auto entries = static_cast<std::size_t>(tensor.string_data_size());
    if (entries != count || !tensor.raw_data().empty()) fail_length(what, result, entries, "strings");
    result.strings.assign(tensor.string_data().begin(), tensor.string_data().end());
    return;
  }
  if (!tensor.has_raw_data() || has_typed_data(tensor)) {
    if (!tensor.raw_data().empty()) throw failure(what + ": data both in raw_data and in a typed field");
    copy_typed_data(tensor, count, result, what);
    return;
  }
  const std::string& raw = tensor.raw_data();
  if (raw.size() != count * data_type_bytes(result.type)) fail_length(what, result, raw.size(), "bytes");
  const auto* first = reinterpret_cast<const std::byte*>(raw.data());
  result.bytes.assign(first, first + raw.size());
}

}  // namespace

void read_message(const std::string& path, google::protobuf::MessageLite& message) {
  const std::vector<std::byte> data = read_regular_file(path, message_limit);
  if (!message.ParseFromArray(data.data(), static_cast<int>(data.size()))) {
    throw failure(path + ": truncated, or no " + message.GetTypeName());
  }
}

array to_array(const onnx::TensorProto& tensor, const std::string& what) {
  array result;
  result.type = static_cast<data_type>(tensor.data_type());
  const std::size_t width = data_type_bytes(result.type);
  if (width == 0) {
    throw failure(what + ": element type " + std::to_string(tensor.data_type()) + " is none of TopK or Split");
  }
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL || tensor.external_data_size() != 0) {
    throw failure(what + ": external data is not supported");
  }
  if (tensor.has_segment()) throw failure(what + ": tensors in segments are not supported");
  result.shape.assign(tensor.dims().begin(), tensor.dims().end());
  const std::size_t count = checked_count(result.shape, width, what);
  copy_data(tensor, count, result, what);
  return result;
}

named_array read_tensor(const std::string& path) {
  onnx::TensorProto tensor;
  read_message(path, tensor);
  return {tensor.name(), to_array(tensor, path)};
}

std::string tensor_file(const std::string& name, const array& value) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(static_cast<std::int32_t>(value.type));
  for (const std::int64_t dimension : value.shape) tensor.add_dims(dimension);
  if (value.type == data_type::string) {
    for (const std::string& text : value.strings) tensor.add_string_data(text);
  } else {
    tensor.set_raw_data(value.bytes.data(), value.bytes.size());
  }
  if (tensor.ByteSizeLong() > message_limit) throw failure("output " + name + " is over the 2 GB of a protobuf file");
  return tensor.SerializeAsString();
}

}  // namespace topsplit::cli
