// SPDX-License-Identifier: Apache-2.0
#include "device/host/library.h"

#include <dlfcn.h>

namespace lathe::host {

std::shared_ptr<const Library> Library::open(const std::string& path, std::string& problem) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* reason = ::dlerror();
    problem = reason ? reason : "the loader gives no reason";
    return nullptr;
  }
  return std::shared_ptr<const Library>(new Library(path, handle));
}

Library::~Library() { ::dlclose(handle_); }

void* Library::symbol(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace lathe::host
