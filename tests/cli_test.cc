// The command's arguments and its work on .npy tensors: results, tables, exit statuses, and that a run which fails
// leaves no file. .npy reading itself is in cli_npy_test.cc, models are in cli_onnx_test.cc.

#include <sys/stat.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "tests/cli_runner.h"
#include "topsplit/topsplit.h"

namespace {

using cli_runner::bytes_of;
using cli_runner::npy;
using cli_runner::npy_data;
using cli_runner::outcome;
using cli_runner::read_file;
using cli_runner::write_file;

class cli : public cli_runner::command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
    const std::vector<float> x{3, 1, NAN, 2, -1, 5, 5, 0, -INFINITY, 4, 4, 4};
    write_file(path("x.npy"), npy("<f4", "(2, 6)", bytes_of(x)));
  }

  std::string x() const { return path("x.npy"); }

  // Status 2 with this text, and no file beside the input.
  void refused(const std::vector<std::string>& arguments, const std::string& text) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const outcome result = run(arguments);
    expect_refused(result, text);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(files(), std::vector<std::string>{"x.npy"});
  }
};

TEST_F(cli, help_has_an_example_for_each_subcommand) {
  for (const std::string subcommand : {"", "info", "topk", "split", "onnx", "sweep"}) {
    const outcome result = subcommand.empty() ? run({"--help"}) : run({subcommand, "--help"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("Example: topsplit " + subcommand), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("--threads"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("--isa"), std::string::npos) << result.out;
  }
}

TEST_F(cli, version_and_info_name_what_is_linked) {
  EXPECT_EQ(run({"--version"}).out, std::string("topsplit ") + topsplit::version() + "\n");
  const outcome info = run({"info"});
  EXPECT_EQ(info.status, 0);
  for (std::size_t i = 0; i < topsplit::isa_count(); ++i) {
    EXPECT_NE(info.out.find(topsplit::isa_at(i).name), std::string::npos) << info.out;
  }
  EXPECT_NE(info.out.find("threads: a call may use "), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("TOPSPLIT_ISA: "), std::string::npos) << info.out;
  EXPECT_NE(run({"info", "--threads", "1"}).out.find("a call may use 1 of"), std::string::npos);
  for (const char* fact : {"processor: ", "affinity: ", "cgroup quota: ", "NUMA nodes: ", "caches: "}) {
    EXPECT_NE(info.out.find(fact), std::string::npos) << info.out;
  }
}

// Nobody writes to the pipe: a call that waits for it is ended by the runner's alarm.
TEST_F(cli, a_pipe_for_a_profile_is_refused_and_the_defaults_stand) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  setenv("TOPSPLIT_PROFILE", pipe.c_str(), 1);
  EXPECT_EQ(run({"topk", x(), "-k", "1"}).status, 0);
  const std::string info = run({"info"}).out;
  EXPECT_NE(info.find("refused, the defaults stand: profile " + pipe + ": not a regular file"), std::string::npos)
      << info;
}

TEST_F(cli, knobs_say_what_is_in_force_and_why) {
  const auto row_of = [&](const std::vector<std::string>& arguments, const std::string& name) {
    const outcome result = run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t at = result.out.find("\n" + name + " ");
    EXPECT_NE(at, std::string::npos) << result.out;
    return result.out.substr(at + 1, result.out.find('\n', at + 1) - at - 1);
  };
  EXPECT_NE(row_of({"info", "--knobs"}, "force_isa").find("(the widest available)"), std::string::npos);
  EXPECT_NE(row_of({"info", "--knobs", "--isa", "generic"}, "force_isa").find("generic (--isa)"), std::string::npos);
  setenv("TOPSPLIT_ISA", "generic", 1);
  EXPECT_NE(row_of({"info", "--knobs"}, "force_isa").find("generic (TOPSPLIT_ISA)"), std::string::npos);
  unsetenv("TOPSPLIT_ISA");
  EXPECT_NE(row_of({"info", "--knobs"}, "execution::max_tasks").find("(affinity and quota)"), std::string::npos);
  const std::string all = run({"info", "--knobs"}).out;
  for (std::size_t i = 0; i < topsplit::threshold_count(); ++i) {
    const topsplit::threshold t = topsplit::threshold_at(i);
    const std::string name = t.name, own = std::to_string(t.own);
    const std::regex row("\n" + name + " +" + own + "  .*  " + own + " \\(the plan's own\\)\n");
    EXPECT_TRUE(std::regex_search(all, row)) << name << "\n" << all;
  }
}

// Each knob that the command shows has its row in README.md, with the number where one is told that no machine changes.
TEST_F(cli, knobs_are_those_of_the_readme) {
  const std::string readme = read_file(TOPSPLIT_README), shown = run({"info", "--knobs"}).out;
  std::istringstream lines(shown);
  std::string line;
  std::getline(lines, line);  // the head
  std::size_t rows = 0;
  for (; std::getline(lines, line) && !line.empty(); ++rows) {
    const std::string name = line.substr(0, line.find("  "));
    EXPECT_NE(readme.find("\n| `" + name + "` |"), std::string::npos) << name;
    const std::size_t begin = line.find_first_not_of(' ', name.size()), end = line.find("  ", begin);
    const std::string fallback = line.substr(begin, end - begin);
    const bool is_number = fallback.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && name != "split_stream_from_bytes") {
      EXPECT_NE(readme.find("\n| `" + name + "` | " + fallback + " |"), std::string::npos) << line;
    }
  }
  EXPECT_GT(rows, 10U) << shown;
}

