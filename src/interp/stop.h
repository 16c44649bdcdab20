// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work that takes minutes can be stopped by another thread. Who starts it says where the wish will
// be written; long loops ask, by stop_if_asked(), a few thousand times a second at most.

#include <atomic>
#include <exception>

namespace lathe::interp {

class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "the work was stopped"; }
};

// While one lives, loops of this thread ask these flags; either may be null.
class StopWhen {
 public:
  StopWhen(const std::atomic<bool>* first, const std::atomic<bool>* second) : before_(asked()) {
    asked() = {first, second};
  }
  ~StopWhen() { asked() = before_; }
  StopWhen(const StopWhen&) = delete;
  StopWhen& operator=(const StopWhen&) = delete;

 private:
  struct Flags {
    const std::atomic<bool>*first = nullptr, *second = nullptr;
  };
  static Flags& asked() {
    static thread_local Flags flags;
    return flags;
  }
  friend void stop_if_asked();

  Flags before_;
};

inline void stop_if_asked() {
  const StopWhen::Flags& f = StopWhen::asked();
  if ((f.first && f.first->load(std::memory_order_relaxed)) ||
      (f.second && f.second->load(std::memory_order_relaxed)))
    throw Stopped();
}

}  // namespace lathe::interp
