// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a value may read wherever it is computed: what the caller gave, and temporaries that one
// statement sets, while nothing changes them.

#include <map>

#include "passes/rebuild.h"

namespace lathe::passes {

class Settled {
 public:
  explicit Settled(const ir::Program& program);

  // The read that a read of a copy stands for: q[i] for low[i+1] with low[i] = q[i-1]. It is the
  // same only while nothing sets q, from the item of the copy on: `since` is lowered to that.
  Expr source(Expr read, std::size_t* since = nullptr) const;
  // Does no item of the body from `first` up to `last`, without it, set the array?
  bool is_unchanged(Symbol array, std::size_t first, std::size_t last) const;
  // Does the read, at all points of the ranges, find an element that is declared, and was set
  // before this item of the body?
  bool holds(Expr read, const std::vector<ir::Range>& points, std::size_t before) const;

 private:
  struct Setter {
    std::vector<std::size_t> items;            // that set it
    const ir::Statement* statement = nullptr;  // the last one; null: not a statement at the top
  };
  // Of a temporary.
  const ir::Statement* only_setter(Symbol array) const;

  const ir::Program& program_;
  ir::Graph& graph_;
  std::map<Symbol, Setter> setters_;
};

}  // namespace lathe::passes