TEST_F(cli, topk_writes_values_and_indices) {
  ASSERT_EQ(run({"topk", x(), "-k", "3", "-o", path("v.npy"), path("i.npy")}).status, 0);
  EXPECT_EQ(npy_data(path("v.npy"), "<f4", "(2, 3)"), bytes_of(std::vector<float>{NAN, 5, 3, 5, 4, 4}));
  EXPECT_EQ(npy_data(path("i.npy"), "<i8", "(2, 3)"), bytes_of(std::vector<std::int64_t>{2, 5, 0, 0, 3, 4}));
}

TEST_F(cli, topk_options_reach_the_library) {
  ASSERT_EQ(run({"topk", "--smallest", "--unsorted", "-o", path("v.npy"), path("i.npy"), "-k", "2", x()}).status, 0);
  EXPECT_EQ(npy_data(path("v.npy"), "<f4", "(2, 2)"), bytes_of(std::vector<float>{1, -1, 0, -INFINITY}));
  EXPECT_EQ(npy_data(path("i.npy"), "<i8", "(2, 2)"), bytes_of(std::vector<std::int64_t>{1, 4, 1, 2}));
  ASSERT_EQ(run({"topk", x(), "-k", "1", "--axis", "-2", "-o", path("v.npy"), path("i.npy")}).status, 0);
  EXPECT_EQ(npy_data(path("i.npy"), "<i8", "(1, 6)"), bytes_of(std::vector<std::int64_t>{1, 0, 0, 1, 1, 0}));
  ASSERT_EQ(run({"topk", x(), "-k", "0", "-o", path("v.npy"), path("i.npy")}).status, 0);
  EXPECT_EQ(npy_data(path("v.npy"), "<f4", "(2, 0)"), "");
}

TEST_F(cli, every_isa_and_thread_count_writes_the_same_bytes) {
  ASSERT_EQ(run({"topk", x(), "-k", "4", "-o", path("v.npy"), path("i.npy")}).status, 0);
  for (std::size_t i = 0; i < topsplit::isa_count(); ++i) {
    if (!topsplit::isa_at(i).available) continue;
    const std::string name = topsplit::isa_at(i).name;
    SCOPED_TRACE(name);
    ASSERT_EQ(run({"--isa", name, "topk", x(), "-k", "4", "-o", path("w.npy"), path("j.npy")}).status, 0);
    EXPECT_EQ(read_file(path("w.npy")), read_file(path("v.npy")));
    ASSERT_EQ(run({"topk", x(), "-k", "4", "--isa", name, "--threads", "2", "-o", path("w.npy"), path("j.npy")}).status,
              0);
    EXPECT_EQ(read_file(path("j.npy")), read_file(path("i.npy")));
  }
}

