// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folder that keeps things between runs: where it is, and whether it can be trusted. Code is
// loaded from it, so it must belong to this user and nobody else may write to it.

#include <cstdint>
#include <string>
#include <string_view>

#include "device/host/descriptor.h"

namespace lathe::host {

// LATHE_CACHE_DIR, else XDG_CACHE_HOME/lathe, else HOME/.cache/lathe. Empty when none is an
// absolute path.
std::string default_cache_folder();

// Opens `path`, made with mode 0700 (parents too) when it does not exist. On refusal the descriptor
// is empty and `problem` says why, as in "it belongs to another user".
Descriptor open_cache_folder(const std::string& path, std::string& problem);

// Reads a file of the folder; links are not followed. False when it is not there or too large.
bool read_in(int folder, const std::string& name, std::string& bytes, std::size_t limit);

// Writes a file of the folder: all of it appears under its name, or nothing. Returns an errno.
// `sync`: the content is on disk before the name is; without, a power cut may leave it short.
int put_in(int folder, const std::string& name, std::string_view bytes, bool sync);

// What temporary files of put_in() are called at the beginning; older ones were left by killed
// processes.
inline constexpr std::string_view kTemporaryPrefix = "tmp-";

}  // namespace lathe::host
