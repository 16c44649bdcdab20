// SPDX-License-Identifier: Apache-2.0
// The way of a request: the libraries that this process has loaded; the folder; under a lock per
// key, the folder again (another process may have been first) and the compiler.

#include "device/host/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <mutex>
#include <set>
#include <unordered_map>

#include "base/sha256.h"
#include "base/stop.h"
#include "device/host/cache_folder.h"
#include "device/host/file_lock.h"
#include "device/host/shared_object.h"

namespace lathe::host {
namespace {

// How often a thread that waits for another's kernel looks whether it is to stop.
constexpr std::chrono::milliseconds kLook{50};

}  // namespace

// One per process: a child after fork gets a new one, since a thread that does not exist in it may
// hold the mutex or owe the others a library.
struct Cache::State {
  struct Slot {
    std::weak_ptr<const Library> library;
    std::shared_future<Kernel> pending;  // valid while a thread is at work on it
  };

  const pid_t process = ::getpid();
  std::mutex mutex;  // guards the rest
  std::unordered_map<std::string, Slot> slots;
  std::size_t tidy_at = 1024;  // slots of libraries that nobody holds any more are removed then
  std::set<std::string> warned;

  std::once_flag compiler_once;
  std::shared_ptr<const Compiler> compiler;
  std::optional<Diagnostic> compiler_problem;
};

Cache::Cache(CacheSettings settings) : settings_(std::move(settings)), state_(new State) {
  const std::string wanted = settings_.folder.empty() ? default_cache_folder() : settings_.folder;
  std::string problem;
  if (open_cache_folder(wanted, problem)) {
    folder_ = wanted + "/kernels";
    descriptor_ = open_cache_folder(folder_, problem);
    if (descriptor_ && settings_.compiler.memo_folder.empty()) {
      settings_.compiler.memo_folder = wanted;
    }
  }
  if (descriptor_) return;
  refused_ = "kernels are not kept in '" + wanted + "': " + problem;
  private_folder_ = std::make_unique<TemporaryFolder>("private");
  folder_ = private_folder_->path();
  descriptor_ = open_cache_folder(folder_, problem);
}

Cache::~Cache() { delete state_.load(); }

Cache& Cache::shared() {
  static Cache* const cache = new Cache;  // never destroyed: threads may outlive main
  return *cache;
}

Cache::State& Cache::state() {
  State* current = state_.load(std::memory_order_acquire);
  if (current->process == ::getpid()) return *current;
  auto* fresh = new State;  // the old one is lost: its mutex may be held for ever
  if (state_.compare_exchange_strong(current, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;
  return *current;
}

void Cache::warn_once(Kernel& kernel, const std::string& message, const std::string& help) {
  State& s = state();
  const std::scoped_lock guard(s.mutex);
  if (!s.warned.insert(message).second) return;
  kernel.warnings.push_back({Severity::Warning, message, {}, {}, help});
}

std::shared_ptr<const Compiler> Cache::compiler(std::optional<Diagnostic>& problem) {
  State& s = state();
  std::call_once(s.compiler_once,
                 [&] { s.compiler = Compiler::find(settings_.compiler, s.compiler_problem); });
  problem = s.compiler_problem;
  return s.compiler;
}

Kernel Cache::lookup_or_compile(const KernelRequest& request) {
  Kernel out;
  const std::shared_ptr<const Compiler> cc = compiler(out.error);
  if (!cc) return out;
  const KeyParts parts = KeyParts::of(request.text, request.flags, cc->identity());
  out.key = parts.key();

  State& s = state();
  std::promise<Kernel> promise;
  {
    std::unique_lock guard(s.mutex);
    if (s.slots.size() >= s.tidy_at) {
      std::erase_if(s.slots, [](const auto& item) {
        return item.second.library.expired() && !item.second.pending.valid();
      });
      s.tidy_at = std::max<std::size_t>(1024, 2 * s.slots.size());
    }
    State::Slot& slot = s.slots[out.key];
    if ((out.library = slot.library.lock())) {
      out.origin = KernelOrigin::Memory;
      return out;
    }
    if (slot.pending.valid()) {
      const std::shared_future<Kernel> pending = slot.pending;
      guard.unlock();
      while (pending.wait_for(kLook) != std::future_status::ready) stop_if_asked();
      try {
        out = pending.get();
      } catch (const Stopped&) {  // that thread was; this one still wants the kernel
        stop_if_asked();
        return lookup_or_compile(request);
      }
      out.warnings.clear();
      if (out.library) out.origin = KernelOrigin::Memory;
      return out;
    }
    slot.pending = promise.get_future().share();
  }
  try {
    out = produce(request, parts, out.key);
  } catch (const Stopped&) {
    {
      const std::scoped_lock guard(s.mutex);
      s.slots[out.key].pending = {};
    }
    promise.set_exception(std::current_exception());
    throw;
  } catch (const std::exception& failure) {  // memory, mostly
    out.error = Diagnostic{
        Severity::Error, std::string("cannot make a kernel: ") + failure.what(), {}, {}, {}};
  }
  {
    const std::scoped_lock guard(s.mutex);
    State::Slot& slot = s.slots[out.key];
    slot.library = out.library;
    slot.pending = {};
  }
  promise.set_value(out);
  return out;
}

Kernel Cache::lookup(const std::string& key, const std::vector<std::string>& symbols) {
  Kernel out;
  out.key = key;
  State& s = state();
  {
    const std::scoped_lock guard(s.mutex);
    const auto slot = s.slots.find(key);
    if (slot != s.slots.end() && (out.library = slot->second.library.lock())) {
      out.origin = KernelOrigin::Memory;
      return out;
    }
  }
  KernelRequest request;
  request.symbols = symbols;
  if (!is_key(key) || !load_entry(key, request, false, out)) return out;
  const std::scoped_lock guard(s.mutex);
  s.slots[key].library = out.library;
  return out;
}

namespace {
constexpr std::size_t kMaxNote = 1 << 20;
}  // namespace

std::optional<std::string> Cache::read_note(const std::string& key) const {
  std::string text;
  if (!is_key(key) || !read_in(descriptor_.get(), key + ".note", text, kMaxNote))
    return std::nullopt;
  return text;
}

void Cache::write_note(const std::string& key, std::string_view text) const {
  if (is_key(key) && text.size() <= kMaxNote)
    (void)put_in(descriptor_.get(), key + ".note", text, false);
}

Kernel Cache::produce(const KernelRequest& request, const KeyParts& parts, const std::string& key) {
  Kernel out;
  out.key = key;
  if (!refused_.empty()) {
    warn_once(out, refused_, "set LATHE_CACHE_DIR to a folder of yours with mode 0700");
  }
  if (load_entry(key, request, false, out)) return out;
  const FileLock lock(descriptor_.get(), key + ".lock", settings_.compiler.timeout_seconds + 5);
  if (load_entry(key, request, lock.held(), out)) return out;
  compile_and_keep(request, parts, out);
  return out;
}

bool Cache::load_entry(const std::string& key, const KernelRequest& request, bool locked,
                       Kernel& kernel) {
  Manifest manifest;
  std::string problem;
  const std::string object = read_entry(descriptor_.get(), key, manifest, problem);
  if (object.empty() && problem.empty()) return false;
  if (problem.empty()) problem = shared_object_problem(object, request.symbols);
  if (problem.empty()) {
    kernel.library = Library::open(folder_ + "/" + key + ".so", problem);
  }
  if (!problem.empty()) {
    // Without the lock it may just be another process at work.
    if (locked) {
      remove_entry(descriptor_.get(), key);
      warn_once(kernel,
                "a kept kernel in '" + folder_ + "' is damaged and was replaced: " + problem);
    }
    return false;
  }
  kernel.origin = KernelOrigin::Disk;
  // The manifest's time says when the entry was last used; to the hour is enough.
  struct stat status {};
  const std::string name = key + ".manifest";
  if (::fstatat(descriptor_.get(), name.c_str(), &status, 0) == 0 &&
      ::time(nullptr) - status.st_mtime > 3600) {
    (void)::utimensat(descriptor_.get(), name.c_str(), nullptr, 0);
  }
  return true;
}

void Cache::compile_and_keep(const KernelRequest& request, const KeyParts& parts, Kernel& kernel) {
  std::optional<Diagnostic> problem;
  const TemporaryFolder work("build");
  if (work.path().empty()) {
    kernel.error =
        Diagnostic{Severity::Error,
                   std::string("cannot make a temporary folder: ") + std::strerror(work.error()),
                   {},
                   {},
                   "set TMPDIR to a folder with free space"};
    return;
  }
  const CompileResult made = compiler(problem)->compile(
      {request.text, request.flags, request.symbols, work.path(), request.functions});
  kernel.compile_seconds = made.seconds;
  kernel.error = made.error;
  if (!made.ok()) return;

  std::string object;
  const Descriptor file(::open(made.path.c_str(), O_RDONLY | O_CLOEXEC));
  int error = file && read_all(file.get(), object, kMaxObject) ? 0 : errno;
  if (error == 0) {
    const Manifest manifest{kernel.key,         parts,
                            sha256_hex(object), request.label,
                            ::time(nullptr),    static_cast<std::int64_t>(made.seconds * 1e6)};
    error = write_entry(descriptor_.get(), manifest, object, request.text);
  }
  if (error != 0) {
    warn_once(kernel,
              "compiled kernels cannot be kept in '" + folder_ + "': " + std::strerror(error));
  }
  std::string refusal;
  if (error == 0) kernel.library = Library::open(folder_ + "/" + kernel.key + ".so", refusal);
  // What cannot be kept is loaded from where it was compiled; it stays loaded without its file.
  if (!kernel.library) kernel.library = Library::open(made.path, refusal);
  if (!kernel.library) {
    kernel.error =
        Diagnostic{Severity::Error, "the compiled kernel cannot be loaded: " + refusal, {}, {}, {}};
  }
  if (error == 0 && kernel.key[0] == '0') evict();
}

}  // namespace lathe::host
