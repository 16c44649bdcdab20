// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lock that processes share through a file of a folder. It only saves double work: what it guards
// stays right without it, because whoever waits too long goes on without it.

#include <string>

#include "device/host/descriptor.h"

namespace lathe::host {

class FileLock {
 public:
  // Waits up to `seconds`. The kernel lets go of the lock when its holder dies, however it dies.
  FileLock(int folder, std::string name, double seconds);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool held() const { return static_cast<bool>(file_); }

 private:
  int folder_;
  std::string name_;
  Descriptor file_;
};

}  // namespace lathe::host
