// topsplit_cases FILE...: runs files of cases, one JSON object a line. Every row that carries data or expects an error goes
// through the prepared operator of its opset, on every ISA that this machine has, serially, as tasks of the arena and as
// tasks of a caller's own threads, which must all give the same bytes. Rows that are procedures are listed
// with the ctests that do them. Exit status 1 when a row failed, 2 for a file that cannot be read as cases.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cases_expect.h"
#include "tests/runs.h"

namespace {

using cases::json;

struct unreadable {
  std::string text;
};

// All rows before the first is run: a file is good as a whole or not at all.
void read_file(const std::string& path, std::vector<json>& rows) {
  std::ifstream file(path);
  if (!file) throw unreadable{path + ": cannot be read"};
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto refuse = [&](const std::string& why) {
      throw unreadable{path + ":" + std::to_string(number) + ": " + why};
    };
    json row;
    try {
      row = json::parse(line);
    } catch (const json::exception& e) {
      refuse(e.what());
    }
    if (!row.is_object() || !row.contains("id") || !row["id"].is_string()) refuse("no object with an id");
    if (!row.contains("expect") || !row["expect"].is_object()) refuse("nothing expected");
    rows.push_back(std::move(row));
  }
  if (file.bad() || number == 0) throw unreadable{path + ": cannot be read, or is empty"};
}

// The first number after a name in a file such as /proc/meminfo (kilobytes), or the file's only one (bytes).
double number_in(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word == name)
      file >> word;
    else if (!name.empty())
      continue;
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str()) return value;
  }
  return -1;
}

bool fits_memory(std::size_t bytes) {
  double free_bytes = number_in("/proc/meminfo", "MemAvailable:") * 1024;
  const double limit = number_in("/sys/fs/cgroup/memory.max", "");
  const double used = number_in("/sys/fs/cgroup/memory.current", "");
  if (limit >= 0 && used >= 0) free_bytes = std::min(free_bytes, limit - used);
  return free_bytes < 0 || static_cast<double>(bytes) < 0.8 * free_bytes;
}

enum class verdict { passed, failed, elsewhere };

verdict tell(verdict v, const json& row, const std::string& text) {
  std::printf("%s %s: %s\n", v == verdict::failed ? "FAILED" : "elsewhere", row["id"].get<std::string>().c_str(),
              text.c_str());
  return v;
}

std::vector<topsplit::execution> all_runs() {
  std::vector<topsplit::execution> runs;
  for (const topsplit::isa isa : available_isas()) {
    runs.insert(runs.end(), {serial(isa), forced_parallel(isa, 3), on_threads(isa, 3)});
  }
  return runs;
}

verdict run_row(const json& row) {
  if (cases::is_procedure(row["expect"])) {
    const cases::procedure done = cases::procedure_of(row);
    return tell(done.known ? verdict::elsewhere : verdict::failed, row, done.text);
  }
  const std::size_t bytes = cases::bytes_needed(row);
  if (!fits_memory(bytes)) return tell(verdict::elsewhere, row, "left out, needs " + std::to_string(bytes) + " bytes");
  const cases::problem problem = cases::make_problem(row);
  cases::outcome first;
  int choice = 0;
  bool is_first = true;
  for (const topsplit::execution& how : all_runs()) {
    const cases::outcome got = cases::run(problem, how);
    const bool same = !is_first && got.refused == first.refused && got.damage.empty() && got.outputs == first.outputs;
    if (!same) {
      const std::string wrong = cases::difference(problem, got, choice);
      const std::string other = is_first ? "" : "not the bytes of the first run";
      if (!wrong.empty() || !other.empty())
        return tell(verdict::failed, row, (wrong.empty() ? other : wrong) + " (" + describe(how) + ")");
      first = got;
    }
    is_first = false;
  }
  if (choice != 0) std::printf("choice %s: %d of any_of\n", row["id"].get<std::string>().c_str(), choice);
  return verdict::passed;
}

int run_files(const std::vector<std::string>& paths) {
  std::vector<json> rows;
  for (const std::string& path : paths) {
    read_file(path, rows);
  }
  std::size_t count[3] = {};
  for (const json& row : rows) {
    verdict v = verdict::failed;
    try {
      v = run_row(row);
    } catch (const std::exception& e) {
      tell(v, row, e.what());
    } catch (...) {
      tell(v, row, "an exception without a text");
    }
    ++count[static_cast<int>(v)];
  }
  std::printf("%zu passed, %zu failed, %zu elsewhere\n", count[0], count[1], count[2]);
  return count[1] == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"--ctests"}) {
    for (const std::string& name : cases::procedure_ctests()) {
      std::puts(name.c_str());
    }
    return 0;
  }
  try {
    if (arguments.empty() || arguments[0].rfind("--", 0) == 0)
      throw unreadable{"usage: topsplit_cases FILE... or --ctests"};
    return run_files(arguments);
  } catch (const unreadable& e) {
    std::fprintf(stderr, "topsplit_cases: %s\n", e.text.c_str());
    return 2;
  }
}
