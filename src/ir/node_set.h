// SPDX-License-Identifier: Apache-2.0
#pragma once
// A set of nodes for one walk. Most walks meet a few dozen: those need no memory of their own.

#include <array>
#include <cstdint>
#include <vector>

#include "ir/expr.h"

namespace lathe::ir {

class NodeSet {
 public:
  // Is it new?
  bool insert(Expr e) {
    Expr* slot = find(e);
    if (*slot == e) return false;
    *slot = e;
    if (++size_ > capacity_ / 2) grow();
    return true;
  }

 private:
  static constexpr std::size_t kFew = 64;

  Expr* find(Expr e) {
    Expr* const table = many_.empty() ? few_.data() : many_.data();
    // Nodes lie one after another: their low bits are all alike, those above all different.
    std::size_t at = (reinterpret_cast<std::uintptr_t>(e) >> 4) * 0x9e3779b97f4a7c15u >> 32;
    while (table[at & (capacity_ - 1)] != nullptr && table[at & (capacity_ - 1)] != e) ++at;
    return &table[at & (capacity_ - 1)];
  }
  void grow() {
    std::vector<Expr> old = many_.empty() ? std::vector<Expr>(few_.begin(), few_.end()) : many_;
    capacity_ *= 4;
    many_.assign(capacity_, nullptr);
    for (Expr e : old)
      if (e) *find(e) = e;
  }

  std::array<Expr, kFew> few_{};
  std::vector<Expr> many_;
  std::size_t capacity_ = kFew, size_ = 0;
};

}  // namespace lathe::ir
