// SPDX-License-Identifier: Apache-2.0
// All files are reached through the descriptor of the folder that was checked: replacing the folder
// by a link afterwards changes nothing.

#include "device/host/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace lathe::host {
namespace {

std::string absolute(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? value : "";
}

// mkdir -p with mode 0700. Returns an errno.
int make_folders(const std::string& path) {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at < path.size() && path[at] != '/') continue;
    if (::mkdir(path.substr(0, at).c_str(), 0700) != 0 && errno != EEXIST) return errno;
  }
  return 0;
}

}  // namespace

std::string default_cache_folder() {
  if (std::string own = absolute("LATHE_CACHE_DIR"); !own.empty()) return own;
  if (std::string base = absolute("XDG_CACHE_HOME"); !base.empty()) return base + "/lathe";
  if (std::string home = absolute("HOME"); !home.empty()) return home + "/.cache/lathe";
  return "";
}

Descriptor open_cache_folder(const std::string& path, std::string& problem) {
  if (path.empty() || path[0] != '/') {
    problem = "it is no absolute path";
    return Descriptor();
  }
  const auto try_open = [&] {
    return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  };
  Descriptor folder = try_open();
  if (!folder && errno == ENOENT) {
    if (const int error = make_folders(path); error != 0) {
      problem = std::string("it cannot be made: ") + std::strerror(error);
      return Descriptor();
    }
    folder = try_open();
  }
  struct stat status {};
  if (!folder || ::fstat(folder.get(), &status) != 0) {
    problem = std::string("it cannot be opened: ") + std::strerror(errno);
    return Descriptor();
  }
  if (status.st_uid != ::geteuid()) {
    problem = "it belongs to another user";
  } else if (status.st_mode & 022) {
    problem = "other users may write to it";
  } else {
    return folder;
  }
  return Descriptor();
}

bool read_in(int folder, const std::string& name, std::string& bytes, std::size_t limit) {
  const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  bytes.clear();
  bytes.reserve(static_cast<std::size_t>(status.st_size));
  return read_all(file.get(), bytes, limit);
}

int put_in(int folder, const std::string& name, std::string_view bytes, bool sync) {
  // The process id keeps processes apart, the counter threads; a left-over of an earlier process
  // with our number is replaced.
  static std::atomic<unsigned> counter{0};
  const std::string temporary = std::string(kTemporaryPrefix) + std::to_string(::getpid()) + "-" +
                                std::to_string(counter++) + "-" + name;
  ::unlinkat(folder, temporary.c_str(), 0);
  int error = 0;
  Descriptor file(
      ::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return errno;
  const bool written = write_all(file.get(), bytes) && (!sync || ::fdatasync(file.get()) == 0);
  if (!written) error = errno;
  file.reset();
  if (error == 0 && ::renameat(folder, temporary.c_str(), folder, name.c_str()) != 0) error = errno;
  if (error != 0) ::unlinkat(folder, temporary.c_str(), 0);
  return error;
}

}  // namespace lathe::host
