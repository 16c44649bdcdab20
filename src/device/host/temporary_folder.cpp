// SPDX-License-Identifier: Apache-2.0
#include "device/host/temporary_folder.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace lathe::host {
namespace {

namespace fs = std::filesystem;

std::string base_folder() {
  const char* variable = ::getenv("TMPDIR");
  return variable && *variable == '/' ? variable : "/tmp";
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose) : process_(::getpid()) {
  std::string name = base_folder() + "/lathe-" + purpose + "-XXXXXX";
  if (::mkdtemp(name.data())) {
    path_ = name;
  } else {
    error_ = errno;
  }
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty() || process_ != ::getpid()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void remove_stale_folders(const std::string& purpose) {
  const std::string start = "lathe-" + purpose + "-";
  std::error_code error;
  for (fs::directory_iterator at(base_folder(), error), end; !error && at != end;
       at.increment(error)) {
    if (!at->path().filename().string().starts_with(start)) continue;
    struct stat status {};
    if (::lstat(at->path().c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
    if (status.st_uid != ::geteuid() || ::time(nullptr) - status.st_mtime < 24 * 3600) continue;
    std::error_code ignored;
    fs::remove_all(at->path(), ignored);
  }
}

}  // namespace lathe::host
