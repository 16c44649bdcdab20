// SPDX-License-Identifier: Apache-2.0
// Sizes are rounded up to one of eight steps per power of two, so that a block fits the next array
// of nearly the same size; an idle block is taken for anything down to four fifths of it. There are
// few large blocks, so a list is searched. Of small blocks the last few are kept.

#include "device/host/memory.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>
#include <utility>

#include "device/host/limits.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LATHE_POISON_MEMORY 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LATHE_POISON_MEMORY 1
#endif
#if defined(LATHE_POISON_MEMORY)
#include <sanitizer/asan_interface.h>
#endif

namespace lathe::host {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t kHugePage = std::int64_t{2} << 20;
constexpr std::int64_t kKept = std::int64_t{64} << 10;  // smaller blocks are small
constexpr std::size_t kMaxIdleBlocks = 512;

// AddressSanitizer sees uses of blocks that are idle, and of the space behind the size asked for.
void forbid([[maybe_unused]] void* data, [[maybe_unused]] std::int64_t from,
            [[maybe_unused]] std::int64_t to) {
#if defined(LATHE_POISON_MEMORY)
  if (from < to) {
    __asan_poison_memory_region(static_cast<char*>(data) + from,
                                static_cast<std::size_t>(to - from));
  }
#endif
}

void permit([[maybe_unused]] void* data, [[maybe_unused]] std::int64_t bytes) {
#if defined(LATHE_POISON_MEMORY)
  __asan_unpoison_memory_region(data, static_cast<std::size_t>(bytes));
#endif
}

// mmap aligns to 4 KiB only: take too much and cut off both ends.
void* map_huge(std::int64_t capacity) {
  const auto bytes = static_cast<std::size_t>(capacity + kHugePage);
  void* const raw =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = begin + static_cast<std::uintptr_t>(capacity);
  if (begin > address) ::munmap(raw, begin - address);
  if (address + bytes > end) ::munmap(reinterpret_cast<void*>(end), address + bytes - end);
  void* const data = reinterpret_cast<void*>(begin);
  (void)::madvise(data, static_cast<std::size_t>(capacity), MADV_HUGEPAGE);  // a wish
  return data;
}

void* system_allocate(std::int64_t capacity) {
  if (capacity >= kHugePage) return map_huge(capacity);
  return std::aligned_alloc(kAlignment, static_cast<std::size_t>(capacity));
}

void system_free(void* data, std::int64_t capacity) {
  if (capacity >= kHugePage) {
    ::munmap(data, static_cast<std::size_t>(capacity));
  } else {
    std::free(data);
  }
}

Diagnostic refusal(std::int64_t bytes, const std::string& why) {
  return {
      Severity::Error, "cannot allocate " + std::to_string(bytes) + " bytes: " + why, {}, {}, {}};
}

}  // namespace

Block::~Block() {
  if (data_) pool_->release(data_, size_, capacity_);
}

void Block::swap(Block& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
}

std::optional<std::int64_t> MemoryPool::capacity_for(std::int64_t bytes) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 60;
  if (bytes < 0 || bytes > kLargest) return std::nullopt;
  bytes = std::max(bytes, kAlignment);
  const std::int64_t eighth =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes))) / 8;
  const std::int64_t step =
      std::max(eighth, bytes > kHugePage - kHugePage / 8 ? kHugePage : kAlignment);
  return (bytes + step - 1) / step * step;
}

MemoryPool::MemoryPool(std::int64_t max_idle, std::int64_t limit)
    : max_idle_(max_idle >= 0 ? max_idle : memory_limit() / 4),
      limit_(limit >= 0 ? limit : memory_limit()) {}

MemoryPool::~MemoryPool() { trim(); }

MemoryPool& MemoryPool::shared() {
  static MemoryPool* const pool = [] {
    auto* made = new MemoryPool;
    static MemoryPool* forked = nullptr;
    forked = made;
    // The thread that forks holds the mutex meanwhile, so the child finds it in order.
    ::pthread_atfork([] { forked->mutex_.lock(); }, [] { forked->mutex_.unlock(); },
                     [] { forked->mutex_.unlock(); });
    return made;
  }();
  return *pool;
}

