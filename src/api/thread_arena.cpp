// SPDX-License-Identifier: Apache-2.0
#include "api/thread_arena.h"

#include <algorithm>

namespace lathe::api {

ThreadArena& ThreadArena::of_this_thread() {
  thread_local ThreadArena arena;
  return arena;
}

char* ThreadArena::take(std::int64_t bytes) {
  if (bytes < 0 || bytes > INT64_MAX - 63) return nullptr;
  const std::int64_t want = (bytes + 63) / 64 * 64;
  if (pieces_.empty() || pieces_.back().block.size() - pieces_.back().used < want) {
    constexpr std::int64_t kLeast = std::int64_t{1} << 20;
    host::Allocation a = host::MemoryPool::shared().allocate(std::max(want, kLeast));
    if (a.error) return nullptr;
    pieces_.push_back({std::move(a.block), 0});
  }
  Piece& p = pieces_.back();
  char* at = static_cast<char*>(p.block.data()) + p.used;
  p.used += want;
  return at;
}

void ThreadArena::release(char* memory) {
  while (!pieces_.empty()) {
    Piece& p = pieces_.back();
    char* begin = static_cast<char*>(p.block.data());
    if (memory >= begin && memory < begin + p.block.size()) {
      p.used = memory - begin;
      return;
    }
    if (pieces_.size() == 1) return;
    pieces_.pop_back();
  }
}

ThreadArena::Mark ThreadArena::mark() const {
  return {pieces_.size(), pieces_.empty() ? 0 : pieces_.back().used};
}

void ThreadArena::release_to(const Mark& mark) {
  // The first piece stays for the next call.
  while (pieces_.size() > std::max<std::size_t>(mark.pieces, 1)) pieces_.pop_back();
  if (!pieces_.empty()) pieces_.back().used = mark.pieces == 0 ? 0 : mark.used;
}

}  // namespace lathe::api