TEST_F(cli, split_writes_a_file_a_part) {
  ASSERT_EQ(run({"split", x(), "--axis", "1", "--parts", "2,0,4", "-o", path("p")}).status, 0);
  EXPECT_EQ(npy_data(path("p.0.npy"), "<f4", "(2, 2)"), bytes_of(std::vector<float>{3, 1, 5, 0}));
  EXPECT_EQ(npy_data(path("p.1.npy"), "<f4", "(2, 0)"), "");
  EXPECT_EQ(npy_data(path("p.2.npy"), "<f4", "(2, 4)"),
            bytes_of(std::vector<float>{NAN, 2, -1, 5, -INFINITY, 4, 4, 4}));
  ASSERT_EQ(run({"split", x(), "--axis", "-1", "--num-outputs", "4", "-o", path("q")}).status, 0);
  EXPECT_EQ(npy_data(path("q.2.npy"), "<f4", "(2, 2)"), bytes_of(std::vector<float>{-1, 5, 4, 4}));
  EXPECT_EQ(npy_data(path("q.3.npy"), "<f4", "(2, 0)"), "");
}

TEST_F(cli, bfloat16_travels_as_uint16) {
  const std::vector<std::uint16_t> bits{0x3f80, 0xbf80, 0x7fc0, 0x4000};  // 1, -1, NaN, 2
  write_file(path("b.npy"), npy("<u2", "(4,)", bytes_of(bits)));
  ASSERT_EQ(run({"topk", path("b.npy"), "-k", "4", "--type", "bf16", "-o", path("v.npy"), path("i.npy")}).status, 0);
  EXPECT_EQ(npy_data(path("v.npy"), "<u2", "(4,)"),
            bytes_of(std::vector<std::uint16_t>{0x7fc0, 0x4000, 0x3f80, 0xbf80}));
  ASSERT_EQ(run({"--type", "bf16", "split", path("b.npy"), "--axis", "0", "--parts", "4", "-o", path("p")}).status, 0);
  EXPECT_EQ(npy_data(path("p.0.npy"), "<u2", "(4,)"), bytes_of(bits));
  EXPECT_NE(run({"topk", path("b.npy"), "-k", "2", "--type", "bf16"}).out.find("[:]    1     3      2\n"),
            std::string::npos);
  expect_refused(run({"topk", x(), "-k", "1", "--type", "bf16"}), "--type bf16 reads uint16");
}

TEST_F(cli, without_o_a_table_shows_the_first_results) {
  EXPECT_EQ(run({"topk", x(), "-k", "2"}).out,
            "TopK of float [2, 6] along axis 1: the 2 largest, best first\n"
            "slice   rank  index  value\n"
            "[0, :]  0     2      nan\n"
            "[0, :]  1     5      5\n"
            "[1, :]  0     0      5\n"
            "[1, :]  1     3      4\n"
            "4 of 4 results shown\n");
  EXPECT_EQ(run({"split", x(), "--axis", "0", "--num-outputs", "2"}).out,
            "Split of float [2, 6] into 2 parts\n"
            "part  along axis 0  shape   first elements\n"
            "0     [0, 1)        [1, 6]  3 1 nan 2 -1 5\n"
            "1     [1, 2)        [1, 6]  5 0 -inf 4 4 4\n"
            "2 of 2 parts shown\n");
  EXPECT_EQ(files(), std::vector<std::string>{"x.npy"});
}

TEST_F(cli, tables_show_each_type_as_it_is_read) {
  const struct {
    const char *descr, *shown;
    std::string data;
  } cases[] = {{"<f2", "0.33325 -inf 5.9605e-08", bytes_of(std::vector<std::uint16_t>{0x3555, 0xfc00, 1})},
               {"<f8", "0.1 -0 1e+300", bytes_of(std::vector<double>{0.1, -0.0, 1e300})},
               {"|i1", "-128 0 127", bytes_of(std::vector<std::int8_t>{-128, 0, 127})},
               {"<u8", "18446744073709551615 0 1", bytes_of(std::vector<std::uint64_t>{UINT64_MAX, 0, 1})},
               {"|b1", "false true true", std::string("\0\1\1", 3)},
               {"<c8", "1-2i 0+0.5i nan+infi", bytes_of(std::vector<float>{1, -2, 0, 0.5F, NAN, INFINITY})}};
  for (const auto& each : cases) {
    write_file(path("t.npy"), npy(each.descr, "(3,)", each.data));
    const outcome result = run({"split", path("t.npy"), "--axis", "0", "--parts", "3"});
    EXPECT_NE(result.out.find(std::string("[3]    ") + each.shown + "\n"), std::string::npos)
        << result.out << result.err;
  }
}

