// SPDX-License-Identifier: Apache-2.0
// Files through POSIX calls: streams hide why something failed.

#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/diagnostics.h"

namespace lathe {
namespace {

[[noreturn]] void fail_to(const char* action, const std::string& path, int error) {
  std::string reason;
  switch (error) {
    case ENOENT:
      reason =
          std::strcmp(action, "read") == 0 ? "there is no such file" : "there is no such folder";
      break;
    case ENOTDIR: reason = "a part of the path is not a folder"; break;
    case EISDIR: reason = "it is a folder"; break;
    case EACCES:
    case EPERM: reason = "permission denied"; break;
    case EROFS: reason = "the file system is read-only"; break;
    case ENOSPC:
    case EDQUOT: reason = "the disk is full"; break;
    default: reason = std::strerror(error);
  }
  throw UserError("cannot " + std::string(action) + " '" + path + "': " + reason);
}

// Closes on every way out.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string follow_links(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (!real) return path;  // does not exist yet
  std::string out = real;
  std::free(real);
  return out;
}

// Names differ between processes by the process id, within one by a counter.
std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

}  // namespace

std::string read_file(const std::string& path, std::uint64_t max_bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail_to("read", path, errno);
  const auto refuse_size = [&] {
    throw UserError("cannot read '" + path + "': it is larger than the limit of " +
                    std::to_string(max_bytes) + " bytes");
  };
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) fail_to("read", path, errno);
  if (S_ISDIR(status.st_mode)) fail_to("read", path, EISDIR);
  std::string text;
  if (S_ISREG(status.st_mode)) {
    if (static_cast<std::uint64_t>(status.st_size) > max_bytes) refuse_size();
    text.reserve(static_cast<std::size_t>(status.st_size));
  }
  // The size is only a hint: pipes have none and a file may grow meanwhile.
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_to("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > max_bytes) refuse_size();
  }
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(follow_links(path_)) {
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  do {
    temporary_ = temporary_name(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);  // left behind by a killed process of our number
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail(error);
  }
  if (exists) {
    // Best effort: a replaced file keeps its permissions where that is allowed.
    (void)::fchmod(descriptor_, status.st_mode & 07777);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(int error) const { fail_to("write", path_, error); }

void AtomicFile::write(std::span<const std::byte> bytes) {
  check(descriptor_ >= 0, "a write to a file that is already committed");
  while (!bytes.empty()) {
    // Linux writes at most 2 GiB at once anyway.
    const std::size_t chunk = std::min(bytes.size(), std::size_t{1} << 30);
    const ssize_t put = ::write(descriptor_, bytes.data(), chunk);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void AtomicFile::commit() {
  check(descriptor_ >= 0, "a file that is committed twice");
  const bool direct = temporary_.empty();
  if (!direct && ::fsync(descriptor_) != 0) fail(errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail(errno);
  if (direct) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  // The new name survives a power cut only once the folder is on disk too.
  const Descriptor folder{::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.fd >= 0) (void)::fsync(folder.fd);
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace lathe
