// The built tables, and the choice among them: the call's, else the process's, else TOPSPLIT_ISA's, else the widest
// that the machine runs. All state is in atomics that are written at most a few times, so a choice is some loads, and a
// fork at any moment leaves the child nothing to wait for.

#include "src/dispatch.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "src/cpu_features.h"
#include "src/message.h"

namespace topsplit {
namespace {

using kernels::kernel_table;

// Narrowest first: the last one that the machine runs is the default.
constexpr const kernel_table* tables[] = {
#if defined(TOPSPLIT_HAVE_GENERIC)
    &kernels::generic_table,
#endif
#if defined(TOPSPLIT_HAVE_SSE2)
    &kernels::sse2_table,
#endif
#if defined(TOPSPLIT_HAVE_AVX2)
    &kernels::avx2_table,
#endif
#if defined(TOPSPLIT_HAVE_AVX512BW)
    &kernels::avx512bw_table,
#endif
#if defined(TOPSPLIT_HAVE_AVX512VBMI2)
    &kernels::avx512vbmi2_table,
#endif
#if defined(TOPSPLIT_HAVE_NEON64)
    &kernels::neon64_table,
#endif
#if defined(TOPSPLIT_HAVE_SVE256)
    &kernels::sve256_table,
#endif
#if defined(TOPSPLIT_HAVE_SVE512)
    &kernels::sve512_table,
#endif
};
constexpr std::size_t table_count = std::size(tables);

struct named_isa {
  isa id;
  const char* name;
};
constexpr named_isa names[] = {
    {isa::automatic, "automatic"}, {isa::generic, "generic"},         {isa::sse2, "sse2"},     {isa::avx2, "avx2"},
    {isa::avx512bw, "avx512bw"},   {isa::avx512vbmi2, "avx512vbmi2"}, {isa::neon64, "neon64"}, {isa::sve, "sve"},
};

std::atomic<isa> forced{isa::automatic};

// Bit i: this machine runs tables[i]. Threads that ask the CPU at the same time store the same answer.
std::uint32_t available_tables() noexcept {
  static std::atomic<std::uint32_t> known{0};
  std::uint32_t mask = known.load(std::memory_order_relaxed);
  if (mask != 0) return mask;
  for (std::size_t i = 0; i < table_count; ++i) {
    if (detail::cpu_supports(tables[i]->id, tables[i]->vector_bytes)) mask |= std::uint32_t{1} << i;
  }
  known.store(mask, std::memory_order_relaxed);
  return mask;
}

bool is_available(std::size_t table) noexcept { return (available_tables() >> table & 1) != 0; }

// An ISA whose vectors have several lengths has as many tables, one after the other, of which a machine runs one at most.
std::size_t first_of_next_isa(std::size_t table) noexcept {
  const isa id = tables[table]->id;
  while (table < table_count && tables[table]->id == id) ++table;
  return table;
}

// The table that stands for the ISA with this index: the one that the machine runs, else the first.
std::size_t table_of_isa(std::size_t index) noexcept {
  std::size_t first = 0;
  for (; index > 0; --index) first = first_of_next_isa(first);
  for (std::size_t i = first; i < first_of_next_isa(first); ++i)
    if (is_available(i)) return i;
  return first;
}

// Null where the table is not built in or the machine does not run it. automatic is the widest.
const kernel_table* find_table(isa id) noexcept {
  for (std::size_t i = table_count; i-- > 0;) {
    if ((id == isa::automatic || tables[i]->id == id) && is_available(i)) return tables[i];
  }
  return nullptr;
}

bool find_name(const char* name, isa& id) noexcept {
  if (name == nullptr || *name == '\0' || std::strcmp(name, "auto") == 0) {
    id = isa::automatic;
    return true;
  }
  for (const named_isa& entry : names) {
    if (std::strcmp(name, entry.name) == 0) {
      id = entry.id;
      return true;
    }
  }
  return false;
}

// Foreign text as an error may show it: one line of ASCII, cut to a length that leaves room for the rest.
struct excerpt {
  explicit constexpr excerpt(const char* source) noexcept {
    std::size_t i = 0;
    for (; i + 1 < sizeof text && source[i] != '\0'; ++i) {
      text[i] = source[i] >= ' ' && source[i] <= '~' ? source[i] : '?';
    }
    text[i] = '\0';
  }
  char text[33] = "";
};

status refuse(const char* op, const char* argument, const char* value, const char* reason) noexcept {
  char present[128] = "";
  std::size_t used = 0;
  for (std::size_t i = 0; i < table_count && used < sizeof present; ++i) {
    if (!is_available(i)) continue;
    const char* comma = used == 0 ? "" : ", ";
    const int more = std::snprintf(present + used, sizeof present - used, "%s%s", comma, isa_name(tables[i]->id));
    used += static_cast<std::size_t>(more);
  }
  return detail::error(status_code::unavailable_isa, "%s: %s%s %s; present: %s", op, argument, value, reason, present);
}

// What TOPSPLIT_ISA says.
struct environment_choice {
  isa id = isa::automatic;
  bool is_name = true;
  excerpt text{""};
};

environment_choice read_environment() noexcept {
  environment_choice choice;
  const char* value = std::getenv("TOPSPLIT_ISA");
  choice.is_name = find_name(value, choice.id);
  if (value != nullptr) choice.text = excerpt(value);
  return choice;
}

// The variable is read once. A thread that comes while another one is still storing reads it for itself: no one waits.
environment_choice environment() noexcept {
  enum state { unread, storing, stored };
  static std::atomic<state> progress{unread};
  static environment_choice kept;  // initialized by the compiler: a guarded static would be a lock
  if (progress.load(std::memory_order_acquire) == stored) return kept;
  const environment_choice choice = read_environment();
  state expected = unread;
  if (progress.compare_exchange_strong(expected, storing, std::memory_order_relaxed)) {
    kept = choice;
    progress.store(stored, std::memory_order_release);
  }
  return choice;
}

status select_from_environment(const char* op, const kernel_table*& table) noexcept {
  const environment_choice choice = environment();
  const kernel_table* found = choice.is_name ? find_table(choice.id) : nullptr;
  if (found == nullptr) {
    char value[sizeof choice.text.text + 2];
    std::snprintf(value, sizeof value, "\"%s\"", choice.text.text);
    return refuse(op, "TOPSPLIT_ISA = ", value, choice.is_name ? "is not available" : "is no ISA");
  }
  table = found;
  return {};
}

}  // namespace

namespace detail {

status select_table(const char* op, isa requested, const kernel_table*& table) noexcept {
  const isa id = requested == isa::automatic ? forced.load(std::memory_order_relaxed) : requested;
  if (id == isa::automatic) return select_from_environment(op, table);
  const kernel_table* found = find_table(id);
  if (found == nullptr) {
    for (const named_isa& entry : names) {
      if (entry.id == id) return refuse(op, "isa = ", entry.name, "is not available");
    }
    char number[16];
    std::snprintf(number, sizeof number, "%d", static_cast<int>(id));
    return refuse(op, "isa = ", number, "is no ISA");
  }
  table = found;
  return {};
}

const kernel_table& built_table(std::size_t index) noexcept { return *tables[table_of_isa(index)]; }

}  // namespace detail

std::size_t isa_count() noexcept {
  std::size_t count = 0;
  for (std::size_t table = 0; table < table_count; table = first_of_next_isa(table)) ++count;
  return count;
}

isa_info isa_at(std::size_t index) noexcept {
  if (index >= isa_count()) return {isa::automatic, "unknown", false, false, 0};
  const std::size_t at = table_of_isa(index);
  const kernel_table& table = *tables[at];
  isa now = isa::automatic;
  const bool selected = selected_isa(now).ok() && now == table.id;
  return {table.id, isa_name(table.id), is_available(at), selected, table.vector_bytes};
}

const char* isa_name(isa id) noexcept {
  for (const named_isa& entry : names) {
    if (entry.id == id) return entry.name;
  }
  return "unknown";
}

status isa_from_name(const char* name, isa& id) noexcept {
  if (find_name(name, id)) return {};
  char value[sizeof(excerpt) + 2];
  std::snprintf(value, sizeof value, "\"%s\"", excerpt(name).text);
  return refuse("isa_from_name", "name = ", value, "is no ISA");
}

status force_isa(isa id) noexcept {
  if (id != isa::automatic) {
    const kernel_table* table = nullptr;
    if (status refused = detail::select_table("force_isa", id, table); !refused.ok()) return refused;
  }
  forced.store(id, std::memory_order_relaxed);
  return {};
}

status selected_isa(isa& id) noexcept {
  const kernel_table* table = nullptr;
  if (status refused = detail::select_table("selected_isa", isa::automatic, table); !refused.ok()) return refused;
  id = table->id;
  return {};
}

}  // namespace topsplit
