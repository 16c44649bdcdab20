// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of one thread for the bodies that it runs: a stack of bytes, kept from call to call.

#include <cstdint>
#include <deque>

#include "device/host/memory.h"

namespace lathe::api {

class ThreadArena {
 public:
  static ThreadArena& of_this_thread();

  // Aligned to 64 bytes; null when there is no memory.
  char* take(std::int64_t bytes);
  // Gives back that piece and all taken after it.
  void release(char* memory);

  // How much is taken; and back to it, for bodies that left in a hurry.
  struct Mark {
    std::size_t pieces;
    std::int64_t used;
  };
  Mark mark() const;
  void release_to(const Mark& mark);

 private:
  struct Piece {
    host::Block block;
    std::int64_t used = 0;
  };
  std::deque<Piece> pieces_;
};

}  // namespace lathe::api
