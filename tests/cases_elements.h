// The elements of a case: JSON values and generators made into the bytes, or strings, of a tensor, and compared with one.

#ifndef TOPSPLIT_TESTS_CASES_ELEMENTS_H
#define TOPSPLIT_TESTS_CASES_ELEMENTS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/cases_numbers.h"
#include "tests/oracle.h"
#include "topsplit/tensor.h"

namespace cases {

// A dense tensor's elements: bytes, or for data_type::string the strings.
struct elements {
  data_type type = data_type::undefined;
  oracle::bytes_t bytes;
  std::vector<std::string> strings;

  std::size_t count() const;
  void* data() { return type == data_type::string ? static_cast<void*>(strings.data()) : bytes.data(); }
  const void* data() const { return const_cast<elements*>(this)->data(); }
  bool operator==(const elements& other) const { return bytes == other.bytes && strings == other.strings; }
};

// "float16" and so on; throws std::runtime_error for a name that the format lacks.
data_type type_of_name(const std::string& name);

// `count` elements of a type: a row-major list or a generator. Throws std::runtime_error where they cannot be made.
elements make_elements(data_type type, const json& spec, std::size_t count);

// Whether elements [begin, begin + list.size()) are those of a list: by bits, but any NaN will do for a plain "nan".
bool same_elements(const elements& actual, std::size_t begin, const json& list);

// FNV-1a over bytes; strings are hashed one after the other.
std::uint64_t fnv1a64(const elements& data);

}  // namespace cases

#endif
