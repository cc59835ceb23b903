// peak_memory [PEERS_DIR]: the peak memory of one process for each program on T22 and T34, as wait4 tells it of a child:
// this library and std in this program's own child, and each peer_* of PEERS_DIR, which takes the same options.
//   peak    the most that was resident
//   itself  the same on a tensor of 16 elements: code, libraries, the program
//   data    input and outputs, and for the peers what their common driver (peer_membw, which has no kernel) keeps
//   rest    what is left: memory that the calls took, and noise of up to 0.4 MiB, as the kernel counts pages in batches

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/topk_shapes.h"

namespace topsplit::bench {
namespace {

struct problem {
  std::string id;
  std::int64_t rows, n, k;
};

struct child_program {
  std::string name;
  std::string path;
  std::vector<std::string> arguments;  // before those of the problem
  bool is_peer;
};

double mebibytes(double bytes) { return bytes / (1 << 20); }

// Bytes; -1 where the program fails or does not know the problem.
double peak_of(const child_program& program, const problem& p) {
  std::vector<std::string> words = {program.path};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  for (const auto& [name, value] : {std::pair{"--rows", p.rows}, {"--n", p.n}, {"--k", p.k}}) {
    words.insert(words.end(), {name, std::to_string(value)});
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int state = 0;
  rusage usage = {};
  if (child < 0 || wait4(child, &state, 0, &usage) != child) return -1;
  return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? static_cast<double>(usage.ru_maxrss) * 1024 : -1;
}

constexpr std::int64_t tiny_n = 16;

// What this program's child holds, and a peer's too: the input, k values and k indices of each row.
double tensor_bytes(const problem& p) { return static_cast<double>(p.rows * (p.n * 4 + p.k * 12)); }

void print_row(const child_program& program, const child_program* driver, const problem& p) {
  const problem tiny = {p.id, 1, tiny_n, 1};
  const double peak = peak_of(program, p);
  const double itself = peak_of(program, tiny);
  std::printf("%-5s %-12s", p.id.c_str(), program.name.c_str());
  if (peak < 0 || itself < 0) {
    std::printf(" does not run\n");
    return;
  }
  double data = tensor_bytes(p);
  if (program.is_peer && driver != nullptr) {
    // Of each slice the driver sorts its k values as 8 bytes, to hash them.
    data = peak_of(*driver, p) - peak_of(*driver, tiny) + static_cast<double>(p.rows * p.k * 12 + p.k * 8);
  }
  std::printf(" %9.2f %9.2f", mebibytes(peak), mebibytes(itself));
  if (program.is_peer && driver == nullptr) {
    std::printf(" %9s %9s\n", "?", "?");
    return;
  }
  std::printf(" %9.2f %9.2f\n", mebibytes(data), mebibytes(peak - itself - data));
}

std::vector<child_program> peers_in(const std::string& folder) {
  std::vector<child_program> peers;
  DIR* const directory = opendir(folder.c_str());
  if (directory == nullptr) return peers;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    const std::string path = folder + "/" + name;
    if (name.rfind("peer_", 0) != 0 || access(path.c_str(), X_OK) != 0) continue;
    peers.push_back({name, path, {"--op", "topk", "--dtype", "f32", "--threads", "1", "--min-time", "0"}, true});
  }
  closedir(directory);
  std::sort(peers.begin(), peers.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return peers;
}

int print_table(const std::string& self, const std::string& folder) {
  std::vector<child_program> programs;
  for (const char* call : {"topsplit", "std"}) programs.push_back({call, self, {"--call", call}, false});
  const std::vector<child_program> peers = folder.empty() ? std::vector<child_program>{} : peers_in(folder);
  if (peers.empty()) {
    std::printf("peers: left out, as %s\n", folder.empty() ? "no folder is given" : (folder + " has none").c_str());
  }
  programs.insert(programs.end(), peers.begin(), peers.end());
  const auto membw = std::find_if(peers.begin(), peers.end(), [](const auto& p) { return p.name == "peer_membw"; });
  const child_program* const driver = membw == peers.end() ? nullptr : &*membw;
  std::printf("%-5s %-12s %9s %9s %9s %9s  MiB\n", "case", "program", "peak", "itself", "data", "rest");
  for (const topk_workload& w : topk_workloads) {
    if (std::string(w.id) != "T22" && std::string(w.id) != "T34") continue;
    const baseline_problem p = problem_of(w);
    const auto signed_of = [](std::size_t x) { return static_cast<std::int64_t>(x); };
    for (const child_program& program : programs) {
      if (program.name == "peer_membw") continue;
      print_row(program, driver, {w.id, signed_of(p.outer), signed_of(p.n), signed_of(p.k)});
    }
  }
  return 0;
}

// The child: one call on fresh tensors.
int call_once(const std::string& call, const problem& p) {
  const topk_workload w = {"", "", {p.rows, p.n}, 2, 1, p.k, data_type::f32, distribution::uniform};
  const baseline_problem b = problem_of(w);
  tensors t;
  t.inputs.emplace_back(b.outer * b.n * 4);
  fill(w.values, w.type, b.outer, b.n, 1, 1, t.inputs[0].data());
  t.outputs.emplace_back(b.outer * b.k * 4);
  t.outputs.emplace_back(b.outer * b.k * 8);
  const way run = call == "std" ? baseline_of(w) : call_of(w, options_of(w, isa::automatic));
  return run(t.inputs[0].data(), t).ok() ? 0 : 1;
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) {
  using namespace topsplit::bench;
  std::string folder, call;
  problem p = {"", 1, tiny_n, 1};
  CLI::App app("Peak memory of one process a program, on T22 and T34.");
  app.add_option("PEERS_DIR", folder, "Folder of peer_* programs");
  app.add_option("--call", call, "For its own children: one call of this")->check(CLI::IsMember({"topsplit", "std"}));
  app.add_option("--rows", p.rows, "Of that call")->check(CLI::PositiveNumber);
  app.add_option("--n", p.n, "Of that call")->check(CLI::PositiveNumber);
  app.add_option("--k", p.k, "Of that call")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  return call.empty() ? print_table(argv[0], folder) : call_once(call, p);
}
