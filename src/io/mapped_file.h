// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file's bytes, mapped read-only.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace lathe::io {

struct MappedFile {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // unmaps
};

// Regular files are mapped; pipes and devices are read into memory, up to 1 GiB. Throws UserError.
MappedFile map_file(const std::string& path);

}  // namespace lathe::io
