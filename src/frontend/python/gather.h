// SPDX-License-Identifier: Apache-2.0
#pragma once
// A list while it grows: few items stay on the stack, because most lists of a program are short.

#include <array>
#include <span>
#include <vector>

#include "base/arena.h"

namespace lathe::python {

template <class T>
class Gather {
 public:
  void add(T item) {
    if (size_ < kFew) {
      few_[size_++] = item;
      return;
    }
    if (size_ == kFew) many_.assign(few_.begin(), few_.end());
    many_.push_back(item);
    ++size_;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::span<const T> items() const {
    return size_ <= kFew ? std::span<const T>(few_.data(), size_) : std::span<const T>(many_);
  }
  std::span<const T> copy_to(Arena& arena) const {
    return empty() ? std::span<const T>() : arena.copy(items());
  }

 private:
  static constexpr std::size_t kFew = sizeof(T) <= sizeof(void*) ? 8 : 2;
  std::array<T, kFew> few_{};
  std::vector<T> many_;  // all of them, once there are many
  std::size_t size_ = 0;
};

}  // namespace lathe::python
