// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file descriptor that is closed on every way out, and the two loops that POSIX leaves to
// callers.

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

namespace lathe::host {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }

  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

// False with errno when not all could be written.
inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

// To the end of the file, or to `limit` bytes. False with errno.
inline bool read_all(int fd, std::string& out, std::size_t limit) {
  char buffer[1 << 15];
  while (out.size() < limit) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    out.append(buffer, static_cast<std::size_t>(got));
  }
  errno = EFBIG;
  return false;
}

}  // namespace lathe::host
