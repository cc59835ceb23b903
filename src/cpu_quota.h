// How many CPUs the control groups let this process use: Linux's quota, which containers set and oneTBB does not ask.

#ifndef TOPSPLIT_SRC_CPU_QUOTA_H
#define TOPSPLIT_SRC_CPU_QUOTA_H

#include <climits>

namespace topsplit::detail {

inline constexpr int no_cpu_quota = INT_MAX;

// The least quota of the process's groups and their ancestors, cgroup v1 and v2, in whole CPUs: rounded down, at
// least 1; no_cpu_quota where there is none. Reads the files at the first call of the process only. Allocates nothing.
int cpu_quota() noexcept;

// The same read anew, with every path behind `root` ("" for the real ones): lets a test bring its own files.
int read_cpu_quota(const char* root) noexcept;

}  // namespace topsplit::detail

#endif
