// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stops running calls from another thread. Kernels look at a word of their own, now and then; a
// request writes it into all calls that are watched.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace lathe::api {

class Cancellation {
 public:
  void request();
  void reset() { requested_.store(false); }
  const std::atomic<bool>& flag() const { return requested_; }

  // While one lives, a request also sets `status`, from 0, to `value`.
  class Watch {
   public:
    Watch(Cancellation* cancellation, std::int32_t* status, std::int32_t value);  // null: nothing
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Cancellation* cancellation_;
    std::int32_t* status_;
  };

 private:
  struct Watched {
    std::int32_t* status;
    std::int32_t value;
  };
  static void stop(const Watched& call);

  std::atomic<bool> requested_{false};
  std::mutex mutex_;
  std::vector<Watched> watched_;  // guarded by it
};

}  // namespace lathe::api
