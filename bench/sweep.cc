// Google Benchmark's JSON reporter writes what it writes to a file; here that is read back after each shape, and its runs
// are added to the result.

#include "bench/sweep.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "bench/counted.h"
#include "bench/sweep_cases.h"
#include "bench/timing.h"
#include "bench/value_list.h"
#include "topsplit/topsplit.h"

namespace topsplit::bench {
namespace {

using json = nlohmann::ordered_json;
using clock = std::chrono::steady_clock;

constexpr std::size_t most_points = 100'000;

struct group {
  sweep_shape shape;
  std::vector<sweep_point> points;
};

std::string option_of(const sweep_axes& axes, const std::string& name, const std::string& fallback) {
  const auto found = axes.find(name);
  return found == axes.end() ? fallback : found->second;
}

double read_seconds(const std::string& option, const std::string& text) {
  std::istringstream stream(text);
  double value = 0;
  if (!(stream >> value) || !stream.eof() || !(value > 0 && value <= 3600)) {
    throw std::invalid_argument(option + ": \"" + text + "\" is no number of seconds up to 3600");
  }
  return value;
}

std::regex read_filter(const std::string& text) {
  try {
    return std::regex(text, std::regex::extended);
  } catch (const std::regex_error&) {
    throw std::invalid_argument("--filter: \"" + text + "\" is no extended regular expression");
  }
}

struct named_cache {
  const char* name;
  cache_state state;
};
constexpr named_cache caches[] = {{"rotating", cache_state::rotating},
                                  {"hot", cache_state::hot},
                                  {"memory", cache_state::memory},
                                  {"cold", cache_state::cold}};

measuring read_method(const sweep_axes& axes) {
  measuring method;
  method.extra_peak = false;
  method.min_time = read_seconds("--min-time", option_of(axes, "--min-time", "0.1"));
  const std::int64_t repetitions = read_count("--repetitions", option_of(axes, "--repetitions", "5"));
  if (repetitions < 1 || repetitions > 1000) throw std::invalid_argument("--repetitions: not from 1 to 1000");
  method.repetitions = static_cast<int>(repetitions);
  method.cache_bytes = static_cast<std::size_t>(read_count("--cache-bytes", option_of(axes, "--cache-bytes", "0")));
  if (method.cache_bytes == 0 && axes.count("--cache-bytes") != 0) {
    throw std::invalid_argument("--cache-bytes: 0 is no size; what the system says is taken where it is not given");
  }
  const std::string name = option_of(axes, "--cache", "rotating");
  for (const named_cache& cache : caches) {
    if (name == cache.name) {
      method.cache = cache.state;
      return method;
    }
  }
  throw std::invalid_argument("--cache: \"" + name + "\" is none of rotating, hot, memory, cold");
}

// 1, 2, 4, ... and all of them.
std::string scaling_counts(int usable) {
  std::string text = "1";
  for (int count = 2; count < usable; count *= 2) text += "," + std::to_string(count);
  return usable > 1 ? text + "," + std::to_string(usable) : text;
}

std::string time_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  return whole < 3600 ? std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s"
                      : std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

extern "C" void stop_for_signal(int) { stop_measuring(); }

// Ctrl-C and a polite kill stop the sweep between two calls for as long as this lives.
class stop_on_signal {
 public:
  stop_on_signal() {
    struct sigaction action {};
    action.sa_handler = stop_for_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the program
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
  }
  ~stop_on_signal() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

class progress {
 public:
  explicit progress(std::size_t points) : points_(points), begin_(clock::now()) {}

  void begin_shape(const std::string& name) const {
    if (done_ == 0) return tell_progress(bar() + name);
    const double left = seconds() / static_cast<double>(done_) * static_cast<double>(points_ - done_);
    tell_progress(bar() + time_text(left) + " left  " + name);
  }

  void end_shape(const std::string& name, std::size_t points) {
    done_ += points;
    if (!is_terminal()) {
      std::fprintf(stderr, "%zu/%zu %s, after %s\n", done_, points_, name.c_str(), time_text(seconds()).c_str());
    }
  }

 private:
  double seconds() const { return std::chrono::duration<double>(clock::now() - begin_).count(); }

  std::string bar() const {
    constexpr std::size_t width = 30;
    const std::size_t filled = points_ == 0 ? width : width * done_ / points_;
    return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " + std::to_string(done_) + "/" +
           std::to_string(points_) + "  ";
  }

