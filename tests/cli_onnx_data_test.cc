// The tensors that `topsplit onnx` reads: data in every field that ONNX allows, hostile files, and folders that come
// from elsewhere (ONNX's node tests, models in use), where this machine has them.

#include <complex>
#include <random>

#include "tests/cli_models.h"
#include "tests/cli_runner.h"
#include "tests/seeds.h"

namespace {

using cli_models::floats;
using cli_models::int64s;
using cli_models::model;
using cli_models::tensor;
using cli_models::write_folder;
using cli_runner::bytes_of;
using cli_runner::outcome;
using cli_runner::read_file;
using cli_runner::write_file;
using onnx::TensorProto;

class cli_onnx_data : public cli_runner::command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
    copy_.input("x").output("y").node("Split", {"x"}, {"y"});
  }

  std::string folder() const { return path("case"); }

  // Split into one part, a copy.
  void copies(const TensorProto& input, const TensorProto& output) {
    write_folder(folder(), copy_, {input}, {output});
    const outcome result = run({"onnx", folder()});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
  }

  void refused(const TensorProto& input, const std::string& text) {
    SCOPED_TRACE(text);
    write_folder(folder(), copy_, {input}, {input});
    expect_refused(run({"onnx", folder()}), text);
  }

  // A pass, a failure or bad input: whatever the bytes now say.
  void survived() {
    const outcome result = run({"onnx", folder()});
    if (result.status == 2) return expect_refused(result, "");
    EXPECT_TRUE(result.status == 0 || result.status == 1) << result.out << result.err;
    EXPECT_EQ(result.err, "");
  }

  void survives_damage(const std::string& file, int rounds) {
    const std::string good = read_file(file);
    const std::size_t step = 10 / static_cast<std::size_t>(rounds_of(10));
    for (std::size_t size = 0; size < good.size(); size += step) {
      SCOPED_TRACE(size);
      write_file(file, good.substr(0, size));
      survived();
    }
    for (const std::uint64_t seed : seeds()) {
      SCOPED_TRACE(how_to_repeat(seed));
      std::mt19937_64 random(seed);
      for (int round = 0; round < rounds_of(rounds); ++round) {
        std::string bad = good;
        for (std::uint64_t changes = random() % 3 + 1; changes > 0; --changes) {
          bad[random() % bad.size()] = static_cast<char>(random());
        }
        write_file(file, bad);
        survived();
      }
    }
    write_file(file, good);
  }

  // Every folder of `list` passes, and each is counted.
  void all_pass(const std::vector<std::string>& list) {
    std::vector<std::string> arguments{"onnx"};
    arguments.insert(arguments.end(), list.begin(), list.end());
    const outcome result = run(arguments);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    const std::string summary = std::to_string(list.size()) + " passed, 0 failed\n";
    EXPECT_EQ(result.out.substr(result.out.size() - std::min(result.out.size(), summary.size())), summary)
        << result.out;
  }

  model copy_{13};
};

