// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work that takes minutes can be stopped by another thread. Who starts it says where the wish will
// be written; long loops ask, by stop_if_asked(), a few thousand times a second at most. Passes ask
// between two steps, and whoever waits for a C compiler a few times a second.

#include <atomic>
#include <exception>

namespace lathe {

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
  friend bool is_stop_asked();

  Flags before_;
};

inline bool is_stop_asked() {
  const StopWhen::Flags& f = StopWhen::asked();
  return (f.first && f.first->load(std::memory_order_relaxed)) ||
         (f.second && f.second->load(std::memory_order_relaxed));
}

inline void stop_if_asked() {
  if (is_stop_asked()) throw Stopped();
}

}  // namespace lathe