TEST_F(cli, tables_stay_short_for_any_shape) {
  write_file(path("z.npy"), npy("<f4", "(1099511627776, 0, 5)", ""));
  const outcome empty = run({"topk", path("z.npy"), "-k", "2"});
  EXPECT_EQ(empty.status, 0) << empty.err;
  EXPECT_NE(empty.out.find("0 of 0 results shown"), std::string::npos);
  write_file(path("long.npy"), npy("|u1", "(1, 300, 1, 2)", std::string(600, '\7')));
  const outcome many = run({"topk", path("long.npy"), "-k", "200", "--axis", "1"});
  EXPECT_NE(many.out.find("20 of 400 results shown"), std::string::npos) << many.out;
  const outcome parts = run({"split", path("long.npy"), "--axis", "1", "--num-outputs", "300"});
  EXPECT_NE(parts.out.find("20 of 300 parts shown"), std::string::npos) << parts.out;
}

TEST_F(cli, bad_arguments_are_refused) {
  refused({}, "info, topk, split, onnx, sweep, report or tune?");
  refused({"bogus"}, "bogus");
  refused({"info", "more"}, "more");
  refused({"topk"}, "IN.npy is required");
  refused({"topk", x()}, "-k is required");
  refused({"topk", x(), "-k"}, "-k");
  refused({"topk", x(), "-k", "2.5"}, "'2.5' is no whole number");
  refused({"topk", x(), "-k", "9223372036854775808"}, "more than 63 bits");
  refused({"topk", x(), "-k", "1", "--bogus"}, "--bogus");
  refused({"topk", x(), "-k", "1", "--type", "f8"}, "'f8' is not bf16");
  refused({"topk", x(), "-k", "1", "--isa", "avx3"}, "topsplit: --isa: \"avx3\" is no ISA; present: generic");
  refused({"--isa", "avx3", "info"}, "generic");  // lists those present
  refused({"topk", x(), "-k", "1", "--threads", "-1"}, "topsplit: --threads = -1 is negative");
  refused({"topk", x(), "-k", "1", "--threads", "4294967297"}, "4294967297");
  refused({"topk", x(), "-k", "1", "-o", path("v.npy")}, "-o");
  refused({"topk", x(), "-k", "1", "-o", path("v.npy"), ""}, "topsplit: -o: the name is empty");
  refused({"split", x(), "--axis", "1", "--parts", "6", "-o", ""}, "topsplit: -o: the name is empty");
  refused({"onnx", "--run", path("model"), "-o", ""}, "topsplit: -o: the name is empty");
  refused({"sweep", "--set", "quick", "-o", ""}, "topsplit: -o: the name is empty");
  refused({"tune", "--quick", "-o", ""}, "topsplit: -o: the name is empty");
  for (const char* option : {"-o", "--csv", "--markdown"}) {
    refused({"report", x(), option, ""}, std::string("topsplit: ") + option + ": the name is empty");
  }
  refused({"split", x(), "--parts", "6"}, "--axis is required");
  refused({"split", x(), "--axis", "1"}, "neither of --parts and --num-outputs");
  refused({"split", x(), "--axis", "1", "--parts", "3,3", "--num-outputs", "2"}, "both of --parts and --num-outputs");
  refused({"split", x(), "--axis", "1", "--parts", "3,,3"}, "--parts: '' is no whole number");
  refused({"split", x(), "--axis", "1", "--parts", "3,a"}, "--parts: 'a' is no whole number");
  refused({"onnx"}, "DIR is required");
  setenv("TOPSPLIT_ISA", "avx3", 1);
  refused({"info"}, "topsplit: TOPSPLIT_ISA = \"avx3\" is no ISA; present: generic");
  unsetenv("TOPSPLIT_ISA");
  EXPECT_NE(read_file(TOPSPLIT_README).find("go with each of them but `report` and `tune`"), std::string::npos);
  for (const char* without : {"report", "tune"}) refused({without, "--isa", "generic"}, "--isa");
  refused({"--type", "bf16", "info"}, "--type is an option of topk and split alone");
}

