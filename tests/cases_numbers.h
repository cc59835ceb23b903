// A case's numbers on their way to elements, and the generators that compute them by position. Whole numbers keep all their
// bits; sums and products are exact, then cast to the element type.

#ifndef TOPSPLIT_TESTS_CASES_NUMBERS_H
#define TOPSPLIT_TESTS_CASES_NUMBERS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "topsplit/tensor.h"

namespace cases {

using json = nlohmann::json;
using topsplit::data_type;

__extension__ typedef __int128 wide;  // holds every sum and product of 64-bit numbers that a generator makes

[[noreturn]] inline void fail(const std::string& why) { throw std::runtime_error(why); }

// Exact as far as it goes, or a raw pattern of the element.
struct number {
  enum kind_t { whole, real, pattern } kind;
  wide i;
  double r;
  std::uint64_t bits;
};

// "0x..." as all 64 bits.
std::uint64_t number_of_hex(const std::string& digits);

number number_of(const json& value);

// A generator's own whole number, by name, at least `least` and of at most 64 bits.
std::uint64_t count_of(const json& spec, const char* name, std::uint64_t least);

// Complex elements are pairs of these; other types are their own.
data_type component(data_type type);

// Writes one element of a type that is its own component.
void encode_number(data_type type, const number& x, std::byte* to);

// The numbers of a generator (or of a list, which repeats) by position, for elements of that type.
using formula = std::function<number(std::uint64_t)>;
formula formula_of(data_type type, const json& spec);

}  // namespace cases

#endif
