// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "schedule/default_schedule.h"

namespace lathe::schedule {
namespace {

struct Level {
  std::string_view name;
  std::int64_t vector_bytes;
};

constexpr Level kLevels[] = {{"x86-64-v2", 16}, {"x86-64-v3", 32}, {"x86-64-v4", 64}};

// What processors without such a level are called, and lockfiles that are for all of them.
constexpr std::string_view kOthers[] = {"x86-64", "armv8-a", "native", "any"};

}  // namespace

std::optional<Machine> machine_named(std::string_view name) {
  for (const Level& level : kLevels)
    if (level.name == name) {
      Machine out;
      out.name = name;
      out.vector_bytes = level.vector_bytes;
      return out;
    }
  return std::nullopt;
}

std::string machine_names() {
  std::string out;
  for (const Level& level : kLevels) out += (out.empty() ? "" : ", ") + std::string(level.name);
  return out;
}

bool is_lockfile_machine(std::string_view name) {
  return machine_named(name) ||
         std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers);
}

std::string lockfile_machines() {
  std::string out = machine_names();
  for (const std::string_view name : kOthers) out += ", " + std::string(name);
  return out;
}

}  // namespace lathe::schedule