TEST_F(cli, what_the_library_refuses_is_told_in_its_words) {
  const std::vector<std::string> outputs{"-o", path("v.npy"), path("i.npy")};
  const auto topk_refused = [&](std::vector<std::string> arguments, const std::string& text) {
    arguments.insert(arguments.begin(), {"topk", x()});
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    refused(arguments, text);
  };
  topk_refused({"-k", "7"}, "TopK: k = 7 exceeds axis 1 of length 6");
  topk_refused({"-k", "-1"}, "TopK: k = -1");
  topk_refused({"-k", "4294967297"}, "TopK: k = 4294967297 exceeds axis 1 of length 6");
  topk_refused({"-k", "1", "--axis", "2"}, "axis 2");
  topk_refused({"-k", "1", "--axis", "-3"}, "axis -3");
  const auto split_refused = [&](std::vector<std::string> arguments, const std::string& text) {
    arguments.insert(arguments.begin(), {"split", x(), "-o", path("p")});
    refused(arguments, text);
  };
  split_refused({"--axis", "1", "--parts", "8,-2"}, "-2");
  split_refused({"--axis", "1", "--parts", "1,2"}, "Split: ");
  split_refused({"--axis", "2", "--parts", "1"}, "axis 2");
  split_refused({"--axis", "1", "--num-outputs", "5"}, "Split: ");  // 2, 2, 2, 2, -2
  split_refused({"--axis", "1", "--num-outputs", "0"}, "num_outputs = 0");
  split_refused({"--axis", "1", "--num-outputs", "9223372036854775807"}, "num_outputs = 9223372036854775807");
}

TEST_F(cli, types_and_ranks_without_topk_are_refused) {
  write_file(path("t.npy"), npy("|b1", "(2,)", std::string("\0\1", 2)));
  expect_refused(run({"topk", path("t.npy"), "-k", "1"}), "TopK: ");
  write_file(path("t.npy"), npy("<c8", "(1,)", std::string(8, '\0')));
  expect_refused(run({"topk", path("t.npy"), "-k", "1"}), "TopK: ");
  write_file(path("t.npy"), npy("<f4", "()", std::string(4, '\0')));
  expect_refused(run({"topk", path("t.npy"), "-k", "1"}), "rank 0");
  expect_refused(run({"split", path("t.npy"), "--axis", "0", "--parts", "1"}), "rank 0");
}

TEST_F(cli, an_output_that_cannot_be_written_leaves_none) {
  const auto topk_into = [&](const std::string& values, const std::string& indices, const std::string& text) {
    refused({"topk", x(), "-k", "1", "-o", values, indices}, text);
  };
  topk_into(path("v.npy"), path("none/i.npy"), "No such file or directory");
  topk_into(path("none/v.npy"), path("i.npy"), "No such file or directory");
  topk_into(path("v.npy"), path(""), "Is a directory");
  topk_into(path("v.npy"), "/dev/full", "No space left on device");
  topk_into(path("v.npy"), path("v.npy"), "two outputs");
  topk_into(path("v.npy"), path("./v.npy"), "two outputs");
  topk_into(std::filesystem::relative(path("v.npy")), path("v.npy"), "two outputs");
  topk_into(x() + "/v.npy", path("i.npy"), "Not a directory");
  refused({"split", x(), "--axis", "1", "--parts", "6", "-o", path("none/p")}, "No such file or directory");
  const outcome table = run({"topk", path("none.npy"), "-k", "1"});
  expect_refused(table, "No such file or directory");
}

