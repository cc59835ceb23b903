// The library reads no home directory; the command does.

#include <cstdlib>
#include <filesystem>

#include "src/cli/commands.h"
#include "topsplit/topsplit.h"

namespace topsplit::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What came of loading the user's profile.
status& user_status() {
  static status result;
  return result;
}

}  // namespace

std::string user_profile() {
  const std::string config = variable("XDG_CONFIG_HOME"), home = variable("HOME");
  if (!config.empty()) return config + "/topsplit/profile";
  return home.empty() ? "" : home + "/.config/topsplit/profile";
}

void load_user_profile() {
  std::error_code error;
  const std::string path = user_profile();
  if (!variable("TOPSPLIT_PROFILE").empty() || path.empty() || !std::filesystem::exists(path, error)) return;
  user_status() = load_profile(path.c_str());
}

std::string profile_text() {
  bool loaded = false;
  const status of_variable = profile_in_force(loaded);
  for (const status& s : {of_variable, user_status()}) {
    if (!s.ok()) return std::string("refused, the defaults stand: ") + s.text();
  }
  if (!loaded) return "none";
  const std::string named = variable("TOPSPLIT_PROFILE");
  return named.empty() ? user_profile() : named + " (TOPSPLIT_PROFILE)";
}

}  // namespace topsplit::cli
