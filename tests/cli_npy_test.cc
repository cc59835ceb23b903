// The command's .npy reader: every type, byte order, memory order and format version, what it refuses by name, and
// hostile files, read with so little memory that what they claim cannot be allocated.

#include <sys/stat.h>

#include <complex>
#include <random>
#include <thread>

#include "tests/cli_runner.h"
#include "tests/seeds.h"

namespace {

using cli_runner::little_endian;
using cli_runner::npy;
using cli_runner::npy_data;
using cli_runner::npy_with_header;
using cli_runner::outcome;
using cli_runner::write_file;

class cli_npy : public cli_runner::command_test {
 protected:
  // One part of everything: a copy, which shows what was read.
  outcome copy(const std::string& file) {
    return run({"split", file, "--axis", "0", "--num-outputs", "1", "-o", path("c")});
  }

  outcome copy_of(const std::string& content) {
    write_file(path("in.npy"), content);
    return copy(path("in.npy"));
  }

  void refused(const std::string& content, const std::string& text) {
    SCOPED_TRACE(text);
    const outcome result = copy_of(content);
    expect_refused(result, text);
    EXPECT_EQ(files(), std::vector<std::string>{"in.npy"});
  }

  // Read or refused, but nothing else.
  void survived(const std::string& content) {
    const outcome result = copy_of(content);
    if (result.status != 0) expect_refused(result, "");
  }
};

struct element_type {
  const char* code;
  std::size_t bytes, swapped;  // an element, and the width of what its byte order applies to
};

constexpr element_type types[] = {{"b1", 1, 1}, {"i1", 1, 1}, {"u1", 1, 1}, {"i2", 2, 2},  {"u2", 2, 2},
                                  {"i4", 4, 4}, {"u4", 4, 4}, {"i8", 8, 8}, {"u8", 8, 8},  {"f2", 2, 2},
                                  {"f4", 4, 4}, {"f8", 8, 8}, {"c8", 8, 4}, {"c16", 16, 8}};

TEST_F(cli_npy, every_type_byte_order_memory_order_and_version) {
  int version = 1;  // in turn: it changes nothing but the width of the header's length
  for (const element_type& type : types) {
    std::string expected(6 * type.bytes, '\0');
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<char>(type.bytes == 1 ? i % 2 : i);
    const std::string written = (type.swapped == 1 ? "|" : "<") + std::string(type.code);
    for (const bool big_endian : {false, true}) {
      for (const bool fortran : {false, true}) {
        std::string stored(expected.size(), '\0');
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const std::size_t element = i / type.bytes, byte = i % type.bytes;
          // Of shape (2, 3): element (r, c) lies at r + 2 c in Fortran order.
          const std::size_t place = fortran ? element / 3 + element % 3 * 2 : element;
          const std::size_t mirrored =
              big_endian ? byte / type.swapped * type.swapped + type.swapped - 1 - byte % type.swapped : byte;
          stored[place * type.bytes + mirrored] = expected[i];
        }
        const std::string descr = (big_endian ? ">" : type.swapped == 1 ? "|" : "<") + std::string(type.code);
        SCOPED_TRACE(descr + (fortran ? " Fortran" : " C"));
        const outcome result = copy_of(npy(descr, "(2, 3)", stored, fortran ? "True" : "False", version));
        ASSERT_EQ(result.status, 0) << result.err;
        ASSERT_EQ(npy_data(path("c.0.npy"), written, "(2, 3)"), expected);
        version = version % 3 + 1;
      }
    }
  }
}

TEST_F(cli_npy, fortran_order_of_any_rank) {
  // Element (a, b, c, d) of shape (2, 1, 3, 2) holds its own C position.
  std::string stored(12, '\0'), expected;
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t d = 0; d < 2; ++d) {
        stored[a + 2 * (c + 3 * d)] = static_cast<char>(expected.size());
        expected += static_cast<char>(expected.size());
      }
    }
  }
  ASSERT_EQ(copy_of(npy("|u1", "(2, 1, 3, 2)", stored, "True")).status, 0);
  EXPECT_EQ(npy_data(path("c.0.npy"), "|u1", "(2, 1, 3, 2)"), expected);
}

TEST_F(cli_npy, headers_as_other_writers_have_them) {
  const std::string data(2, '\1');
  for (const std::string header : {
           "{'shape': (2,), 'fortran_order': False, 'descr': '|u1'}",
           "{\"descr\":\"u1\",\"fortran_order\":True,\"shape\":(2,)}",
           "  { 'descr' : '=u1' , 'fortran_order' : False , 'shape' : ( 2 , ) , }   \n",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2L,), }",
       }) {
    EXPECT_EQ(copy_of(npy_with_header(header, data)).status, 0) << header;
    EXPECT_EQ(npy_data(path("c.0.npy"), "|u1", "(2,)"), data);
  }
  EXPECT_EQ(copy_of(npy("<f4", "(0, 1099511627776)", "")).status, 0);
}

