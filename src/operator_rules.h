// What the prepared operators of TopK and Split have in common: versions, attributes, optional inputs.

#ifndef TOPSPLIT_SRC_OPERATOR_RULES_H
#define TOPSPLIT_SRC_OPERATOR_RULES_H

#include <cstddef>
#include <cstdint>

#include "src/argument.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"

namespace topsplit::detail {

// The newest of the versions (ascending, the first is 1) that is not newer than the opset; an opset below 1 is an
// error. Opsets of the future resolve to the newest version.
status resolve_version(const char* op, std::int64_t opset, const std::int32_t* versions, std::size_t count,
                       std::int32_t& version) noexcept;

template <std::size_t N>
status resolve_version(const char* op, std::int64_t opset, const std::int32_t (&versions)[N],
                       std::int32_t& version) noexcept {
  return resolve_version(op, opset, versions, N, version);
}

// Bits of the types, for a version's list of them. A number that is no type has none.
constexpr std::uint32_t type_bit(data_type type) noexcept {
  const auto number = static_cast<std::uint32_t>(type);
  return number != 0 && number < 32 ? std::uint32_t{1} << number : 0;
}
template <class... Types>
constexpr std::uint32_t type_set(Types... types) noexcept {
  return (type_bit(types) | ...);
}

inline constexpr std::uint32_t float_types = type_set(data_type::f16, data_type::f32, data_type::f64);
inline constexpr std::uint32_t integer_types = type_set(data_type::u8, data_type::u16, data_type::u32, data_type::u64,
                                                        data_type::i8, data_type::i16, data_type::i32, data_type::i64);

status check_version_type(const char* op, std::int32_t version, data_type type, std::uint32_t types) noexcept;

// The error that this version does not know the attribute `name` of which `value` was given.
status refuse_attribute(const char* op, std::int32_t version, const char* name, std::int64_t value) noexcept;

// x of a run against the type that the operator was made for; version 0 is an operator that never was made.
status check_made(const argument& who, std::int32_t version, data_type made_for, const const_tensor& x) noexcept;

// An optional input that holds `length` values of this type: present, one-dimensional, with data.
status check_vector(const argument& who, const const_tensor& t, data_type type, std::size_t length) noexcept;

}  // namespace topsplit::detail

#endif
