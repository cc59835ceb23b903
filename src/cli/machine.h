// What of this machine decides how fast a call can be, as facts by name: for `topsplit info` and for every result of a sweep.

#ifndef TOPSPLIT_CLI_MACHINE_H
#define TOPSPLIT_CLI_MACHINE_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace topsplit::cli {

// "processor", "caches", "NUMA nodes", "affinity", "cgroup quota", "governor", "kernel", ...; those that are not known say so.
std::vector<std::pair<std::string, std::string>> machine_facts();

// How many threads a call may use: what the affinity mask and the cgroup's quota leave.
int usable_threads();

// Bytes that this process may have: the machine's, or the cgroup's limit.
std::size_t usable_memory();

}  // namespace topsplit::cli

#endif
