// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the passes that prepare a program for loops share: new temporaries and whole-array
// statements on them, and a walk over the items at which such statements may stand.

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/build.h"
#include "ir/known_bounds.h"
#include "ir/program.h"
#include "passes/rebuild.h"

namespace lathe::passes {

class Temporaries {
 public:
  // New arrays are declared in `program`, whose body is still the one from before the pass.
  explicit Temporaries(ir::Program& program);
  Temporaries(const Temporaries&) = delete;

  ir::Program& program;
  ir::Graph& graph;
  ir::RawMaker raw;
  ir::Build build;

  // The top-level item of `program` that the pass has come to; what is declarable depends on it.
  std::size_t position = 0;

  // May an array with these bounds be declared for use at `position`? (ir/known_bounds.h)
  bool declarable(Expr bound) const { return known_.knows(bound, position); }
  bool declarable(const std::vector<ir::Range>& ranges) const {
    return !known_.first_unknown(ranges, position);
  }

  Symbol name(std::string_view stem, std::string_view suffix) const;  // a fresh one: stem.suffix
  Symbol declare(Symbol name, ir::DType t, std::vector<ir::Axis> axes, Span span);
  Symbol declare_over(Symbol name, ir::DType t, const std::vector<ir::Range>& ranges, Span span);
  Symbol declare_like(Symbol name, Symbol array, ir::DType t, Span span);
  const ir::Array& array(Symbol name) const;

  // The declared ranges of an array, with variables that are bound nowhere around any item.
  std::vector<ir::Range> region(Symbol array) const;
  std::vector<Expr> point(const std::vector<ir::Range>& ranges) const;
  // array[i, j] for the ranges i, j.
  Expr read(Symbol array, const std::vector<ir::Range>& ranges) const;

  ir::Statement set(Symbol label, ir::Domain domain, ir::Target target, Expr value,
                    Span span) const;
  // array[x] = value everywhere.
  ir::Statement fill(Symbol label, Symbol array, Expr value, Span span) const;
  // to[x] = from[x] everywhere, converted; the shapes are the same.
  ir::Statement copy(Symbol label, Symbol to, Symbol from, Span span) const;
  // Declares `array`.before and appends the copy.
  Symbol snapshot(Symbol array, Span span, Body& out);

  // Reads of the arrays in `names` become reads of what they map to, indices included. The new
  // arrays have the same shape.
  using Names = std::unordered_map<Symbol, Symbol>;
  Expr redirect(Expr e, const Names& names) const;
  void redirect(ir::Statement& s, const Names& names) const;  // the reads, not the targets

 private:
  std::set<Symbol> taken_;  // names that a loop variable may not have
  ir::KnownBounds known_;
};

// Rebuilds the body of `from.program`, inner items first: f(item, around, out) appends what
// replaces an item, `around` being the ranges of the sweeps and repeats around it. Branches and
// whiles stay as they are, with all they hold: a statement over other points may not stand there.
using MapUnmasked = FunctionRef<void(Item item, const std::vector<ir::Range>& around, Body& out)>;
Body map_unmasked(Temporaries& from, MapUnmasked f);

// Does some reduction in `e` bind the variable?
bool binds(Expr e, Symbol variable);
bool mentions_any(Expr e, const std::vector<Symbol>& variables);
// The first conjuncts of the guard (in which order matters: one protects the next) that have none
// of the variables. All of them: the whole guard.
Expr leading_part(ir::Maker& maker, Expr guard, const std::vector<Symbol>& without, bool* whole);

}  // namespace lathe::passes
