// SPDX-License-Identifier: Apache-2.0
#include "schedule/default_schedule.h"

namespace lathe::schedule {
namespace {

struct Level {
  std::string_view name;
  std::int64_t vector_bytes;
};

constexpr Level kLevels[] = {{"x86-64-v2", 16}, {"x86-64-v3", 32}, {"x86-64-v4", 64}};

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

}  // namespace lathe::schedule
