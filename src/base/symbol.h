// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names, interned: two equal names of one table are the same pointer.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"

namespace lathe {

// A name of some SymbolTable; lives as long as its table. The default symbol is no name at all and
// differs from the empty one.
class Symbol {
 public:
  Symbol() = default;

  std::string_view text() const { return entry_ ? entry_->text : std::string_view(); }
  std::uint64_t hash() const { return entry_ ? entry_->hash : 0; }  // of the text: stable
  explicit operator bool() const { return entry_ != nullptr; }

  // Symbols of two tables are never equal: compare their texts.
  friend bool operator==(Symbol a, Symbol b) { return a.entry_ == b.entry_; }
  // By text, never by address: an order must be the same in every run.
  friend bool operator<(Symbol a, Symbol b) { return a.text() < b.text(); }

 private:
  friend class SymbolTable;
  struct Entry {
    std::uint64_t hash;
    std::string_view text;
  };
  explicit Symbol(const Entry* entry) : entry_(entry) {}

  const Entry* entry_ = nullptr;
};

class SymbolTable {
 public:
  Symbol intern(std::string_view text);
  // The symbol of the text if it was interned before, otherwise no symbol.
  Symbol find(std::string_view text) const;
  std::size_t size() const { return size_; }

 private:
  // The slot that holds the text or, if it is not there, the empty one where it belongs.
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  void grow();

  Arena arena_;
  std::vector<const Symbol::Entry*> slots_;  // open addressing; size is a power of two
  std::size_t size_ = 0;
};

}  // namespace lathe

template <>
struct std::hash<lathe::Symbol> {
  std::size_t operator()(lathe::Symbol symbol) const noexcept {
    return static_cast<std::size_t>(symbol.hash());
  }
};
