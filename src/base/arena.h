// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory for the nodes of one compilation: allocation moves a pointer, everything is freed at once.
// No destructor ever runs, so only trivially destructible types may live here.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lathe {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  // `align` is a power of two of at most 16; size 0 gives a pointer that must not be read.
  void* allocate(std::size_t size, std::size_t align) {
    std::size_t skip = (align - used_ % align) % align;
    if (skip > capacity_ - used_ || size > capacity_ - used_ - skip) {
      add_block(size);
      skip = 0;
    }
    std::byte* at = block_ + used_ + skip;
    used_ += skip + size;
    bytes_used_ += size;
    return at;
  }

  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlign);
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  template <class T>
  std::span<T> copy(std::span<const T> items) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlign);
    T* out = static_cast<T*>(allocate(items.size_bytes(), alignof(T)));
    std::uninitialized_copy(items.begin(), items.end(), out);
    return {out, items.size()};
  }

  std::string_view copy(std::string_view text) {
    const std::span<char> out = copy(std::span<const char>(text.data(), text.size()));
    return {out.data(), out.size()};
  }

  // What was asked for, and what was taken from the system for it.
  std::size_t bytes_used() const { return bytes_used_; }
  std::size_t bytes_reserved() const { return bytes_reserved_; }

 private:
  static constexpr std::size_t kAlign = alignof(std::max_align_t);
  static constexpr std::size_t kFirstBlock = 4096;
  static constexpr std::size_t kLargestBlock = 1 << 20;

  // Blocks double up to 1 MiB: a small program stays small, a large one makes few calls.
  void add_block(std::size_t size) {
    next_block_ = std::min(next_block_ * 2, kLargestBlock);
    capacity_ = std::max(size, next_block_);
    blocks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[capacity_]));
    block_ = blocks_.back().get();
    used_ = 0;
    bytes_reserved_ += capacity_;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* block_ = nullptr;
  std::size_t used_ = 0, capacity_ = 0;
  std::size_t next_block_ = kFirstBlock / 2;
  std::size_t bytes_used_ = 0, bytes_reserved_ = 0;
};

}  // namespace lathe
