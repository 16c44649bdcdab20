// SPDX-License-Identifier: Apache-2.0
#pragma once
// A loaded shared object, unloaded with the last owner of the Library.

#include <memory>
#include <string>

namespace lathe::host {

class Library {
 public:
  // Null when the loader refuses, with its reason in `problem`. The file must be known to be whole:
  // see shared_object.h. All symbols are resolved now, so that no call fails later, and are seen by
  // nobody else: two kernels may export the same names.
  static std::shared_ptr<const Library> open(const std::string& path, std::string& problem);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Null when there is no such symbol. Good while the Library lives.
  void* symbol(const char* name) const;
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

  const std::string& path() const { return path_; }

 private:
  Library(std::string path, void* handle) : path_(std::move(path)), handle_(handle) {}

  std::string path_;
  void* handle_;
};

}  // namespace lathe::host
