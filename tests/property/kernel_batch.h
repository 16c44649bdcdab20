// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many kernels in one C file: one call of a compiler for all of them. Starting it and compiling the
// small functions that all kernels share costs more than most kernels do.

#include <memory>
#include <string>
#include <vector>

#include "device/host/compiler.h"
#include "device/host/library.h"
#include "device/host/temporary_folder.h"
#include "emit/c/abi.h"
#include "emit/c/emit.h"

namespace lathe::testing {

// A compiler and its level.
struct Build {
  std::string compiler;  // "gcc", "clang": found in the path
  int optimize = 0;
  friend bool operator==(const Build&, const Build&) = default;
};
std::string text(const Build& build);   // "gcc -O3"
bool is_available(const Build& build);  // asked once

using Entry = int (*)(lathe_context*);

class KernelBatch {
 public:
  // The number of the kernel in the batch. All kernels must be printed with the same options.
  std::size_t add(const emit::EmitResult& kernel);
  std::size_t size() const { return codes_.size(); }
  std::string text() const;

  // Entries in the order of add(); they live as long as the batch. Throws UserError with the
  // compiler's words, and for warnings.
  std::vector<Entry> compile(const Build& build, emit::EmitOptions options);

 private:
  void take_definitions(std::string_view library);

  std::string head_;                      // what comes first in every kernel
  std::vector<std::string> definitions_;  // of shared functions and types, each once
  std::vector<std::string> codes_;
  bool needs_libm_ = false;
  std::vector<std::shared_ptr<const host::Library>> loaded_;
};

}  // namespace lathe::testing
