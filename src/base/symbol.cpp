// SPDX-License-Identifier: Apache-2.0
// The table of names: open addressing with linear probing, never more than half full.

#include "base/symbol.h"

#include "base/hash.h"

namespace lathe {

std::size_t SymbolTable::slot_of(std::string_view text, std::uint64_t hash) const {
  std::size_t at = static_cast<std::size_t>(hash) & (slots_.size() - 1);
  while (slots_[at] && !(slots_[at]->hash == hash && slots_[at]->text == text)) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

void SymbolTable::grow() {
  std::vector<const Symbol::Entry*> old(slots_.empty() ? 64 : slots_.size() * 2);
  old.swap(slots_);
  for (const Symbol::Entry* entry : old) {
    if (entry) slots_[slot_of(entry->text, entry->hash)] = entry;
  }
}

Symbol SymbolTable::intern(std::string_view text) {
  if (2 * size_ >= slots_.size()) grow();
  const std::uint64_t hash = hash_text(text);
  const std::size_t at = slot_of(text, hash);
  if (!slots_[at]) {
    slots_[at] = arena_.make<Symbol::Entry>(hash, arena_.copy(text));
    ++size_;
  }
  return Symbol(slots_[at]);
}

Symbol SymbolTable::find(std::string_view text) const {
  if (slots_.empty()) return {};
  return Symbol(slots_[slot_of(text, hash_text(text))]);
}

}  // namespace lathe