Allocation MemoryPool::allocate(std::int64_t bytes) {
  Allocation out;
  const std::optional<std::int64_t> capacity = capacity_for(bytes);
  if (bytes < 0 || !capacity) {
    out.error = refusal(bytes, bytes < 0 ? "the size is negative" : "no machine has as much");
    return out;
  }
  if (bytes > limit_) {
    out.error = refusal(
        bytes, "this machine has " + std::to_string(limit_) + " bytes of memory and swap for it");
    return out;
  }
  Block& block = out.block;
  std::vector<Idle> dropped;
  {
    const std::scoped_lock guard(mutex_);
    const Idle small = *capacity < kKept ? take_small(*capacity) : Idle{};
    // The smallest idle block that fits and is not much too large.
    auto best = idle_.end();
    for (auto it = idle_.begin(); !small.data && it != idle_.end(); ++it) {
      const bool fits = it->capacity >= *capacity && it->capacity <= *capacity + *capacity / 4;
      if (fits && (best == idle_.end() || it->capacity < best->capacity)) best = it;
    }
    block.capacity_ = *capacity;
    if (small.data) {
      block.data_ = small.data;
      ++stats_.reused;
    } else if (best != idle_.end()) {
      block.data_ = best->data;
      block.capacity_ = best->capacity;
      stats_.idle -= best->capacity;
      ++stats_.reused;
      idle_.erase(best);
    } else if (stats_.in_use > limit_ - bytes) {
      out.error =
          refusal(bytes, std::to_string(stats_.in_use) + " bytes are in use, and this " +
                             "machine has " + std::to_string(limit_) + " bytes of memory and swap");
    } else {
      // Idle blocks are real memory too: they go before the limit is passed.
      drop_idle(dropped, std::max<std::int64_t>(limit_ - stats_.in_use - *capacity, 0));
      ++stats_.fresh;
    }
    if (!out.error) {
      stats_.in_use += block.capacity_;
      stats_.peak_in_use = std::max(stats_.peak_in_use, stats_.in_use);
    }
  }
  give_back(dropped);
  if (out.error) return out;
  if (!block.data_) block.data_ = system_allocate(block.capacity_);
  if (!block.data_) {
    // Perhaps idle blocks are in the way, of address space limits for instance.
    trim();
    block.data_ = system_allocate(block.capacity_);
  }
  if (!block.data_) {
    const std::scoped_lock guard(mutex_);
    stats_.in_use -= block.capacity_;
    out.error = refusal(bytes, "the system has no memory left");
    return out;
  }
  block.pool_ = this;
  block.size_ = bytes;
  permit(block.data_, block.capacity_);
  forbid(block.data_, (std::max(bytes, kAlignment) + 7) / 8 * 8, block.capacity_);
  return out;
}

void MemoryPool::release(void* data, [[maybe_unused]] std::int64_t size, std::int64_t capacity) {
  std::vector<Idle> dropped;
  {
    const std::scoped_lock guard(mutex_);
    stats_.in_use -= capacity;
    if (capacity > max_idle_) {
      dropped.push_back({data, capacity});
    } else if (capacity < kKept) {
      forbid(data, 0, capacity);
      if (const Idle old = keep_small({data, capacity}); old.data) dropped.push_back(old);
    } else {
      drop_idle(dropped, max_idle_ - capacity);
      forbid(data, 0, capacity);
      idle_.push_back({data, capacity});
      stats_.idle += capacity;
    }
  }
  give_back(dropped);
}

MemoryPool::Idle MemoryPool::take_small(std::int64_t capacity) {
  for (Idle& kept : small_)
    if (kept.capacity == capacity) {
      stats_.idle -= capacity;
      return std::exchange(kept, {});
    }
  return {};
}

MemoryPool::Idle MemoryPool::keep_small(Idle block) {
  stats_.idle += block.capacity;
  for (Idle& place : small_)
    if (!place.data) return std::exchange(place, block);
  oldest_small_ = (oldest_small_ + 1) % small_.size();
  const Idle old = std::exchange(small_[oldest_small_], block);
  stats_.idle -= old.capacity;
  return old;
}

// Takes the oldest out of the list until at most `max_bytes` are left, and not too many.
void MemoryPool::drop_idle(std::vector<Idle>& dropped, std::int64_t max_bytes) {
  auto it = idle_.begin();
  while (it != idle_.end() && (stats_.idle > max_bytes ||
                               static_cast<std::size_t>(idle_.end() - it) >= kMaxIdleBlocks)) {
    stats_.idle -= it->capacity;
    dropped.push_back(*it++);
  }
  idle_.erase(idle_.begin(), it);
}

void MemoryPool::give_back(const std::vector<Idle>& blocks) {
  for (const Idle& block : blocks) {
    permit(block.data, block.capacity);
    system_free(block.data, block.capacity);
  }
}

void MemoryPool::trim() {
  std::vector<Idle> dropped;
  {
    const std::scoped_lock guard(mutex_);
    for (Idle& kept : small_) {
      stats_.idle -= kept.capacity;
      if (kept.data) dropped.push_back(std::exchange(kept, {}));
    }
    drop_idle(dropped, -1);
  }
  give_back(dropped);
}

MemoryStats MemoryPool::stats() const {
  const std::scoped_lock guard(mutex_);
  return stats_;
}

}  // namespace lathe::host