std::vector<std::string> folders_in(const std::string& place, const std::vector<std::string>& prefixes) {
  std::vector<std::string> found;
  if (place.empty() || !std::filesystem::is_directory(place)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(place)) {
    const std::string name = entry.path().filename().string();
    const bool wanted = std::any_of(prefixes.begin(), prefixes.end(),
                                    [&](const std::string& prefix) { return name.rfind(prefix, 0) == 0; });
    if (wanted && entry.is_directory() && name.rfind("test_split_to_sequence", 0) != 0) {
      found.push_back(entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Of shape [2], without data.
TensorProto pair(int type) {
  TensorProto result = tensor("x", type, {2}, "");
  result.clear_raw_data();
  return result;
}

template <class T>
std::string raw(T first, T second) {
  return bytes_of(std::vector<T>{first, second});
}

TEST_F(cli_onnx_data, typed_fields_hold_the_same_as_raw_data) {
  const auto from_int32 = [&](int type, std::int32_t first, std::int32_t second, const std::string& expected) {
    SCOPED_TRACE(type);
    TensorProto x = pair(type);
    x.add_int32_data(first);
    x.add_int32_data(second);
    copies(x, tensor("", type, {2}, expected));
  };
  from_int32(TensorProto::INT32, INT32_MIN, 5, raw<std::int32_t>(INT32_MIN, 5));
  from_int32(TensorProto::INT16, -32768, 7, raw<std::int16_t>(-32768, 7));
  from_int32(TensorProto::INT8, -128, 127, raw<std::int8_t>(-128, 127));
  from_int32(TensorProto::UINT16, 65535, 1, raw<std::uint16_t>(65535, 1));
  from_int32(TensorProto::UINT8, 255, 1, raw<std::uint8_t>(255, 1));
  from_int32(TensorProto::BOOL, 1, 0, raw<std::uint8_t>(1, 0));
  from_int32(TensorProto::FLOAT16, 0x3c00, 0xfe01, raw<std::uint16_t>(0x3c00, 0xfe01));
  from_int32(TensorProto::BFLOAT16, 0x3f80, 0xffc1, raw<std::uint16_t>(0x3f80, 0xffc1));
  TensorProto f32 = pair(TensorProto::FLOAT), c64 = pair(TensorProto::COMPLEX64), f64 = pair(TensorProto::DOUBLE),
              c128 = pair(TensorProto::COMPLEX128), i64 = pair(TensorProto::INT64), u64 = pair(TensorProto::UINT64),
              u32 = pair(TensorProto::UINT32);
  for (int i = 0; i < 4; ++i) {
    if (i < 2) f32.add_float_data(0.5F);
    c64.add_float_data(static_cast<float>(i));
    if (i < 2) f64.add_double_data(0.1);
    c128.add_double_data(i);
  }
  for (TensorProto* integers : {&i64, &u64, &u32}) {
    integers->add_int64_data(INT64_MIN);
    integers->add_int64_data(1);
    integers->add_uint64_data(integers == &u64 ? UINT64_MAX : UINT32_MAX);
    integers->add_uint64_data(1);
  }
  i64.clear_uint64_data();
  u64.clear_int64_data();
  u32.clear_int64_data();
  copies(f32, tensor("", TensorProto::FLOAT, {2}, raw(0.5F, 0.5F)));
  copies(c64, tensor("", TensorProto::COMPLEX64, {2}, bytes_of(std::vector<float>{0, 1, 2, 3})));
  copies(f64, tensor("", TensorProto::DOUBLE, {2}, raw(0.1, 0.1)));
  copies(c128, tensor("", TensorProto::COMPLEX128, {2}, bytes_of(std::vector<double>{0, 1, 2, 3})));
  copies(i64, tensor("", TensorProto::INT64, {2}, raw<std::int64_t>(INT64_MIN, 1)));
  copies(u64, tensor("", TensorProto::UINT64, {2}, raw<std::uint64_t>(UINT64_MAX, 1)));
  copies(u32, tensor("", TensorProto::UINT32, {2}, raw<std::uint32_t>(UINT32_MAX, 1)));
}

TEST_F(cli_onnx_data, strings_are_split) {
  TensorProto x = pair(TensorProto::STRING);
  x.add_string_data(std::string("with\0zero", 9));
  x.add_string_data("");
  copies(x, x);
  TensorProto other = x;
  other.set_string_data(1, "x");
  write_folder(folder(), copy_, {x}, {other});
  EXPECT_NE(run({"onnx", folder()}).out.find("differs at [1]: \"\", expected \"x\""), std::string::npos);
  ASSERT_EQ(run({"onnx", "--run", folder(), "-o", path("out")}).status, 0);
  TensorProto written;
  ASSERT_TRUE(written.ParseFromString(read_file(path("out/test_data_set_0/output_0.pb"))));
  ASSERT_EQ(written.string_data_size(), 2);
  EXPECT_EQ(written.string_data(0), x.string_data(0));
}

TEST_F(cli_onnx_data, empty_tensors_need_no_data) {
  copies(tensor("x", TensorProto::FLOAT, {0, 3}, ""), tensor("", TensorProto::FLOAT, {0, 3}, ""));
  TensorProto bare = tensor("x", TensorProto::INT8, {0, 1LL << 40}, "");
  bare.clear_raw_data();
  copies(bare, bare);
}

TEST_F(cli_onnx_data, tensors_that_contradict_themselves_are_refused) {
  refused(floats("x", {3}, {1, 2}), "[3] of float does not fit its 8 bytes");
  refused(tensor("x", TensorProto::FLOAT, {2}, "1234567"), "does not fit its 7 bytes");
  refused(pair(TensorProto::FLOAT), "[2] of float does not fit its 0 entries");
  refused(pair(TensorProto::STRING), "[2] of string does not fit its 0 strings");
  refused(tensor("x", TensorProto::STRING, {2}, "ab"), "does not fit");
  refused(floats("x", {-1}, {1}), "dimension -1 is negative");
  refused(floats("x", {1LL << 40, 1LL << 40}, {1}), "more bytes than 63 bits");
  refused(floats("x", {1LL << 40}, {1}), "does not fit its 4 bytes");
  TensorProto odd = pair(TensorProto::COMPLEX64);
  for (int i = 0; i < 5; ++i) odd.add_float_data(1);
  refused(odd, "does not fit its 5 entries");
  TensorProto wide = pair(TensorProto::UINT8);
  wide.add_int32_data(1);
  wide.add_int32_data(256);
  refused(wide, "256 is no uint8");
  wide.set_data_type(TensorProto::BOOL);
  refused(wide, "256 is no bool");
  TensorProto both = floats("x", {1}, {1});
  both.add_float_data(1);
  refused(both, "both in raw_data and in a typed field");
}

TEST_F(cli_onnx_data, what_is_not_read_is_named) {
  TensorProto external = floats("x", {2}, {1, 2});
  external.set_data_location(TensorProto::EXTERNAL);
  refused(external, "external data is not supported");
  TensorProto segment = floats("x", {2}, {1, 2});
  segment.mutable_segment()->set_begin(0);
  refused(segment, "segments are not supported");
  refused(tensor("x", 17, {2}, "ab"), "element type 17 is none of TopK or Split");
  refused(tensor("x", -1, {2}, "ab"), "element type -1");
  refused(tensor("x", 0, {2}, "ab"), "element type 0");
}

TEST_F(cli_onnx_data, damaged_files_are_survived) {
  model chain(11);
  chain.input("x").initialiser(int64s("k", {1}, {1})).output("top").output("index").output("rest");
  chain.node("Split", {"x"}, {"a", "rest"}).attribute("split", std::vector<std::int64_t>{1, 2});
  chain.node("TopK", {"a", "k"}, {"top", "index"}).attribute("axis", 0);
  write_folder(folder(), chain, {floats("x", {3}, {1, 2, 3})},
               {floats("", {1}, {1}), int64s("", {1}, {0}), floats("", {2}, {2, 3})});
  ASSERT_EQ(run({"onnx", folder()}).status, 0);
  survives_damage(path("case/model.onnx"), 100);
  survives_damage(path("case/test_data_set_0/input_0.pb"), 60);
  survives_damage(path("case/test_data_set_0/output_2.pb"), 60);
  EXPECT_EQ(run({"onnx", folder()}).status, 0);
}

TEST_F(cli_onnx_data, what_a_file_claims_is_not_allocated) {
  const std::string input = path("case/test_data_set_0/input_0.pb");
  const auto refused_bytes = [&](const std::string& content, const std::string& text) {
    write_file(input, content);
    expect_refused(run({"onnx", folder()}), text);
  };
  write_folder(folder(), copy_, {floats("x", {1}, {1})}, {floats("", {1}, {1})});
  // Field 9 (raw_data), field 4 (packed float_data) and field 8 (name), each claiming 2^31 - 1 bytes.
  for (const char field : {'\x4a', '\x22', '\x42'}) {
    refused_bytes(std::string("\x08\x01\x10\x01") + field + "\xff\xff\xff\xff\x07", "truncated");
  }
  // Groups within groups, as deep as the file is long.
  refused_bytes(std::string(100000, '\x0b'), "truncated");
  std::filesystem::remove(input);
  refused_bytes("", "element type 0");
  std::filesystem::resize_file(input, std::uintmax_t{3} << 30);  // a hole: no such file is on the disk
  expect_refused(run({"onnx", folder()}), "3221225472 bytes are more than");
  for (const char* device : {"/dev/zero", "/dev/null", "/"}) {
    std::filesystem::remove(input);
    std::filesystem::create_symlink(device, input);
    expect_refused(run({"onnx", folder()}), "not a regular file");
  }
}

TEST_F(cli_onnx_data, node_tests_of_onnx) {
  const auto list = folders_in(TOPSPLIT_ONNX_NODE_TESTS, {"test_"});
  if (list.empty())
    GTEST_SKIP() << "cli_onnx_data.node_tests_of_onnx: TOPSPLIT_ONNX_NODE_TESTS names no folder of them";
  all_pass(list);
}

TEST_F(cli_onnx_data, node_tests_of_the_installed_onnx_package) {
  const auto list = folders_in("/usr/share/libonnx-testdata/data/node", {"test_top_k", "test_split_"});
  if (list.empty()) {
    GTEST_SKIP() << "cli_onnx_data.node_tests_of_the_installed_onnx_package: libonnx-testdata is not installed";
  }
  all_pass(list);
}

TEST_F(cli_onnx_data, models_in_use) {
  const std::string place = TOPSPLIT_REAL;
  const auto list = folders_in(place.empty() ? place : place + "/models", {"split_", "topk_", "heads"});
  if (list.empty()) GTEST_SKIP() << "cli_onnx_data.models_in_use: TOPSPLIT_REAL names no folder with models";
  all_pass(list);
}

}  // namespace
