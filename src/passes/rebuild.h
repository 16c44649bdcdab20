// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tools that passes share: rebuilding bodies and expressions, and asking who touches what.

#include <set>
#include <vector>

#include "base/function_ref.h"
#include "ir/program.h"
#include "ir/traverse.h"

namespace lathe::passes {

using ir::Body;
using ir::Expr;
using ir::Item;
using ir::Symbol;

// Puts f(body) in the place of every body that the item holds, in textual order.
void map_bodies(Item& item, FunctionRef<Body(Body)> f);
// Rebuilds every body, inner ones first.
Body map_all_bodies(Body body, FunctionRef<Body(Body)> f);
// Rebuilds a body bottom-up: inner bodies first, then f(item, out) appends what replaces the item.
Body map_items(const Body& body, FunctionRef<void(Item, Body&)> f);

// Appends an item that may have lost parts, in a form that programs may have: a group of one line
// without locals as a statement, an empty `then` side swapped with the other, nothing when nothing
// is left to do.
void append_tidy(ir::Maker& maker, Item item, Body& out);
// Is a repetition left that only rotates? It has no text form, so no pass may make one.
bool rotates_nothing(const Body& body);

// Every expression of an item at its own level (domains, guards, conditions, indices, values,
// bounds; not those of inner bodies) goes through f. `label` is the statement or item it is in.
using MapExpr = FunctionRef<Expr(Symbol label, Expr e)>;
void map_own_expressions(Item& item, MapExpr f);
void map_statement_expressions(ir::Statement& s, MapExpr f);
// The same for a whole program, arrays' extents and combiners excluded.
ir::Program map_expressions(const ir::Program& program, MapExpr f);

// The expressions of an item at its own level.
std::vector<Expr> own_expressions(const Item& item);
std::vector<Expr> expressions(const ir::Statement& s);

Symbol label_of(const Item& item);
Span span_of(const Item& item);

// Arrays that an item, everything inside it included, reads (bounds tests do not count) or writes.
// Accumulations that are not fresh read their target.
struct Touched {
  std::set<Symbol> reads, writes;
};
Touched touched(const Item& item);
Touched touched(const Body& body);
Touched touched(const ir::Statement& s);

// May this be the bound of an axis? A formula of sizes: no variables, no arrays, no reductions.
bool is_size_formula(Expr e);
// Can an array be declared over these ranges? Their bounds are formulas of sizes.
bool declarable(const ir::Range& range);
bool declarable(const std::vector<ir::Range>& ranges);

bool reads_array(Expr e, Symbol array);
// Does `e` read the target's array anywhere but at the target's own index?
bool reads_elsewhere(Expr e, const ir::Target& target);

// `a and b and c` as {a, b, c}; null and `true` are none. And back (null when empty).
std::vector<Expr> conjuncts(Expr guard);
Expr conjunction(ir::Maker& maker, const std::vector<Expr>& parts);
// guard and more; either may be null.
Expr both(ir::Maker& maker, Expr guard, Expr more);
// Are these each other's negation, as written or by an exact rule (`not m`, i < n and i >= n)?
bool complementary(ir::Graph& graph, Expr a, Expr b);

// The group's own guard moves to its lines; where they change what it reads, by way of a local that
// a new first line sets.
void push_guard_down(ir::Graph& graph, ir::Group& g);

bool same_ranges(const std::vector<ir::Range>& a, const std::vector<ir::Range>& b);

}  // namespace lathe::passes
