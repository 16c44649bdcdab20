// SPDX-License-Identifier: Apache-2.0
// flock is tried again and again instead of waited for: a holder that is stopped (SIGSTOP, a
// debugger) must not stop everybody. The holder removes the file before it lets go, so folders do
// not fill up; hence whoever gets the lock looks whether its file is still the one with the name.

#include "device/host/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <chrono>

#include "base/stop.h"

namespace lathe::host {
namespace {

bool has_name(int file, int folder, const std::string& name) {
  struct stat mine {
  }, named{};
  return ::fstat(file, &mine) == 0 &&
         ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

}  // namespace

FileLock::FileLock(int folder, std::string name, double seconds)
    : folder_(folder), name_(std::move(name)) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  long pause = 500'000;  // nanoseconds
  for (;;) {
    Descriptor file(
        ::openat(folder_, name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) return;
    while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return;  // a file system without locks
      if (std::chrono::steady_clock::now() >= end) return;
      stop_if_asked();
      const timespec time{0, pause};
      ::nanosleep(&time, nullptr);
      pause = std::min(pause * 3 / 2, 10'000'000L);
    }
    if (has_name(file.get(), folder_, name_)) {
      file_ = std::move(file);
      return;
    }
  }
}

FileLock::~FileLock() {
  if (held()) ::unlinkat(folder_, name_.c_str(), 0);
}

}  // namespace lathe::host
