// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whole files in and out. Every failure is a UserError that names the file and says why.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lathe {

inline constexpr std::uint64_t kMaxTextFile = std::uint64_t{1} << 30;

// "-" is not special. Pipes and devices are read to their end.
std::string read_file(const std::string& path, std::uint64_t max_bytes = kMaxTextFile);

// A file that appears whole or not at all: written under a temporary name in the same folder,
// synced and renamed by commit(). Without commit() the temporary file is removed and the old
// content stays. A path that names a pipe or a device is written directly: renaming would replace
// the device.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;       // as the user gave it, for messages
  std::string target_;     // symbolic links followed
  std::string temporary_;  // empty when written directly
  int descriptor_ = -1;
};

void write_file(const std::string& path, std::string_view text);

}  // namespace lathe
