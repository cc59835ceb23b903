// Linux tells all of it in files of one line.

#include "src/cli/machine.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "src/cpu_quota.h"
#include "topsplit/topsplit.h"

namespace topsplit::cli {
namespace {

const std::string processors = "/sys/devices/system/cpu/";

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : text; }

// Linux names the processor in the first line that starts so; ARM's kernels leave it out.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

// What the C library knows where the kernel's files are not there, as in some virtual machines.
std::string caches_by_sysconf() {
  std::string text;
  const std::pair<const char*, int> levels[] = {
      {"L1d", _SC_LEVEL1_DCACHE_SIZE}, {"L2", _SC_LEVEL2_CACHE_SIZE}, {"L3", _SC_LEVEL3_CACHE_SIZE}};
  for (const auto& [name, key] : levels) {
    const long bytes = sysconf(key);
    if (bytes > 0) text += (text.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(bytes / 1024) + "K";
  }
  return or_unknown(text);
}

// "L1d 48K, L2 1024K, L3 32768K shared by 0-7": of the first processor.
std::string caches() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const std::string cache = processors + "cpu0/cache/index" + std::to_string(i) + "/";
    const std::string level = line_of(cache + "level"), type = line_of(cache + "type");
    if (level.empty() || type == "Instruction") continue;
    text += (text.empty() ? "L" : ", L") + level + (type == "Data" ? "d " : " ") + line_of(cache + "size");
    const std::string sharers = line_of(cache + "shared_cpu_list");
    if (sharers.find_first_of("-,") != std::string::npos) text += " shared by " + sharers;
  }
  return text.empty() ? caches_by_sysconf() : text;
}

std::string numa_nodes() {
  std::set<std::string> nodes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/devices/system/node", error)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("node", 0) == 0 && name.find_first_not_of("0123456789", 4) == std::string::npos) {
      nodes.insert(name.substr(4) + ": processors " + line_of(entry.path() / "cpulist"));
    }
  }
  std::string text;
  for (const std::string& node : nodes) text += (text.empty() ? "" : "; ") + node;
  return or_unknown(text);
}

int processors_in_mask() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

std::string affinity() {
  return std::to_string(processors_in_mask()) + " of " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) +
         " processors online";
}

std::string quota() {
  const int count = detail::cpu_quota();
  return count == detail::no_cpu_quota ? "none" : std::to_string(count) + " processors";
}

std::string governor() {
  const std::string name = line_of(processors + "cpu0/cpufreq/scaling_governor");
  const std::string most = line_of(processors + "cpu0/cpufreq/cpuinfo_max_freq");
  return name.empty() ? "unknown" : name + (most.empty() ? "" : ", up to " + most + " kHz");
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release + " " + name.machine : "unknown";
}

// The library is loaded with the command; its header is not ours to include.
std::string onetbb_version() {
  const auto version = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "TBB_runtime_version"));
  return version == nullptr ? "unknown" : version();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> machine_facts() {
  return {{"processor", processor_name()},
          {"affinity", affinity()},
          {"cgroup quota", quota()},
          {"NUMA nodes", numa_nodes()},
          {"caches", caches()},
          {"memory", std::to_string(usable_memory() >> 20) + " MiB"},
          {"governor", governor()},
          {"huge pages", or_unknown(line_of("/sys/kernel/mm/transparent_hugepage/enabled"))},
          {"kernel", kernel()},
          {"libc", std::string("glibc ") + gnu_get_libc_version()},
          {"compiler", TOPSPLIT_COMPILER},
          {"oneTBB", onetbb_version()}};
}

int usable_threads() { return std::min(processors_in_mask(), detail::cpu_quota()); }

std::size_t usable_memory() {
  const auto pages = static_cast<std::size_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const std::size_t machine = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::string limit = line_of("/sys/fs/cgroup/memory.max");  // of the root the container sees
  const std::size_t group = limit.empty() || limit == "max" ? machine : std::strtoull(limit.c_str(), nullptr, 10);
  return std::min(machine, group);
}

}  // namespace topsplit::cli
