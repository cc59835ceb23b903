// Non-owning views of dense row-major tensors, and the element types that ONNX numbers.
//
// A view holds pointers only: the data and the shape must outlive the call that is given the view, and nothing is
// kept after it. Shapes, and arrays of views, lie in no output. A dimension may be 0; data may be null exactly when the
// tensor has no element. The dimensions that are not 0 multiply to less than 2^63 bytes (TopK: at 8 bytes an element, for
// its indices). Rank 0 is a scalar.

#ifndef TOPSPLIT_TENSOR_H
#define TOPSPLIT_TENSOR_H

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>

#include "topsplit/export.h"

namespace topsplit {

// The numbers are those of ONNX's TensorProto.DataType.
enum class data_type : std::int32_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  complex64 = 14,
  complex128 = 15,
  bf16 = 16,
};

// ONNX's name: "float16", "float", "uint8", ...; "undefined" for a number that is no type of either operator.
TOPSPLIT_EXPORT const char* data_type_name(data_type type) noexcept;

// Size of one element in bytes; sizeof(std::string) for string, 0 for undefined or an unknown number.
TOPSPLIT_EXPORT std::size_t data_type_bytes(data_type type) noexcept;

// 16-bit floats are carried as their bits: C++17 has no arithmetic type for them and neither operator needs any.
struct float16 {
  std::uint16_t bits;
};
struct bfloat16 {
  std::uint16_t bits;
};

// The element type of a C++ type; undefined where the operators know none.
template <class T>
inline constexpr data_type data_type_of = data_type::undefined;
template <>
inline constexpr data_type data_type_of<float> = data_type::f32;
template <>
inline constexpr data_type data_type_of<double> = data_type::f64;
template <>
inline constexpr data_type data_type_of<float16> = data_type::f16;
template <>
inline constexpr data_type data_type_of<bfloat16> = data_type::bf16;
template <>
inline constexpr data_type data_type_of<std::uint8_t> = data_type::u8;
template <>
inline constexpr data_type data_type_of<std::uint16_t> = data_type::u16;
template <>
inline constexpr data_type data_type_of<std::uint32_t> = data_type::u32;
template <>
inline constexpr data_type data_type_of<std::uint64_t> = data_type::u64;
template <>
inline constexpr data_type data_type_of<std::int8_t> = data_type::i8;
template <>
inline constexpr data_type data_type_of<std::int16_t> = data_type::i16;
template <>
inline constexpr data_type data_type_of<std::int32_t> = data_type::i32;
template <>
inline constexpr data_type data_type_of<std::int64_t> = data_type::i64;
template <>
inline constexpr data_type data_type_of<bool> = data_type::boolean;
template <>
inline constexpr data_type data_type_of<std::complex<float>> = data_type::complex64;
template <>
inline constexpr data_type data_type_of<std::complex<double>> = data_type::complex128;
template <>
inline constexpr data_type data_type_of<std::string> = data_type::string;

// shape points to rank dimensions, outermost first; it may be null when rank is 0.
struct const_tensor {
  const void* data = nullptr;
  data_type type = data_type::undefined;
  const std::int64_t* shape = nullptr;
  std::size_t rank = 0;
};

struct tensor {
  void* data = nullptr;
  data_type type = data_type::undefined;
  const std::int64_t* shape = nullptr;
  std::size_t rank = 0;
};

}  // namespace topsplit

#endif
