// SPDX-License-Identifier: Apache-2.0
// lathe cache: what is kept, how much of it, and away with it. Only files that are called like
// those of an entry are ever touched, through the descriptor of the folder that was checked.

#include "device/host/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/number_text.h"
#include "cli/tools.h"
#include "device/host/cache_folder.h"

namespace lathe::cli {
namespace {

using Json = nlohmann::ordered_json;
using host::CacheEntry;

constexpr std::size_t kShownKey = 12;  // digits; enough to tell a few thousand apart

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::string age_text(std::int64_t seconds) {
  const auto count = [](std::int64_t n, const char* unit) {
    return fmt::format("{} {}{}", n, unit, n == 1 ? "" : "s");
  };
  if (seconds < 60) return "now";
  if (seconds < 3600) return count(seconds / 60, "minute");
  if (seconds < 2 * 86400) return count(seconds / 3600, "hour");
  return count(seconds / 86400, "day");
}

std::string entries_text(std::size_t n) {
  return fmt::format("{} {}", n, n == 1 ? "kernel" : "kernels");
}

// Its version is what people know a compiler by: the middle of "path, version, size and time".
std::string compiler_text(const CacheEntry& e) {
  const std::string& identity = e.manifest.parts.compiler;
  const std::size_t first = identity.find(", "), last = identity.rfind(", ");
  if (first == last) return identity;
  return identity.substr(first + 2, last - first - 2);
}

// 30d, 12h, 45m, 10s in seconds.
std::int64_t parse_age(const std::string& text) {
  const UserError wrong("--older-than " + text + ": expected a number and a unit", {},
                        "for example 30d, 12h, 45m or 10s");
  if (text.size() < 2) throw wrong;
  const std::string_view units = "smhd";
  const std::int64_t seconds[] = {1, 60, 3600, 86400};
  const std::size_t unit = units.find(text.back());
  const auto number = parse_int64(text.substr(0, text.size() - 1));
  // More than a hundred thousand days is a mistake, and would overflow one day.
  if (unit == units.npos || !number || number.value < 0 || number.value > 100'000'000) throw wrong;
  return number.value * seconds[unit];
}

// The folder without making it: only who compiles needs one.
struct Place {
  std::string folder;  // what LATHE_CACHE_DIR and so on say
  bool exists = false;
  bool writable = false;
  host::Descriptor descriptor;  // of the kernels in it
};

Place find_place() {
  Place p;
  p.folder = host::default_cache_folder();
  if (p.folder.empty())
    throw UserError("there is no folder for a kernel cache", {},
                    "set LATHE_CACHE_DIR to an absolute path");
  struct stat status {};
  const std::string kernels = p.folder + "/kernels";
  for (const std::string& path : {p.folder, kernels}) {
    if (::stat(path.c_str(), &status) != 0 && errno == ENOENT) return p;
    std::string problem;
    p.descriptor = host::open_cache_folder(path, problem);
    if (!p.descriptor)
      throw UserError("'" + path + "' is not used as a kernel cache: " + problem, {},
                      "set LATHE_CACHE_DIR to a folder of yours with mode 0700");
  }
  p.exists = true;
  p.writable = ::faccessat(p.descriptor.get(), ".", W_OK | X_OK, AT_EACCESS) == 0;
  return p;
}

void need_writable(const Place& p) {
  if (!p.writable)
    throw UserError("the kernel cache '" + p.folder + "' cannot be changed: it is read-only", {},
                    "chmod u+w '" + p.folder + "/kernels', or set LATHE_CACHE_DIR");
}

Json entry_json(const CacheEntry& e) {
  return {{"key", e.manifest.key},
          {"label", e.manifest.label},
          {"bytes", e.bytes},
          {"created", e.manifest.created},
          {"last_used", e.last_used},
          {"compile_seconds", static_cast<double>(e.manifest.compile_microseconds) * 1e-6},
          {"compiler", compiler_text(e)},
          {"flags", e.manifest.parts.flags},
          {"text", e.text_path}};
}

// Those that --key and --older-than leave, last used first.
std::vector<CacheEntry> chosen(const CacheArgs& args, const host::Cache& kept) {
  std::vector<CacheEntry> entries = kept.find(args.key);
  if (args.older_than.empty()) return entries;
  const std::int64_t before = ::time(nullptr) - parse_age(args.older_than);
  std::erase_if(entries, [&](const CacheEntry& e) { return e.last_used > before; });
  return entries;
}

int list(const CacheArgs& args, const std::vector<CacheEntry>& entries, const Place& place,
         std::ostream& out) {
  if (args.json) {
    Json all = Json::array();
    for (const CacheEntry& e : entries) all.push_back(entry_json(e));
    out << all.dump(2) << "\n";
    return 0;
  }
  if (entries.empty()) {
    out << "no kernels in '" << place.folder << "'\n";
    return 0;
  }
  std::size_t label = 5;
  for (const CacheEntry& e : entries) label = std::max(label, e.manifest.label.size());
  const std::int64_t now = ::time(nullptr);
  out << fmt::format("{:<12}  {:<{}}  {:>10}  {:>10}  compiler\n", "key", "label", label, "size",
                     "used");
  for (const CacheEntry& e : entries)
    out << fmt::format("{:<12}  {:<{}}  {:>10}  {:>10}  {}\n", e.manifest.key.substr(0, kShownKey),
                       e.manifest.label, label, size_text(e.bytes), age_text(now - e.last_used),
                       compiler_text(e));
  return 0;
}

int info(const CacheArgs& args, host::Cache* kept, const Place& place, std::ostream& out) {
  std::uint64_t bytes = 0;
  std::vector<CacheEntry> entries;
  if (kept) entries = kept->list();
  for (const CacheEntry& e : entries) bytes += e.bytes;
  const std::uint64_t limit = host::CacheSettings().max_bytes;
  std::optional<Diagnostic> problem;
  const auto cc = host::Compiler::find({}, problem);
  if (args.json) {
    Json json = {
        {"folder", place.folder},    {"exists", place.exists}, {"writable", place.writable},
        {"kernels", entries.size()}, {"bytes", bytes},         {"limit_bytes", limit}};
    json["compiler"] = cc ? Json(cc->path()) : Json(nullptr);
    json["compiler_version"] = cc ? Json(cc->version()) : Json(nullptr);
    out << json.dump(2) << "\n";
    return 0;
  }
  const char* state = !place.exists    ? "  (does not exist yet)"
                      : place.writable ? ""
                                       : "  (read-only)";
  out << "folder    " << place.folder << state << "\n"
      << "kernels   " << entries.size() << "\n"
      << "size      " << size_text(bytes) << " of at most " << size_text(limit) << "\n";
  if (!entries.empty()) {
    const std::int64_t now = ::time(nullptr);
    out << "used      last " << age_text(now - entries.front().last_used) << ", longest ago "
        << age_text(now - entries.back().last_used) << "\n";
  }
  out << "compiler  " << (cc ? cc->path() + "  " + cc->version() : problem->message) << "\n";
  return 0;
}

int clear(const CacheArgs& args, host::Cache* kept, const Place& place, std::ostream& out) {
  if (!args.all && args.key.empty() && args.older_than.empty())
    throw UserError("lathe cache clear does not know what to remove", {},
                    "--all, --older-than 30d, or --key and the first digits of a key");
  std::size_t removed = 0;
  std::uint64_t bytes = 0;
  if (kept) {
    need_writable(place);
    for (const CacheEntry& e : chosen(args, *kept)) {
      host::remove_entry(place.descriptor.get(), e.manifest.key);
      const std::string manifest = e.manifest.key + ".manifest";
      if (::faccessat(place.descriptor.get(), manifest.c_str(), F_OK, 0) == 0)
        throw UserError("'" + place.folder + "/kernels/" + manifest + "' cannot be removed", {},
                        "look at its permissions and those of its folder");
      ++removed;
      bytes += e.bytes;
    }
    if (args.all) removed += kept->clear();  // what list() does not show: damaged, left over
  }
  if (args.json)
    out << Json({{"removed", removed}, {"bytes", bytes}}).dump(2) << "\n";
  else
    out << "removed " << entries_text(removed) << ", " << size_text(bytes) << "\n";
  return 0;
}

int verify(const CacheArgs& args, host::Cache* kept, const Place& place, std::ostream& out) {
  std::vector<host::DamagedEntry> damaged;
  std::size_t count = 0;
  if (kept) {
    if (args.repair) need_writable(place);
    count = kept->list().size();
    damaged = kept->verify(args.repair);
  }
  // An entry whose manifest is unreadable is damaged without having been listed.
  count = std::max(count, damaged.size());
  if (args.json) {
    Json json = {{"kernels", count}, {"removed", args.repair}, {"damaged", Json::array()}};
    for (const auto& d : damaged)
      json["damaged"].push_back({{"key", d.key}, {"problem", d.problem}});
    out << json.dump(2) << "\n";
  } else {
    for (const auto& d : damaged)
      out << d.key.substr(0, kShownKey) << "  " << d.problem << (args.repair ? "; removed" : "")
          << "\n";
    if (damaged.empty())
      out << entries_text(count) << ", all as they were written\n";
    else
      out << entries_text(damaged.size()) << " damaged"
          << (args.repair ? "" : "; lathe cache verify --repair removes them") << "\n";
  }
  return damaged.empty() || args.repair ? 0 : 1;
}

int act(const CacheArgs& args, std::ostream& out) {
  const std::string& action = args.action;
  const auto digits = std::string_view("0123456789abcdef");
  if (args.key.find_first_not_of(digits) != std::string::npos)
    throw UserError("--key " + args.key + ": keys are made of the digits 0-9 and a-f", {},
                    "lathe cache list shows them");
  if (!args.older_than.empty()) parse_age(args.older_than);
  const Place place = find_place();
  std::optional<host::Cache> kept;
  if (place.exists) {
    host::CacheSettings settings;
    settings.folder = place.folder;
    kept.emplace(settings);
  }
  host::Cache* const cache = kept ? &*kept : nullptr;
  if (action == "info") return info(args, cache, place, out);
  if (action == "clear") return clear(args, cache, place, out);
  if (action == "verify") return verify(args, cache, place, out);
  return list(args, cache ? chosen(args, *cache) : std::vector<CacheEntry>(), place, out);
}

}  // namespace

int cache(const CacheArgs& args, Streams io) {
  const std::string& action = args.action;
  if (action.empty())
    return refuse("lathe cache needs an action", "list, info, clear or verify", io);
  const bool selects = !args.key.empty() || !args.older_than.empty();
  if (selects && action != "list" && action != "clear")
    return refuse("--key and --older-than are for lathe cache list and clear", "leave them out",
                  io);
  if (args.all && (action != "clear" || selects))
    return refuse("--all is for lathe cache clear, alone", "leave it out", io);
  if (args.repair && action != "verify")
    return refuse("--repair is for lathe cache verify", "leave it out", io);
  try {
    return act(args, io.out);
  } catch (const UserError& e) {
    Diagnostics diagnostics;
    diagnostics.add(e.diagnostic());
    report_errors(diagnostics, SourceMap(), args.json, io);
    return 1;
  }
}

}  // namespace lathe::cli
