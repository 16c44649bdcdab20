// SPDX-License-Identifier: Apache-2.0
#pragma once
// A new folder that only this user can look into, removed with its files at the end.

#include <string>

namespace lathe::host {

class TemporaryFolder {
 public:
  // TMPDIR/lathe-<purpose>-<random>, or /tmp for TMPDIR. path() is empty when none could be made;
  // error() is then the errno.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  int error() const { return error_; }

 private:
  std::string path_;
  int error_ = 0;
  int process_ = 0;  // a forked child must not remove its parent's folder
};

// Removes this user's folders of that purpose that are older than a day: a killed process cannot.
void remove_stale_folders(const std::string& purpose);

}  // namespace lathe::host
