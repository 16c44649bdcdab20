// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the tests of the device folder share: kernels as text, and folders and programs to play
// with.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "device/host/cache.h"
#include "device/host/temporary_folder.h"

namespace lathe::host {

using Answer = long(long);

// A kernel whose function `answer` adds that number to its argument.
inline std::string answer_text(int number) {
  return "long answer(long x) { return x + " + std::to_string(number) + "; }\n";
}

inline KernelRequest answer_request(int number) {
  return {answer_text(number), {"-O1"}, {"answer"}, "answer " + std::to_string(number)};
}

inline long call_answer(const Kernel& kernel, long x) {
  if (!kernel.library) {
    ADD_FAILURE() << (kernel.error ? kernel.error->message : "neither library nor error");
    for (const Note& note : kernel.error ? kernel.error->notes : std::vector<Note>()) {
      ADD_FAILURE() << note.message;
    }
    return -1;
  }
  return kernel.library->function<Answer>("answer")(x);
}

class DeviceTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  CacheSettings settings() const {
    CacheSettings out;
    out.folder = path("cache");
    return out;
  }

  // A program that stands in for a C compiler. It answers --version as given; `script` is what else
  // it does, with "$out" the file that is asked for.
  std::string fake_compiler(const std::string& script) const {
    const std::string name = path("fake-cc");
    write(name,
          "#!/bin/sh\n"
          "if [ \"$1\" = --version ]; then echo 'fake 1.0'; exit 0; fi\n"
          "while [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then out=$2; fi; shift; done\n" +
              script + "\n");
    EXPECT_EQ(::chmod(name.c_str(), 0755), 0);
    return name;
  }

  static void write(const std::string& name, const std::string& text) {
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ASSERT_GE(fd, 0) << name;
    EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(fd);
  }

  TemporaryFolder folder_{"test"};
};

// Sets an environment variable for as long as it lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    const char* old = ::getenv(name);
    had_ = old != nullptr;
    if (old) old_ = old;
    if (value) {
      ::setenv(name, value, 1);
    } else {
      ::unsetenv(name);
    }
  }
  ~ScopedVariable() {
    if (had_) {
      ::setenv(name_, old_.c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

}  // namespace lathe::host
