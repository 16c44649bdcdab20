// SPDX-License-Identifier: Apache-2.0
// A bundle is written beside its place, then takes it in one step. What it replaces may only be a
// bundle as it was written: the file `bundle.sha256` (of `sha256sum`) says what that was.

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "base/quoted.h"
#include "base/sha256.h"
#include "cli/bundle.h"

namespace lathe::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSumsFile = "bundle.sha256";
constexpr const char* kHelp = "name a folder that does not exist, or remove this one yourself";

std::map<std::string, std::string> read_sums(const fs::path& folder) {
  std::map<std::string, std::string> sums;
  const std::string text = read_file((folder / kSumsFile).string(), 1 << 16);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.size() > 66) sums[line.substr(66)] = line.substr(0, 64);
    at = end + 1;
  }
  return sums;
}

// Throws unless the folder is empty or holds an unchanged bundle, with what its Makefile makes.
void check_replaceable(const fs::path& folder) {
  const auto refuse = [&](const std::string& why) {
    throw UserError(lathe::quoted(folder.string()) + " is not overwritten: " + why, {}, kHelp);
  };
  if (!fs::is_directory(folder)) refuse("it is no folder");
  if (fs::is_empty(folder)) return;
  if (!fs::exists(folder / kSumsFile)) refuse("it holds other things than a bundle");
  const std::map<std::string, std::string> sums = read_sums(folder);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (name == kSumsFile) continue;
    const auto known = sums.find(name);
    if (known == sums.end()) {
      const bool made = name.ends_with(".o")
                            ? sums.contains(name.substr(0, name.size() - 2) + ".c")
                            : name.starts_with("test_") && sums.contains(name.substr(5) + ".c");
      if (!made) refuse(lathe::quoted(name) + " is not of the bundle");
    } else if (sha256_hex(read_file((folder / name).string())) != known->second) {
      refuse(lathe::quoted(name) + " was changed since the bundle was written");
    }
  }
}

// Removed unless it has been moved to its place.
struct Draft {
  explicit Draft(const fs::path& place)
      : path(place.string() + ".tmp-" + std::to_string(::getpid())) {
    fs::remove_all(path);  // left by an earlier process with our number
    fs::create_directories(path);
  }
  ~Draft() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  fs::path path;
};

void take_place(const Draft& draft, const fs::path& folder) {
  // Replaces an empty folder too.
  if (::rename(draft.path.c_str(), folder.c_str()) == 0) return;
  // Both change names at once; the old one goes with the draft.
  if (::renameat2(AT_FDCWD, draft.path.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0)
    return;
  throw UserError("cannot write " + lathe::quoted(folder.string()) + ": " + std::strerror(errno),
                  {}, kHelp);
}

}  // namespace

void write_bundle(const std::string& name, const std::vector<BundleFile>& files) {
  fs::path folder = fs::path(name).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // "bundle/"
  try {
    if (fs::exists(folder)) check_replaceable(folder);
    const Draft draft(folder);
    std::string sums;
    for (const BundleFile& f : files) {
      write_file((draft.path / f.name).string(), f.text);
      sums += sha256_hex(f.text) + "  " + f.name + "\n";
    }
    write_file((draft.path / kSumsFile).string(), sums);
    take_place(draft, folder);
  } catch (const fs::filesystem_error& e) {
    throw UserError("cannot write " + lathe::quoted(name) + ": " + e.code().message(), {},
                    "name a folder in a place that you may write to: -o DIR");
  }
}

}  // namespace lathe::cli
