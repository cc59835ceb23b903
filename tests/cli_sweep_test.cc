// `topsplit sweep` and `topsplit report`: what a result holds, that it survives being stopped, killed and gone on with, what
// a report says of two results, and that what cannot be done is told in one line. Nothing here asks for speed: results that
// a comparison needs are made by changing the times of a real one.

#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/cli_runner.h"
#include "topsplit/profile.h"

namespace {

using cli_runner::outcome;
using cli_runner::read_file;
using cli_runner::write_file;
using nlohmann::json;

class cli_sweep : public cli_runner::command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
#ifndef TOPSPLIT_HAS_SWEEP
    GTEST_SKIP() << "built without the benchmarks";
#endif
  }

  // Measures, as shortly as can be, into r.json.
  outcome sweep(std::vector<std::string> more) const {
    more.insert(more.begin(), {"sweep", "--min-time", "0.0001", "--repetitions", "2", "-o", path("r.json")});
    return run(more);
  }

  json result() const { return json::parse(read_file(path("r.json"))); }

  void refused(const std::vector<std::string>& arguments, const std::string& text) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    expect_refused(run(arguments), text);
  }

  // The result again, with the times of points of this way times a factor.
  void write_changed(const std::string& name, const std::string& of_way, double factor) const {
    json changed = result();
    std::set<std::string> points;
    for (const json& point : changed["points"]) {
      if (point["way"] == of_way) points.insert(point["name"]);
    }
    for (json& run : changed["benchmarks"]) {
      if (points.count(run["point"]) != 0) run["real_time"] = run["real_time"].get<double>() * factor;
    }
    write_file(path(name), changed.dump());
  }

  // Starts a long sweep, waits until it has kept something, and ends it by this signal.
  int end_by(int signal_number) const {
    const std::string file = path("r.json");
    const pid_t child = fork();
    if (child == 0) {
      dup2(open("/dev/null", O_RDWR), STDOUT_FILENO);
      dup2(STDOUT_FILENO, STDERR_FILENO);
      execl(TOPSPLIT_COMMAND, "topsplit", "sweep", "--op", "split", "--piece", "1..64", "--element", "1", "--bytes",
            "4K", "--min-time", "0.002", "--repetitions", "2", "-o", file.c_str(), nullptr);
      _exit(127);
    }
    for (int i = 0; i < 2000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (fs_size(file) > 0 && !result()["points"].empty()) break;
    }
    kill(child, signal_number);
    int state = 0;
    waitpid(child, &state, 0);
    return state;
  }

  static std::uintmax_t fs_size(const std::string& file) {
    std::error_code error;
    const std::uintmax_t size = cli_runner::fs::file_size(file, error);
    return error ? 0 : size;
  }
};

const std::vector<std::string> small_grid = {"--op", "topk,split", "--n",  "100,1e3", "--k",
                                             "5",    "--piece",    "4,12", "--bytes", "4K"};

TEST_F(cli_sweep, a_result_holds_points_times_plan_and_machine) {
  std::vector<std::string> arguments = small_grid;
  arguments.insert(arguments.end(), {"--against", "std", "--isa", "generic,auto"});
  const outcome done = sweep(arguments);
  ASSERT_EQ(done.status, 0) << done.err;
  const json r = result();
  EXPECT_EQ(r["points"].size(), 4U * 4);  // four shapes; the limit, two ISAs, std
  EXPECT_NE(done.out.find("16 points measured"), std::string::npos) << done.out;
  for (const char* fact : {"processor", "caches", "NUMA nodes", "cgroup quota", "oneTBB", "profile"}) {
    EXPECT_TRUE(r["topsplit"]["machine"].contains(fact)) << fact;
  }
  EXPECT_TRUE(r["context"].contains("num_cpus"));
  for (const json& point : r["points"]) {
    std::size_t repetitions = 0;
    for (const json& run : r["benchmarks"]) {
      repetitions += run["point"] == point["name"] && run["run_type"] == "iteration";
    }
    EXPECT_EQ(repetitions, 2U) << point;
    EXPECT_EQ(point["check"], point["way"] == "read" ? "" : "equal") << point;
    EXPECT_EQ(point.contains("plan"), point["way"] == "topsplit") << point;
  }
}

