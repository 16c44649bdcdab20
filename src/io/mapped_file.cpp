// SPDX-License-Identifier: Apache-2.0
#include "io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/diagnostics.h"
#include "base/files.h"

namespace lathe::io {
namespace {

MappedFile read_whole(const std::string& path) {
  auto text = std::make_shared<const std::string>(read_file(path));
  const auto bytes = std::as_bytes(std::span(text->data(), text->size()));
  return {bytes, std::move(text)};
}

}  // namespace

MappedFile map_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  const bool mappable =
      fd >= 0 && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
  void* at = MAP_FAILED;
  int error = 0;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (mappable) {
    at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    error = errno;
  }
  if (fd >= 0) ::close(fd);
  // read_file knows the words for what cannot be opened, and reads what cannot be mapped.
  if (!mappable) return read_whole(path);
  if (at == MAP_FAILED) {
    throw UserError("cannot read '" + path + "': " + std::strerror(error));
  }
  std::shared_ptr<const void> owner(
      at, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  return {{static_cast<const std::byte*>(at), size}, std::move(owner)};
}

}  // namespace lathe::io
