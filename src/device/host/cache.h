// SPDX-License-Identifier: Apache-2.0
#pragma once
// C text in, loaded library out; the C compiler runs only for what was never compiled before.
//
// Kernels are kept in a folder and found by the SHA-256 of all that decides about their code: text,
// flags, compiler, processor, ABI. What the folder holds is checked before it is loaded. Any number
// of processes and threads may use one folder at once, each kernel is compiled once, and any of
// them may be killed at any moment. A folder that is full, read-only, damaged or not ours costs
// time and a warning, never the result.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "device/host/cache_entry.h"
#include "device/host/compiler.h"
#include "device/host/descriptor.h"
#include "device/host/library.h"
#include "device/host/temporary_folder.h"

namespace lathe::host {

struct CacheSettings {
  std::string folder;  // empty: default_cache_folder()
  std::uint64_t max_bytes = std::uint64_t{2} << 30;
  CompilerSettings compiler;
};

struct KernelRequest {
  std::string text;
  std::vector<std::string> flags;
  std::vector<std::string> symbols;         // functions that the library must have
  std::string label;                        // for people: what `lathe cache list` shows
  std::vector<std::size_t> functions = {};  // as in CompileRequest
};

enum class KernelOrigin { Memory, Disk, Compiler };

struct Kernel {
  std::shared_ptr<const Library> library;  // null when there is an error
  std::optional<Diagnostic> error;
  std::vector<Diagnostic> warnings;  // each is given once by a Cache, to whoever comes first
  KernelOrigin origin = KernelOrigin::Compiler;
  double compile_seconds = 0;  // of the C compiler, now
  std::string key;
};

struct CacheEntry {
  Manifest manifest;
  std::uint64_t bytes = 0;     // of its files
  std::int64_t last_used = 0;  // seconds since 1970, to the hour
  std::string text_path;
};

struct DamagedEntry {
  std::string key;
  std::string problem;
};

class Cache {
 public:
  explicit Cache(CacheSettings settings = {});
  ~Cache();

  // The one that a process normally has, with default settings.
  static Cache& shared();

  // Thread-safe, also in a child after fork. While anyone holds a library, asking again returns it.
  // Throws Stopped when this thread is asked to stop (base/stop.h).
  Kernel lookup_or_compile(const KernelRequest& request);

  // The kept kernel with that key, or one without a library. Never compiles.
  Kernel lookup(const std::string& key, const std::vector<std::string>& symbols);

  // Small texts beside the kernels, by keys of the same form. Whoever reads them checks them;
  // nothing is lost with one but time.
  std::optional<std::string> read_note(const std::string& key) const;
  void write_note(const std::string& key, std::string_view text) const;

  // Where kernels are kept now: not the wanted folder when that was refused.
  const std::string& folder() const { return folder_; }
  // Null, with the reason, when there is none. Looked for once.
  std::shared_ptr<const Compiler> compiler(std::optional<Diagnostic>& problem);

  // Why this request is not in the folder: the entry that is most like it, and what differs.
  std::string why_missed(const KernelRequest& request);

  std::vector<CacheEntry> list() const;  // last used first
  // The entries whose key begins so.
  std::vector<CacheEntry> find(const std::string& key_prefix) const;
  std::size_t clear();  // the number of entries removed
  // Reads every entry and compares hashes; damaged ones are removed when asked to.
  std::vector<DamagedEntry> verify(bool remove);
  // Removes what was used longest ago until the limit holds, and what killed processes left.
  // Happens by itself about every sixteenth time that a kernel is added.
  void evict();

 private:
  struct State;

  State& state();
  Kernel produce(const KernelRequest& request, const KeyParts& parts, const std::string& key);
  bool load_entry(const std::string& key, const KernelRequest& request, bool locked,
                  Kernel& kernel);
  void compile_and_keep(const KernelRequest& request, const KeyParts& parts, Kernel& kernel);
  void warn_once(Kernel& kernel, const std::string& message, const std::string& help = {});

  CacheSettings settings_;
  std::unique_ptr<TemporaryFolder> private_folder_;  // when the wanted one was refused
  std::string folder_;
  Descriptor descriptor_;        // of folder_
  std::string refused_;          // why the wanted folder is not used; told with the first kernel
  std::atomic<State*> state_{};  // what must not be shared with a forked child
};

}  // namespace lathe::host