TEST_F(cli_sweep, a_second_run_goes_on_with_the_first) {
  ASSERT_EQ(sweep({"--op", "topk", "--n", "100", "--k", "5"}).status, 0);
  const json first = result();
  EXPECT_NE(sweep({"--op", "topk", "--n", "100", "--k", "5"}).out.find("0 points measured"), std::string::npos);
  EXPECT_EQ(result(), first);
  EXPECT_NE(sweep({"--op", "topk", "--n", "100,200", "--k", "5"}).out.find("2 points measured"), std::string::npos);
  EXPECT_EQ(result()["points"].size(), 4U);
  EXPECT_EQ(result()["points"][0], first["points"][0]);
  expect_refused(sweep({"--op", "topk", "--n", "100", "--k", "5", "--cache", "hot"}), "measured with another cache");
  EXPECT_EQ(result()["points"].size(), 4U);
  EXPECT_EQ(sweep({"--op", "topk", "--n", "100", "--k", "5", "--cache", "hot", "--restart"}).status, 0);
  EXPECT_EQ(result()["points"].size(), 2U);
  write_file(path("r.json"), "{\"points\": []}");
  expect_refused(sweep({"--op", "topk"}), "not a result of topsplit sweep");
}

TEST_F(cli_sweep, a_stopped_run_keeps_what_it_has_and_ends_well) {
  const int state = end_by(SIGINT);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0) << state;
  const std::size_t kept = result()["points"].size();
  EXPECT_GT(kept, 0U);
  EXPECT_LT(kept, 128U);
  EXPECT_EQ(run({"report", path("r.json")}).status, 0);
}

TEST_F(cli_sweep, a_killed_run_leaves_a_whole_file) {
  for (int i = 0; i < 3; ++i) {
    const int state = end_by(SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(state));
    EXPECT_FALSE(result()["points"].empty());
    for (const std::string& file : files()) {
      EXPECT_FALSE(json::parse(read_file(path(file)), nullptr, false).is_discarded()) << file;
    }
  }
}

TEST_F(cli_sweep, caches_threads_and_pools_are_measured) {
  const std::string all = run({"info", "--knobs"}).out.find("1 (affinity") != std::string::npos ? "1" : "1,2";
  for (const char* cache : {"hot", "rotating"}) {
    EXPECT_EQ(sweep({"--op", "topk", "--n", "4e5", "--k", "5", "--pool", "arena,own,pinned", "--threads", all,
                     "--cache", cache, "--restart", "--limits", "read,copy"})
                  .status,
              0);
    EXPECT_EQ(result()["points"].size(), all == "1" ? 3U : 3U + 5U);
  }
}

// Google Benchmark's counters tell what each state does with the data.
TEST_F(cli_sweep, data_lies_where_it_is_asked_to) {
  constexpr double input = 4e4, cache = 1 << 20;
  std::map<std::string, double> rotation, evicted;
  for (const std::string state : {"rotating", "hot", "memory", "cold"}) {
    ASSERT_EQ(
        sweep({"--op", "topk", "--n", "1e4", "--k", "5", "--cache", state, "--cache-bytes", "1M", "--restart"}).status,
        0);
    const json r = result();
    EXPECT_EQ(r["topsplit"]["cache"], state);
    for (const json& point : r["points"]) EXPECT_EQ(point["cache"], state);
    for (const json& run : r["benchmarks"]) {
      if (run["run_type"] != "iteration") continue;
      EXPECT_EQ(run["llc"], cache);
      rotation[state] = run["rotation"];
      evicted[state] = run.value("evicted", 0.0);
    }
  }
  EXPECT_EQ(rotation["hot"], input);
  EXPECT_EQ(rotation["cold"], input);
  EXPECT_GT(rotation["rotating"], 10 * input);
  EXPECT_GT(rotation["memory"], 2 * cache - 2 * input);
  EXPECT_LT(rotation["memory"], 2 * cache);
  EXPECT_GT(evicted["cold"], cache);
  for (const char* state : {"rotating", "hot", "memory"}) EXPECT_EQ(evicted[state], 0) << state;
}