TEST_F(cli_npy, other_types_are_refused_by_name) {
  const std::pair<const char*, const char*> cases[] = {
      {"|O", "objects"},         {"|S5", "byte strings"},   {"<U3", "strings"},      {"|V8", "raw records"},
      {"<M8[ns]", "datetime64"}, {"<m8[s]", "timedelta64"}, {"<f16", "long double"}, {"<c32", "long double"},
      {"<f3", "unknown descr"},  {"", "unknown descr"},     {"<", "unknown descr"},  {"|f4", "unknown descr"}};
  for (const auto& [descr, text] : cases) refused(npy(descr, "(1,)", std::string(32, '\0')), text);
  refused(npy_with_header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"), "structured");
  refused(npy_with_header("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,), }", "12345678"),
          "structured");
}

TEST_F(cli_npy, bad_headers_are_refused) {
  const std::string good = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }";
  refused("PK\3\4 this is no tensor at all", "not a .npy file");
  refused(std::string("\x93NUMPY\4\0\0\0", 10), "version 4.0");
  refused(std::string("\x93NUMPY\1\7\0\0", 10), "version 1.7");
  refused(npy_with_header("", "12"), "'{' expected");
  refused(npy_with_header("{}", "12"), "missing");
  refused(npy_with_header("{'descr': '|u1', 'shape': (2,), }", "12"), "missing");
  refused(npy_with_header("{'descr': '|u1', 'descr': '|u1'}", "12"), "'descr' is there twice");
  refused(npy_with_header("{'colour': 1}", "12"), "unknown key 'colour'");
  refused(npy_with_header(good + "x", "12"), "after the closing brace");
  refused(npy_with_header("{'descr': '|u1, 'fortran_order'", "12"), "bad .npy header");
  refused(npy_with_header("{'descr': 'u1", "12"), "a string does not end");
  refused(npy("|u1", "(2,)", "12", "Maybe"), "neither True nor False");
  refused(npy("|u1", "(2", "12"), "a dimension is no whole number");
  refused(npy("|u1", "2", "12"), "'(' expected");
  refused(npy("|u1", "(,)", "12"), "no whole number");
  refused(npy("|u1", "(2.5,)", "12"), "')' expected");
  refused(npy("|u1", "(-2,)", "12"), "dimension -2 is negative");
  refused(npy("|u1", "(9223372036854775808,)", "12"), "more than 63 bits");
  refused(npy_with_header("{'descr': 'a\nb\x1b[31m'}", "12"), "missing");
}

TEST_F(cli_npy, what_a_file_claims_is_not_allocated) {
  for (const std::string shape : {"(1099511627776,)", "(4611686018427387904,)", "(70000, 70000)"}) {
    refused(npy("<f4", shape, std::string(64, '\0')), shape[1] == '4' ? "more bytes than 63 bits" : "truncated");
  }
  refused(npy("<c16", "(4294967296, 4294967296)", ""), "more bytes than 63 bits");
  refused(npy("|u1", "(3,)", "12"), "truncated");
  refused(npy("|u1", "(3,)", "1234"), "there is more in it");
  refused(std::string("\x93NUMPY\1\0\xff\xff", 10) + "{}", "truncated");
  refused(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12) + "{}", "a length of 4294967295 bytes");
  std::string nested = "{'descr': " + std::string(60000, '[') + "}";
  refused(npy_with_header(nested, ""), "structured");
  std::string dimensions = "(";
  for (int i = 0; i < 20000; ++i) dimensions += "1,";
  survived(npy("|u1", dimensions + ")", "1", "True"));
}

TEST_F(cli_npy, every_truncation_is_refused) {
  const std::string good = npy("<f4", "(2, 3)", std::string(24, '\1'));
  ASSERT_EQ(copy_of(good).status, 0);
  std::filesystem::remove(path("c.0.npy"));
  for (std::size_t size = 0; size < good.size(); ++size) {
    SCOPED_TRACE(size);
    refused(good.substr(0, size), "");
  }
}

TEST_F(cli_npy, any_changed_byte_is_survived) {
  const std::string good = npy("<f4", "(2, 3)", std::string(24, '\1'));
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(how_to_repeat(seed));
    std::mt19937_64 random(seed);
    for (int round = 0; round < rounds_of(150); ++round) {
      std::string bad = good;
      for (std::uint64_t changes = random() % 3 + 1; changes > 0; --changes) {
        bad[random() % (good.size() - 20)] = static_cast<char>(random());
      }
      survived(bad);
    }
  }
}

TEST_F(cli_npy, what_is_no_regular_file) {
  expect_refused(copy(path("")), "Is a directory");
  expect_refused(copy(path("none.npy")), "No such file or directory");
  expect_refused(copy("/dev/null"), "truncated");
  expect_refused(copy("/dev/zero"), "not a .npy file");
}

TEST_F(cli_npy, pipes_are_read_as_they_come) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto copy_through_pipe = [&](const std::string& content) {
    std::thread writer([&] { write_file(pipe, content); });
    outcome result = copy(pipe);
    writer.join();
    return result;
  };
  const std::string data(3 << 20, '\5');
  ASSERT_EQ(copy_through_pipe(npy("|u1", "(3145728,)", data)).status, 0);
  EXPECT_EQ(npy_data(path("c.0.npy"), "|u1", "(3145728,)"), data);
  expect_refused(copy_through_pipe(npy("|u1", "(1099511627776,)", data)), "truncated");
}

}  // namespace
