// The C interface. Its calls are made by C99 files, c_api_*calls.c; here is what hands its findings to GoogleTest, and
// what C cannot ask: how structs of an older or newer header are read.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gtest/gtest.h"
#include "src/c_struct.h"
#include "tests/c_api_calls.h"

void report_failure(const char* file, int line, const char* what, const char* detail) {
  ADD_FAILURE_AT(file, line) << what << "\n" << detail;
}

namespace {

TEST(c_api, names) { call_names(); }
TEST(c_api, topk) { call_topk(); }
TEST(c_api, topk_errors) { call_topk_errors(); }
TEST(c_api, topk_in_pieces) { call_topk_in_pieces(); }
TEST(c_api, split) { call_split(); }
TEST(c_api, split_errors) { call_split_errors(); }
TEST(c_api, split_layout) { call_split_layout(); }
TEST(c_api, infer_and_explain) { call_infer_and_explain(); }
TEST(c_api, callback) { call_callback(); }
TEST(c_api, isa) { call_isa(); }
TEST(c_api, topk_operator) { call_topk_operator(); }
TEST(c_api, topk_operator_errors) { call_topk_operator_errors(); }
TEST(c_api, split_operator) { call_split_operator(); }
TEST(c_api, split_operator_errors) { call_split_operator_errors(); }
TEST(c_api, struct_sizes) { call_struct_sizes(); }

// One struct as three releases have it; the library is the middle one.
struct first_release {
  std::size_t struct_size;
  std::int64_t a;
};
struct this_release {
  std::size_t struct_size;
  std::int64_t a;
  std::int64_t b;
};
struct next_release {
  std::size_t struct_size;
  std::int64_t a;
  std::int64_t b;
  std::int64_t c;
};

// given lies at the start of a page that is else zeros, so that every size that is read can be.
template <class Given>
topsplit::status read(const Given& given, this_release& result) {
  alignas(Given) unsigned char memory[topsplit::detail::struct_bytes_limit] = {};
  std::memcpy(memory, &given, sizeof given);
  return topsplit::detail::read_struct("s", reinterpret_cast<const this_release*>(memory), sizeof(first_release),
                                       result);
}

TEST(c_struct, older_caller_gets_zeros) {
  const first_release given = {sizeof given, 7};
  this_release result = {};
  ASSERT_TRUE(read(given, result).ok());
  EXPECT_EQ(result.a, 7);
  EXPECT_EQ(result.b, 0);
}

TEST(c_struct, newer_caller_may_leave_the_unknown_zero) {
  next_release given = {sizeof given, 7, 8, 0};
  this_release result = {};
  ASSERT_TRUE(read(given, result).ok());
  EXPECT_EQ(result.b, 8);

  given.c = std::int64_t{1} << 56;
  const topsplit::status s = read(given, result);
  EXPECT_EQ(s.code(), topsplit::status_code::invalid_argument);
  EXPECT_STREQ(s.text(), "s: struct_size = 32 exceeds the 24 bytes that this library knows and byte 31 is not 0");
}

TEST(c_struct, a_size_that_no_release_had_is_refused) {
  this_release result = {};
  for (const std::size_t size : {std::size_t{0}, sizeof(first_release) - 1, std::size_t{4097}, ~std::size_t{0}}) {
    EXPECT_FALSE(read(this_release{size, 7, 8}, result).ok()) << size;
  }
  EXPECT_EQ(result.a, 0);
}

TEST(c_struct, null_is_all_zeros) {
  this_release result = {};
  ASSERT_TRUE(topsplit::detail::read_struct<this_release>("s", nullptr, sizeof(first_release), result).ok());
  EXPECT_EQ(result.a, 0);
}

TEST(c_struct, nothing_is_written_beyond_what_the_caller_has) {
  alignas(next_release) unsigned char memory[sizeof(next_release)];
  std::memset(memory, 0x5a, sizeof memory);
  auto* given = reinterpret_cast<this_release*>(memory);
  topsplit::detail::write_struct(this_release{sizeof(first_release), 7, 8}, given);
  first_release written;
  std::memcpy(&written, memory, sizeof written);
  EXPECT_EQ(written.struct_size, sizeof(first_release));
  EXPECT_EQ(written.a, 7);
  for (std::size_t i = sizeof(first_release); i < sizeof memory; ++i) EXPECT_EQ(memory[i], 0x5a) << i;
}

}  // namespace
