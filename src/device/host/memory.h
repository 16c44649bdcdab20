// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory for arrays, kept and given out again: a fresh page costs a fault and a clearing, which
// makes the first touch of an array up to three times as slow as the kernel that fills it.
//
// Blocks are aligned to 64 bytes; those of 2 MiB and more to 2 MiB, and Linux is asked to use huge
// pages for them. Their content is undefined. Everything is thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/diagnostics.h"

namespace lathe::host {

class MemoryPool;

// Owns its bytes; gives them back to its pool at the end. The pool must live longer.
class Block {
 public:
  Block() = default;
  Block(Block&& other) noexcept { swap(other); }
  Block& operator=(Block&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Block();

  void* data() const { return data_; }
  std::int64_t size() const { return size_; }  // as asked for
  explicit operator bool() const { return data_ != nullptr; }

 private:
  friend class MemoryPool;
  void swap(Block& other) noexcept;

  MemoryPool* pool_ = nullptr;
  void* data_ = nullptr;
  std::int64_t size_ = 0;
  std::int64_t capacity_ = 0;  // what it really takes
};

// A block, or why there is none. Asking for 0 bytes gives a block of 64. Nothing is thrown.
struct Allocation {
  Block block;
  std::optional<Diagnostic> error;
};

struct MemoryStats {
  std::int64_t in_use = 0;       // bytes in blocks that are out
  std::int64_t idle = 0;         // bytes kept for later
  std::int64_t peak_in_use = 0;  // since the beginning
  std::int64_t reused = 0;       // allocations served from idle blocks
  std::int64_t fresh = 0;        // those served by the system
};

class MemoryPool {
 public:
  // `max_idle` < 0: a quarter of memory_limit(). `limit` < 0: memory_limit().
  explicit MemoryPool(std::int64_t max_idle = -1, std::int64_t limit = -1);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // The one that a process normally has. Never destroyed; usable in forked children.
  static MemoryPool& shared();

  // Refuses what would not fit into memory with all that is out already: Linux would grant it and
  // kill the process later, when the pages are touched.
  Allocation allocate(std::int64_t bytes);

  // Gives all idle blocks back to the system.
  void trim();
  MemoryStats stats() const;

  // What a block for that many bytes takes, for plans: at most an eighth more, or 2 MiB.
  static std::optional<std::int64_t> capacity_for(std::int64_t bytes);

 private:
  friend class Block;

  struct Idle {
    void* data;
    std::int64_t capacity;
  };

  void release(void* data, std::int64_t size, std::int64_t capacity);
  Idle take_small(std::int64_t capacity);
  Idle keep_small(Idle block);  // gives the one that had its place
  void drop_idle(std::vector<Idle>& dropped, std::int64_t max_bytes);
  static void give_back(const std::vector<Idle>& blocks);

  const std::int64_t max_idle_, limit_;
  mutable std::mutex mutex_;  // guards the rest
  std::vector<Idle> idle_;    // oldest first
  // Small ones: results of short arrays, which one evaluation gives back and the next one takes.
  // malloc looks long for memory that is aligned.
  std::array<Idle, 16> small_ = {};
  std::size_t oldest_small_ = 0;
  MemoryStats stats_;
};

}  // namespace lathe::host
