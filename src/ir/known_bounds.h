// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bounds are known before an item of a program's top level begins, and stay what they are.

#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "ir/program.h"

namespace lathe::ir {

// Arrays that the item or items write, at any depth.
void collect_writes(const Item& item, std::unordered_set<Symbol>& writes);
void collect_writes(const Body& body, std::unordered_set<Symbol>& writes);

class KnownBounds {
 public:
  // Looks at the body once; arrays may be declared in `program` later.
  explicit KnownBounds(const Program& program);

  // May an array with this bound be declared for use from the item of this number on? The bound is
  // a formula of sizes and of integer scalars that nothing writes from there on.
  bool knows(Expr bound, std::size_t item) const;

  // The first range with a bound that is not known there. Null: all are.
  const Range* first_unknown(const std::vector<Range>& ranges, std::size_t item) const;

 private:
  const Program& program_;
  std::unordered_map<Symbol, std::size_t> last_write_;  // number of an item of the top level
};

}  // namespace lathe::ir
