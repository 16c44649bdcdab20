// SPDX-License-Identifier: Apache-2.0
// A cgroup's limit holds for everything below it, so the smallest on the way up to the root counts.
// Version 2 has one tree (0::/path in /proc/self/cgroup), version 1 one tree per controller. What
// cannot be read is no limit.

#include "device/host/limits.h"

#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lathe::host {
namespace {

// This process's place in the tree of `controller` (version 1) or in the one tree ("").
std::string cgroup_path(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool match = controller.empty() ? names == ",,"
                                          : names.find("," + controller + ",") != std::string::npos;
    if (match) return line.substr(second + 1);
  }
  return "/";
}

// Calls `use` with an open file of that name for every cgroup from ours up to the root.
template <class Use>
void walk_cgroups(const std::string& root, std::string path, const std::string& name, Use use) {
  for (;;) {
    std::ifstream file(root + (path == "/" ? "" : path) + "/" + name);
    if (file) use(file);
    if (path.empty() || path == "/") return;
    const std::size_t slash = path.rfind('/');
    path = slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
  }
}

double cpu_quota() {
  double least = HUGE_VAL;
  walk_cgroups("/sys/fs/cgroup", cgroup_path(""), "cpu.max", [&](std::istream& file) {
    double quota = 0, period = 0;  // "max 100000" fails to read
    if (file >> quota >> period && quota > 0 && period > 0) least = std::min(least, quota / period);
  });
  const std::string tree = "/sys/fs/cgroup/cpu", path = cgroup_path("cpu");
  double period = 100000;
  walk_cgroups(tree, path, "cpu.cfs_period_us", [&](std::istream& file) { file >> period; });
  walk_cgroups(tree, path, "cpu.cfs_quota_us", [&](std::istream& file) {
    double quota = 0;  // -1: none
    if (file >> quota && quota > 0 && period > 0) least = std::min(least, quota / period);
  });
  return least;
}

int find_threads() {
  if (const char* text = std::getenv("LATHE_THREADS")) {
    char* end = nullptr;
    const long number = std::strtol(text, &end, 10);
    if (*text && *end == '\0' && number >= 1 && number <= 1024) return static_cast<int>(number);
  }
  long count = ::sysconf(_SC_NPROCESSORS_ONLN);
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
  const double quota = std::ceil(cpu_quota());
  if (quota < static_cast<double>(count)) count = static_cast<long>(quota);
  return static_cast<int>(std::clamp(count, 1L, 1024L));
}

std::int64_t find_memory() {
  struct sysinfo info {};
  double least = HUGE_VAL;
  if (::sysinfo(&info) == 0) {
    least =
        (static_cast<double>(info.totalram) + static_cast<double>(info.totalswap)) * info.mem_unit;
  }
  const auto take = [&](std::istream& file) {
    double limit = 0;  // "max" fails to read
    if (file >> limit && limit > 0) least = std::min(least, limit);
  };
  walk_cgroups("/sys/fs/cgroup", cgroup_path(""), "memory.max", take);
  walk_cgroups("/sys/fs/cgroup/memory", cgroup_path("memory"), "memory.limit_in_bytes", take);
  return least < 0x1p62 ? static_cast<std::int64_t>(least) : std::int64_t{1} << 62;
}

}  // namespace

int hardware_threads() {
  static const int threads = find_threads();
  return threads;
}

std::int64_t memory_limit() {
  static const std::int64_t bytes = find_memory();
  return bytes;
}

double seconds_waited(int process) {
  const std::string folder =
      "/proc/" + (process > 0 ? std::to_string(process) : std::string("self")) + "/task";
  double nanoseconds = 0;
  std::error_code failed;
  for (const auto& thread : std::filesystem::directory_iterator(folder, failed)) {
    double running = 0, waiting = 0;
    std::ifstream(thread.path() / "schedstat") >> running >> waiting;
    nanoseconds += waiting;
  }
  return nanoseconds * 1e-9;
}

}  // namespace lathe::host