TEST_F(cli, targets_are_replaced_only_by_success) {
  write_file(path("v.npy"), "old");
  expect_refused(run({"topk", x(), "-k", "1", "-o", path("v.npy"), path("none/i.npy")}), "none/i.npy");
  EXPECT_EQ(read_file(path("v.npy")), "old");
  std::filesystem::create_symlink("v.npy", path("link.npy"));
  ASSERT_EQ(run({"topk", x(), "-k", "1", "-o", path("link.npy"), path("i.npy")}).status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  EXPECT_EQ(npy_data(path("v.npy"), "<f4", "(2, 1)"), bytes_of(std::vector<float>{NAN, 5}));
  // A device stays, the input may be replaced.
  ASSERT_EQ(run({"topk", x(), "-k", "1", "-o", "/dev/null", x()}).status, 0);
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
  EXPECT_EQ(npy_data(x(), "<i8", "(2, 1)"), bytes_of(std::vector<std::int64_t>{2, 0}));
}

TEST_F(cli, a_link_to_nothing_stays_and_its_target_is_made) {
  std::filesystem::create_symlink("second.npy", path("first.npy"));
  std::filesystem::create_symlink("v.npy", path("second.npy"));
  expect_refused(run({"topk", x(), "-k", "1", "-o", path("first.npy"), path("v.npy")}), "two outputs");
  ASSERT_EQ(run({"topk", x(), "-k", "1", "-o", path("first.npy"), path("i.npy")}).status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("first.npy")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("second.npy")));
  EXPECT_EQ(npy_data(path("v.npy"), "<f4", "(2, 1)"), bytes_of(std::vector<float>{NAN, 5}));
  std::filesystem::create_symlink("loop.npy", path("loop.npy"));
  expect_refused(run({"topk", x(), "-k", "1", "-o", path("loop.npy"), path("i.npy")}), "loop.npy: Too many levels");
  EXPECT_TRUE(std::filesystem::is_symlink(path("loop.npy")));
}

TEST_F(cli, a_replaced_file_keeps_its_mode) {
  using std::filesystem::perms;
  const perms odd = perms::owner_read | perms::owner_write | perms::others_read;
  write_file(path("v.npy"), "old");
  std::filesystem::permissions(path("v.npy"), odd);
  ASSERT_EQ(run({"topk", x(), "-k", "1", "-o", path("v.npy"), path("i.npy")}).status, 0);
  EXPECT_EQ(std::filesystem::status(path("v.npy")).permissions(), odd);
}

TEST_F(cli, a_read_only_file_is_not_replaced) {
  if (geteuid() == 0) GTEST_SKIP() << "cli.a_read_only_file_is_not_replaced needs a user other than root";
  write_file(path("v.npy"), "old");
  std::filesystem::permissions(path("v.npy"), std::filesystem::perms::owner_read);
  expect_refused(run({"topk", x(), "-k", "1", "-o", path("v.npy"), path("i.npy")}), "v.npy: Permission denied");
  EXPECT_EQ(read_file(path("v.npy")), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"v.npy", "x.npy"}));
}

TEST_F(cli, a_limit_on_file_sizes_is_an_error_like_any_other) {
  write_file(path("x.npy"), npy("|u1", "(10000,)", std::string(10000, '\7')));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const outcome result = run({"topk", x(), "-k", "9000", "-o", path("v.npy"), path("i.npy")});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  expect_refused(result, "v.npy: File too large");
  EXPECT_EQ(files(), std::vector<std::string>{"x.npy"});
}

TEST_F(cli, what_standard_output_does_not_take_is_an_error) {
  const std::vector<std::vector<std::string>> runs{{"--help"}, {"--version"}, {"topk", "--help"}, {"info"}};
  for (const auto& arguments : runs) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    expect_refused(run_into("/dev/full", arguments), "cannot write to standard output");
  }
}

TEST_F(cli, many_dimensions_are_not_all_shown) {
  std::string ones;
  for (int i = 0; i < 1000; ++i) ones += "1, ";
  write_file(path("t.npy"), npy("|u1", "(" + ones + ")", "\7"));
  const std::string shown = "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...]";
  const outcome table = run({"split", path("t.npy"), "--axis", "0", "--parts", "1"});
  EXPECT_EQ(table.out.rfind("Split of uint8 " + shown + " into 1 parts\n", 0), 0U) << table.out << table.err;
  EXPECT_LT(table.out.size(), 400U);
  EXPECT_NE(run({"topk", path("t.npy"), "-k", "1"}).out.find("TopK of uint8 " + shown), std::string::npos);
  // What is written has them all.
  ASSERT_EQ(run({"split", path("t.npy"), "--axis", "0", "--parts", "1", "-o", path("p")}).status, 0);
  EXPECT_EQ(npy_data(path("p.0.npy"), "|u1", "(" + ones.substr(0, ones.size() - 2) + ")"), "\7");
}

}  // namespace
