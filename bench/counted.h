// A number and what it counts, in the number form that goes with it: "1 point", "2 points". For the lines that sweeps
// and reports print.

#ifndef TOPSPLIT_BENCH_COUNTED_H
#define TOPSPLIT_BENCH_COUNTED_H

#include <cstddef>
#include <string>

namespace topsplit::bench {

inline std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace topsplit::bench

#endif
