// The kernel tables that this machine can run, for tests that look at kernels themselves.

#ifndef TOPSPLIT_TESTS_TABLES_H
#define TOPSPLIT_TESTS_TABLES_H

#include <ostream>
#include <string>
#include <vector>

#include "arch/kernel_table.h"
#include "src/dispatch.h"
#include "topsplit/isa.h"

namespace tables {

// A pointer that GoogleTest prints as the ISA's name.
struct table {
  const topsplit::kernels::kernel_table* kernels;
  std::string name() const { return topsplit::isa_name(kernels->id); }
  friend std::ostream& operator<<(std::ostream& out, const table& t) { return out << t.name(); }
};

inline std::vector<table> available() {
  std::vector<table> result;
  for (std::size_t i = 0; i < topsplit::isa_count(); ++i) {
    if (topsplit::isa_at(i).available) result.push_back({&topsplit::detail::built_table(i)});
  }
  return result;
}

struct name_of {
  template <class Info>
  std::string operator()(const Info& info) const {
    return info.param.name();
  }
};

}  // namespace tables

#endif
