// Names and sizes of the element types, in one table whose index is ONNX's number.

#include "topsplit/tensor.h"

namespace topsplit {
namespace {

struct type_facts {
  const char* name;
  std::size_t bytes;
};

constexpr type_facts facts[] = {
    {"undefined", 0},   {"float", 4},    {"uint8", 1},
    {"int8", 1},        {"uint16", 2},   {"int16", 2},
    {"int32", 4},       {"int64", 8},    {"string", sizeof(std::string)},
    {"bool", 1},        {"float16", 2},  {"double", 8},
    {"uint32", 4},      {"uint64", 8},   {"complex64", 8},
    {"complex128", 16}, {"bfloat16", 2},
};
constexpr std::size_t facts_count = sizeof(facts) / sizeof(facts[0]);
static_assert(facts_count == static_cast<std::size_t>(data_type::bf16) + 1, "a row for every number");

// A number that is no type reads the row of undefined. Negative numbers become large ones.
const type_facts& facts_of(data_type type) noexcept {
  const auto number = static_cast<std::uint32_t>(type);
  return facts[number < facts_count ? number : 0];
}

}  // namespace

const char* data_type_name(data_type type) noexcept { return facts_of(type).name; }

std::size_t data_type_bytes(data_type type) noexcept { return facts_of(type).bytes; }

}  // namespace topsplit
