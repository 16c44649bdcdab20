// SPDX-License-Identifier: Apache-2.0
// What the cache does besides finding kernels: show, explain, check, and keep its size. It runs
// beside other processes that read and write the same folder. Files are only ever unlinked, never
// shortened: a process that has one loaded keeps it.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "device/host/cache.h"
#include "device/host/cache_folder.h"
#include "device/host/file_lock.h"

namespace lathe::host {
namespace {

constexpr std::int64_t kStaleSeconds = 3600;
constexpr std::int64_t kStaleNoteSeconds = 30 * 24 * 3600;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  DIR* const stream = ::opendir(folder.c_str());
  if (!stream) return out;
  while (const dirent* entry = ::readdir(stream)) out.push_back(entry->d_name);
  ::closedir(stream);
  std::sort(out.begin(), out.end());
  return out;
}

// Removes the files of this folder that belong to no entry and have not been touched for an hour.
void sweep(int folder, const std::vector<std::string>& names) {
  std::set<std::string> entries;
  for (const std::string& name : names) {
    if (name.ends_with(".manifest")) entries.insert(key_of_file(name));
  }
  for (const std::string& name : names) {
    const std::string key = key_of_file(name);
    const bool ours = name.starts_with(kTemporaryPrefix) || (!key.empty() && !entries.count(key));
    struct stat status {};
    if (!ours || ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    // Notes belong to no kernel alone; they are small, and made again when missed.
    const std::int64_t stale = name.ends_with(".note") ? kStaleNoteSeconds : kStaleSeconds;
    if (::time(nullptr) - status.st_mtime < stale) continue;
    if (name.ends_with(".lock")) {
      const FileLock lock(folder, name, 0);  // removes it, unless someone holds it
    } else {
      ::unlinkat(folder, name.c_str(), 0);
    }
  }
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::vector<CacheEntry> Cache::list() const { return find(""); }

std::vector<CacheEntry> Cache::find(const std::string& key_prefix) const {
  std::vector<CacheEntry> out;
  for (const std::string& name : names_in(folder_)) {
    const std::string key = key_of_file(name);
    if (key.empty() || !name.ends_with(".manifest") || !key.starts_with(key_prefix)) continue;
    std::string text;
    if (!read_in(descriptor_.get(), name, text, kMaxManifest)) continue;
    std::optional<Manifest> manifest = Manifest::parse(text);
    if (!manifest) continue;  // verify() tells
    CacheEntry entry{std::move(*manifest), 0, 0, folder_ + "/" + key + ".c"};
    for (const char* suffix : {".manifest", ".so", ".c"}) {
      struct stat status {};
      if (::fstatat(descriptor_.get(), (key + suffix).c_str(), &status, 0) != 0) continue;
      entry.bytes += static_cast<std::uint64_t>(status.st_size);
      if (std::string_view(suffix) == ".manifest") entry.last_used = status.st_mtime;
    }
    out.push_back(std::move(entry));
  }
  std::stable_sort(out.begin(), out.end(), [](const CacheEntry& a, const CacheEntry& b) {
    return a.last_used > b.last_used;
  });
  return out;
}

std::size_t Cache::clear() {
  std::size_t entries = 0;
  for (const std::string& name : names_in(folder_)) {
    // Nothing but our own names: the folder may hold other things by somebody's mistake.
    if (key_of_file(name).empty() && !name.starts_with(kTemporaryPrefix)) continue;
    if (name.ends_with(".lock")) continue;  // its holder removes it
    if (::unlinkat(descriptor_.get(), name.c_str(), 0) == 0 && name.ends_with(".manifest")) {
      ++entries;
    }
  }
  return entries;
}

std::vector<DamagedEntry> Cache::verify(bool remove) {
  std::vector<DamagedEntry> out;
  for (const std::string& name : names_in(folder_)) {
    const std::string key = key_of_file(name);
    if (key.empty() || !name.ends_with(".manifest")) continue;
    Manifest manifest;
    std::string problem;
    read_entry(descriptor_.get(), key, manifest, problem);
    if (problem.empty()) continue;
    if (remove) remove_entry(descriptor_.get(), key);
    out.push_back({key, problem});
  }
  return out;
}

void Cache::evict() {
  sweep(descriptor_.get(), names_in(folder_));
  remove_stale_folders("build");
  std::vector<CacheEntry> entries = list();
  std::uint64_t total = 0;
  for (const CacheEntry& entry : entries) total += entry.bytes;
  if (total <= settings_.max_bytes) return;
  // Down to nine tenths, so that the next kernels do not each evict one.
  const std::uint64_t goal = settings_.max_bytes / 10 * 9;
  while (total > goal && !entries.empty()) {
    remove_entry(descriptor_.get(), entries.back().manifest.key);
    total -= entries.back().bytes;
    entries.pop_back();
  }
}

std::string Cache::why_missed(const KernelRequest& request) {
  std::optional<Diagnostic> problem;
  const std::shared_ptr<const Compiler> cc = compiler(problem);
  if (!cc) return problem->message;
  const KeyParts wanted = KeyParts::of(request.text, request.flags, cc->identity());
  const CacheEntry* nearest = nullptr;
  int best = -1;
  const std::vector<CacheEntry> entries = list();
  for (const CacheEntry& entry : entries) {
    // The same text counts more than all else, a common label only between equals.
    int equal = entry.manifest.label == request.label ? 1 : 0;
    for (const NamedPart& part : kKeyParts) {
      const bool is_text = part.value == &KeyParts::text_hash;
      if (entry.manifest.parts.*part.value == wanted.*part.value) equal += is_text ? 100 : 2;
    }
    if (equal > best) {
      best = equal;
      nearest = &entry;
    }
  }
  if (!nearest) return "nothing is kept in '" + folder_ + "'";
  std::string out;
  for (const NamedPart& part : kKeyParts) {
    const std::string& here = wanted.*part.value;
    const std::string& there = nearest->manifest.parts.*part.value;
    if (here == there) continue;
    out += out.empty() ? "" : "; ";
    out += std::string("the ") + part.name;
    if (part.value == &KeyParts::text_hash) continue;  // a hash tells people nothing
    out += " ('" + one_line(here) + "' now, '" + one_line(there) + "' then)";
  }
  if (out.empty()) return "it is kept: " + nearest->manifest.key;
  return "the nearest kept kernel, '" + nearest->manifest.label + "' (" +
         nearest->manifest.key.substr(0, 12) + "), differs in " + out;
}

}  // namespace lathe::host