  std::size_t points_, done_ = 0;
  clock::time_point begin_;
};

// Google Benchmark's runs, and what it says of the machine, as JSON. Its own warnings go to standard error, once.
json run_registered() {
  struct reporter : benchmark::JSONReporter {
    bool ReportContext(const Context& context) override {
      static bool is_told = false;
      if (!is_told) PrintBasicContext(&GetErrorStream(), context);
      is_told = true;
      return benchmark::JSONReporter::ReportContext(context);
    }
  };
  reporter into;
  std::ostringstream text;
  into.SetOutputStream(&text);
  benchmark::RunSpecifiedBenchmarks(&into, ".");
  benchmark::ClearRegisteredBenchmarks();
  return json::parse(text.str());
}

void initialize_google_benchmark() {
  static char program[] = "topsplit", interleaved[] = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program, interleaved, nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
}

}  // namespace

struct sweep::state {
  sweep_request request;
  measuring method;
  open_peers peers;
  pool_keeper pools;
  std::vector<group> groups;
  std::vector<std::string> notes;  // what was left out
  json result;

  std::string cache() const { return option_of(request.axes, "--cache", "rotating"); }
  void read_sets();
  void add_groups(std::vector<sweep_shape> shapes, const std::vector<sweep_way>& ways);
  json settings() const;
  std::size_t count() const;
  std::size_t take(const group& of, const json& runs, sweep_outcome& outcome);
};

// A set's own axes of ways stand where the user has given none.
void sweep::state::read_sets() {
  if (request.sets.empty()) return;
  for (const axis_option& option : shape_options) {
    if (request.axes.count(option.name) != 0) {
      throw std::invalid_argument(std::string(option.name) + ": a set has its own shapes; leave out --set");
    }
  }
  for (const std::string& name : request.sets) {
    for (const auto& [option, value] : named_set(name).ways) request.axes.emplace(option, value);
  }
}

void sweep::state::add_groups(std::vector<sweep_shape> shapes, const std::vector<sweep_way>& ways) {
  const std::regex filter = read_filter(request.filter);
  const std::string op = option_of(request.axes, "--op", "topk,split");
  std::size_t too_large = 0;
  for (sweep_shape& shape : shapes) {
    if (op.find(shape.topk ? "topk" : "split") == std::string::npos) continue;
    // Two sets of tensors at least where these go round, and the expected outputs.
    if (2 * (shape.input_bytes() + 2 * shape.output_bytes()) > request.memory) {
      ++too_large;
      continue;
    }
    group made = {std::move(shape), {}};
    for (sweep_way by : ways) {
      if (by.kind == "auto") by.kind = made.shape.topk ? "read" : "copy";
      sweep_point point = {made.shape.name + "/" + by.name(), by};
      if (std::regex_search(point.name, filter)) made.points.push_back(std::move(point));
    }
    if (!made.points.empty()) groups.push_back(std::move(made));
  }
  if (too_large > 0) {
    notes.push_back(counted(too_large, "shape") + " left out: the tensors take more than half of the memory");
  }
}

// What has to be the same for results to stand in one file.
json sweep::state::settings() const {
  json machine = json::object();
  for (const auto& [name, value] : request.machine) machine[name] = value;
  return {{"format", 1},
          {"version", version()},
          {"machine", machine},
          {"cache", cache()},
          {"min_time", method.min_time},
          {"repetitions", method.repetitions},
          {"cache_bytes", method.cache_bytes}};
}

std::size_t sweep::state::count() const {
  std::size_t points = 0;
  for (const group& g : groups) points += g.points.size();
  return points;
}

// Adds a shape's runs to the result: those of points whose repetitions are all there. Returns how many these are.
std::size_t sweep::state::take(const group& of, const json& runs, sweep_outcome& outcome) {
  if (!result.contains("context")) result["context"] = runs["context"];
  std::size_t taken = 0;
  for (const sweep_point& point : of.points) {
    std::vector<json> own;
    std::string error;
    for (const json& run : runs["benchmarks"]) {
      if (run.at("run_name").get<std::string>().rfind(point.name + "/", 0) != 0) continue;
      if (run.value("error_occurred", false)) error = run.value("error_message", "");
      own.push_back(run);
    }
    if (error == "stopped" || own.empty()) continue;
    if (!error.empty()) {
      ++outcome.failed;
      std::fprintf(stderr, "topsplit: %s: %s\n", point.name.c_str(), error.c_str());
      continue;
    }
    result["points"].push_back(describe(of.shape, point, cache()));
    for (json& run : own) {
      run["point"] = point.name;
      result["benchmarks"].push_back(std::move(run));
    }
    ++taken;
  }
  return taken;
}

sweep::sweep(const sweep_request& request) : state_(std::make_unique<state>()) {
  state& s = *state_;
  s.request = request;
  s.read_sets();
  if (option_of(s.request.axes, "--threads", "") == "scaling") {
    s.request.axes["--threads"] = scaling_counts(request.usable_threads);
  }
  s.method = read_method(s.request.axes);
  std::vector<sweep_way> ways = ways_of(s.request.axes, request.usable_threads);
  for (const std::string& name : request.against) {
    const std::string kind = name.substr(0, name.find(':'));
    s.peers[kind] = open_peer(name);
    for (const int threads : thread_counts(option_of(s.request.axes, "--threads", "1"), request.usable_threads)) {
      ways.push_back({kind, "", isa::automatic, threads, "own"});
    }
  }
  std::size_t left_out = 0;
  if (s.request.sets.empty()) s.add_groups(grid_of(s.request.axes, left_out), ways);
  for (const std::string& name : s.request.sets) s.add_groups(named_set(name).shapes, ways);
  if (left_out > 0) {
    s.notes.push_back(counted(left_out, "shape") +
                      " left out: k is 0 or above n, no element fits the piece, or no row the bytes");
  }
  if (s.groups.empty()) {
    std::string why = s.notes.empty() ? "; no point's name holds what --filter or --op ask for" : "";
    for (const std::string& note : s.notes) why += "; " + note;
    throw std::invalid_argument("sweep: nothing of this grid can be measured" + why);
  }
  if (s.count() > most_points) {
    throw std::invalid_argument("sweep: " + std::to_string(s.count()) + " points are more than " +
                                std::to_string(most_points));
  }
  s.result = {
      {"topsplit", s.settings()}, {"plans", plan_map()}, {"points", json::array()}, {"benchmarks", json::array()}};
  for (const auto& [name, peer] : s.peers) s.result["topsplit"]["peers"][name] = peer->version();
}

sweep::~sweep() = default;

void sweep::resume(const std::string& text) {
  state& s = *state_;
  json earlier = json::parse(text, nullptr, false);
  const bool known = earlier.is_object() && earlier.contains("topsplit") && earlier["topsplit"].is_object() &&
                     earlier.contains("points") && earlier["points"].is_array() && earlier.contains("benchmarks");
  if (!known) throw std::invalid_argument("not a result of topsplit sweep");
  const json settings = s.settings();
  for (const auto& [name, value] : settings.items()) {
    const json before = earlier["topsplit"].value(name, json());
    if (before == value) continue;
    std::string what = name;
    for (const auto& [fact, told] : value.items()) {  // of the machine
      if (value.is_object() && before.is_object() && before.value(fact, json()) != told) what = fact;
    }
    throw std::invalid_argument("measured with another " + what + "; give another file, or --restart");
  }
  std::set<std::string> done;
  for (const json& point : earlier["points"]) done.insert(point.at("name").get<std::string>());
  for (group& g : s.groups) {
    const auto is_done = [&](const sweep_point& point) { return done.count(point.name) != 0; };
    g.points.erase(std::remove_if(g.points.begin(), g.points.end(), is_done), g.points.end());
  }
  const json peers = s.result["topsplit"].value("peers", json::object());
  s.result = std::move(earlier);
  if (!peers.empty()) s.result["topsplit"]["peers"].update(peers);
}

std::string sweep::list() const {
  std::string names;
  for (const group& g : state_->groups) {
    for (const sweep_point& point : g.points) names += point.name + "\n";
  }
  return names;
}

sweep_outcome sweep::run(const std::function<void(const std::string& json)>& save) {
  state& s = *state_;
  save(s.result.dump(1));
  for (const std::string& note : s.notes) std::fprintf(stderr, "%s\n", note.c_str());
  initialize_google_benchmark();
  set_measuring(s.method);
  sweep_outcome outcome;
  progress shown(s.count());
  const stop_on_signal guard;
  for (group& g : s.groups) {
    if (g.points.empty()) continue;
    const std::size_t wanted = g.points.size();
    shown.begin_shape(g.shape.name);
    register_points(g.shape, g.points, s.peers, s.pools);
    outcome.unknown += wanted - g.points.size();
    if (!g.points.empty()) {
      outcome.measured += s.take(g, run_registered(), outcome);
      save(s.result.dump(1));
    }
    outcome.stopped = is_stopped();
    if (outcome.stopped) break;
    shown.end_shape(g.shape.name, wanted);
  }
  tell_progress("");
  return outcome;
}

}  // namespace topsplit::bench