TEST_F(cli_sweep, sets_list_their_points) {
  const auto lines_of = [&](const std::string& set) {
    const outcome listed = run({"sweep", "--set", set, "--list"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    return std::count(listed.out.begin(), listed.out.end(), '\n');
  };
  EXPECT_EQ(lines_of("workloads"), 67 * 2);
  for (const char* set : {"quick", "scaling", "isa"}) EXPECT_GT(lines_of(set), 10) << set;
  EXPECT_NE(run({"sweep", "--set", "workloads", "--list", "--op", "split"}).out.find("S28/topsplit"),
            std::string::npos);
  EXPECT_EQ(run({"sweep", "--set", "workloads", "--list", "--op", "split"}).out.find("T01"), std::string::npos);
}

TEST_F(cli_sweep, bad_grids_names_and_outputs_are_refused) {
  const std::string out = path("r.json");
  refused({"sweep", "--op", "topk"}, "-o RESULT.json is missing");
  const auto grid_refused = [&](std::vector<std::string> arguments, const std::string& text) {
    arguments.insert(arguments.begin(), {"sweep", "-o", out});
    refused(arguments, text);
  };
  grid_refused({"--set", "all"}, "--set: \"all\" is none of workloads, quick, scaling, isa, roofline");
  grid_refused({"--set", "quick", "--n", "5"}, "--n: a set has its own shapes");
  grid_refused({"--op", "sort"}, "--op: \"sort\" is none of topk, split");
  grid_refused({"--op", "split", "--n", "5"}, "--n: an axis of topk, which --op leaves out");
  grid_refused({"--op", "topk", "--n", "5", "--k", "1", "--piece", "4"}, "--piece: an axis of split, which --op");
  grid_refused({"--n", "ten"}, "--n: \"ten\" is no whole number");
  grid_refused({"--n", "9..1"}, "\"9..1\" goes down");
  grid_refused({"--n", "1..9*1"}, "never ends");
  grid_refused({"--n", "1,,2"}, "empty place");
  grid_refused({"--n", "99999999999999999999"}, "no whole number");
  grid_refused({"--n", "1..1e6"}, "more than 100000 values");
  grid_refused({"--op", "topk", "--n", "5", "--k", "6"},
               "nothing of this grid can be measured; 1 shape left out: k is");
  grid_refused({"--k", "5,n/0"}, "--k: \"n/0\" divides by 0");
  grid_refused({"--op", "topk", "--n", "1e12", "--k", "6"}, "the tensors take more than half of the memory");
  grid_refused({"--op", "topk", "--n", "5", "--k", "6,7"}, "; 2 shapes left out: k is");
  grid_refused({"--op", "split", "--bytes", "0"}, "or no row the bytes");
  grid_refused({"--op", "topk", "--filter", "nothing"}, "no point's name holds what --filter");
  grid_refused({"--against", "ort:"}, "--against ort: the path of a libonnxruntime.so is missing");
  grid_refused({"--type", "f8"}, "--type: \"f8\" is none of float, double");
  grid_refused({"--dist", "odd"}, "--dist: \"odd\" is none of uniform");
  grid_refused({"--isa", "avx3"}, "--isa: \"avx3\" is none of auto, generic");
  grid_refused({"--threads", "0"}, "--threads: 0 is not from 1 to");
  grid_refused({"--threads", "99999"}, "that this process may use, which are \"all\"");
  grid_refused({"--pool", "lake"}, "--pool: \"lake\" is none of arena, own, pinned");
  grid_refused({"--limits", "sky"}, "--limits: \"sky\" is none of");
  grid_refused({"--cache", "warm"}, "--cache: \"warm\" is none of");
  grid_refused({"--cache-bytes", "big"}, "--cache-bytes: \"big\" is no whole number");
  grid_refused({"--cache-bytes", "0"}, "--cache-bytes: 0 is no size");
  grid_refused({"--element", "3"}, "--element: 3 bytes");
  grid_refused({"--min-time", "-1"}, "--min-time: \"-1\" is no number of seconds");
  grid_refused({"--repetitions", "0"}, "--repetitions: not from 1 to 1000");
  grid_refused({"--filter", "("}, "--filter: \"(\" is no extended regular expression");
  grid_refused({"--against", "mkl"}, "--against: \"mkl\" is none of ort:PATH, torch, faiss, std");
  grid_refused({"--against", "ort:/nowhere/libonnxruntime.so"}, "/nowhere/libonnxruntime.so");
  grid_refused({"--against", "ort:libm.so.6"}, "is not ONNX Runtime");
  EXPECT_EQ(files(), std::vector<std::string>());
  refused({"sweep", "--op", "topk", "-o", path("no/r.json")}, "No such file or directory");
  refused({"sweep", "--op", "topk", "-o", path("")}, "Is a directory");
  refused({"sweep", "--op", "topk", "-o", "/dev/full"}, "No space left on device");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  refused({"sweep", "--op", "topk", "-o", path("pipe")}, "pipe: a pipe cannot hold a result");
}

TEST_F(cli_sweep, reports_come_as_text_and_refuse_what_is_no_result) {
  const std::vector<std::string> one = {"--op", "topk", "--n", "100", "--k", "5", "--limits", "none"};
  EXPECT_NE(sweep(one).out.find("1 point measured into"), std::string::npos);
  EXPECT_NE(run({"report", path("r.json")}).out.find("r.json: 1 point\n"), std::string::npos);
  ASSERT_EQ(sweep({"--op", "topk", "--n", "100", "--k", "5", "--restart"}).status, 0);
  ASSERT_EQ(run({"report", path("r.json"), "--csv", path("r.csv"), "--markdown", path("r.md")}).status, 0);
  const std::string csv = read_file(path("r.csv"));
  EXPECT_EQ(csv.rfind("result,name,shape,workload,op,", 0), 0U) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_NE(read_file(path("r.md")).find("| shape | way | ISA |"), std::string::npos);
  refused({"report"}, "RESULT.json is required");
  refused({"report", path("none.json")}, "No such file");
  for (const char* threshold : {"nan", "-nan", "-5", "inf"}) {
    refused({"report", path("r.json"), "--threshold", threshold}, "--threshold is no number of per cent from 0 on");
  }
  write_file(path("bad.json"), "{\"points\": [1], \"benchmarks\": [], \"topsplit\": {}, \"plans\": {}}");
  refused({"report", path("bad.json")}, "bad.json: not a result of topsplit sweep");
  write_file(path("bad.json"), "\x1f\x8b garbage");
  refused({"report", path("bad.json")}, "bad.json: not a result of topsplit sweep");
  const std::string before = read_file(path("r.json"));
  cli_runner::fs::create_symlink("r.json", path("link.json"));
  for (const char* option : {"-o", "--csv", "--markdown"}) {
    refused({"report", path("r.json"), option, path("r.json")}, "r.json is a result that is read");
    refused({"report", path("r.json"), option, path("link.json")}, "link.json is a result that is read");
  }
  EXPECT_EQ(read_file(path("r.json")), before);
  refused({"report", path("r.json"), "--csv", "/dev/full"}, "No space left on device");
  refused({"report", path("r.json"), "--markdown", path("no/r.md")}, "No such file or directory");
}

TEST_F(cli_sweep, a_regression_beyond_the_noise_fails_on_request) {
  ASSERT_EQ(sweep({"--op", "topk", "--n", "100", "--k", "5", "--against", "std"}).status, 0);
  const std::string before = path("r.json");
  write_changed("slow.json", "topsplit", 100);
  write_changed("same.json", "topsplit", 1.001);
  write_changed("other.json", "std", 100);
  const outcome told = run({"report", before, path("slow.json")});
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_NE(told.out.find("1 slower, 0 faster"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find(": 3 points in both"), std::string::npos) << told.out;
  EXPECT_EQ(run({"report", before, path("slow.json"), "--fail-on-regression"}).status, 1);
  EXPECT_EQ(run({"report", path("slow.json"), before, "--fail-on-regression"}).status, 0);
  EXPECT_EQ(run({"report", before, path("same.json"), "--fail-on-regression"}).status, 0);
  EXPECT_EQ(run({"report", before, path("other.json"), "--fail-on-regression"}).status, 0);
  EXPECT_EQ(run({"report", before, path("slow.json"), "--fail-on-regression", "--threshold", "99999"}).status, 0);
}

TEST_F(cli_sweep, nothing_to_compare_is_no_good_result) {
  ASSERT_EQ(sweep({"--op", "topk", "--n", "200", "--k", "5", "--against", "std"}).status, 0);
  const std::string before = path("before.json");
  json theirs = result();
  write_file(before, theirs.dump());
  for (json& point : theirs["points"]) {
    if (point["way"] == "topsplit") point["name"] = "renamed";
  }
  for (json& one : theirs["benchmarks"]) {
    if (one["point"].get<std::string>().find("/topsplit/") != std::string::npos) one["point"] = "renamed";
  }
  write_file(path("theirs.json"), theirs.dump());
  ASSERT_EQ(sweep({"--op", "topk", "--n", "100", "--k", "5", "--restart"}).status, 0);
  const auto nothing_compared = [&](std::vector<std::string> results, const std::string& text) {
    results.insert(results.begin(), {"report", "--fail-on-regression", "--csv", path("out.csv")});
    refused(results, text);
  };
  nothing_compared({before}, "--fail-on-regression compares results; there is one");
  nothing_compared({before, path("r.json")}, "before.json and " + path("r.json") + " have no point of ours in common");
  nothing_compared({before, path("theirs.json")}, "have no point of ours in common");
  nothing_compared({before, before, path("r.json")}, "have no point of ours in common");
  EXPECT_FALSE(cli_runner::fs::exists(path("out.csv")));
  EXPECT_EQ(run({"report", before, path("r.json")}).status, 0);
}

TEST_F(cli_sweep, tune_writes_a_profile_that_the_command_and_the_library_take) {
  const outcome tuned = run({"tune", "--quick", "-o", path("p")});
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  for (const char* name : {"old", "new", "gain"}) EXPECT_NE(tuned.out.find(name), std::string::npos) << tuned.out;
  for (std::size_t i = 0; i < topsplit::threshold_count(); ++i) {
    const topsplit::threshold t = topsplit::threshold_at(i);
    const std::size_t row = tuned.out.find(t.name + std::string(" "));
    ASSERT_NE(row, std::string::npos) << tuned.out;
    const std::string old = tuned.out.substr(tuned.out.find_first_not_of(' ', row + std::string(t.name).size()), 24);
    EXPECT_EQ(old.rfind(std::to_string(t.own) + " ", 0), 0U) << old;
  }
  EXPECT_EQ(sweep({"--op", "topk", "--n", "100", "--k", "5"}).status, 0);
  setenv("TOPSPLIT_PROFILE", path("p").c_str(), 1);
  expect_refused(sweep({"--op", "topk", "--n", "100", "--k", "5"}), "measured with another profile");
  EXPECT_NE(run({"info"}).out.find("profile: " + path("p") + " (TOPSPLIT_PROFILE)"), std::string::npos);
  write_file(path("p"), "format = 1\ncpu = Abacus 3000\n");
  EXPECT_NE(run({"info"}).out.find("profile: refused, the defaults stand: profile " + path("p") +
                                   ": tuned for another processor: \"Abacus 3000\""),
            std::string::npos);
  unsetenv("TOPSPLIT_PROFILE");
  setenv("XDG_CONFIG_HOME", path("config").c_str(), 1);
  EXPECT_NE(run({"info"}).out.find("profile: none"), std::string::npos);
  ASSERT_EQ(run({"tune", "--quick"}).status, 0);
  EXPECT_NE(run({"info"}).out.find("profile: " + path("config/topsplit/profile")), std::string::npos);
  refused({"tune", "--quick", "-o", path("no/p")}, "No such file or directory");
  refused({"tune", "--quick", "-o", "/dev/full"}, "No space left on device");
}

}  // namespace
