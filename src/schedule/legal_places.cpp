// SPDX-License-Identifier: Apache-2.0
// Temporaries live where everybody who touches them finds them.

#include <algorithm>

#include "base/quoted.h"
#include "ir/index_form.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"
#include "schedule/legal_parts.h"
#include "schedule/register_tile.h"

namespace lathe::schedule {
namespace {

bool has_point_loop(const Leaf& leaf, Symbol v) {
  return std::any_of(leaf.path.begin(), leaf.path.end(),
                     [&](const Node* n) { return is_point_loop(*n) && n->name == v; });
}

}  // namespace

std::optional<Diagnostic> PlaceJudge::refused(const Leaf& leaf, const ir::Statement& s) {
  for (const ir::Target& t : s.targets) {
    const Storage* storage = nest_.find_storage(t.array);
    if (!storage) continue;
    for (Expr e : t.indices)
      if (!ir::shifted_variable(e) && storage->place.kind != PlaceKind::Register &&
          !ir::free_variables(e).empty())
        return Diagnostic{Severity::Error,
                          quoted(t.array) +
                              " is written at an index that is no variable plus a "
                              "number, so it lives whole",
                          leaf.node->span,
                          {},
                          ""};
    if (storage->place.kind == PlaceKind::Register)
      if (auto d = refused_register(leaf, s, t)) return d;
    if (storage->place.kind == PlaceKind::Window)
      if (auto d = refused_window(leaf, s, t)) return d;
  }
  return std::nullopt;
}

const std::vector<PlaceJudge::Line>& PlaceJudge::lines_that_touch(Symbol array) {
  if (!touching_.empty()) return touching_[array];
  for (const Leaf& leaf : nest_.leaves)
    for (const ir::Statement* s : leaf.lines) {
      std::vector<Expr> roots = s->values;
      for (Expr g : {s->domain.guard, leaf.guard})
        if (g) roots.push_back(g);
      for (const ir::Range& r : leaf.ranges) roots.insert(roots.end(), {r.lo, r.hi});
      std::map<Symbol, std::vector<Expr>> reads;
      for (const ir::Target& t : s->targets) {
        roots.insert(roots.end(), t.indices.begin(), t.indices.end());
        reads[t.array];
      }
      for (Expr e : ir::post_order(roots))
        if (e->op == ir::Op::Read) reads[e->name].push_back(e);
      for (auto& [name, nodes] : reads) touching_[name].push_back({&leaf, s, std::move(nodes)});
    }
  return touching_[array];
}

// Everybody touches a register at its writer's own point, inside of the writer's loops.
std::optional<Diagnostic> PlaceJudge::refused_register(const Leaf& leaf, const ir::Statement& s,
                                                       const ir::Target& t) {
  const auto refuse_at = [&](const Leaf& other) {
    Diagnostic d{Severity::Error,
                 quoted(t.array) + " cannot live in a register: " + quoted(other.label) +
                     " touches it at another point than " + quoted(s.label),
                 leaf.node->span,
                 {},
                 "use a window, a tile, or whole"};
    d.note("written here", s.span);
    d.note("touched here", other.span);
    return d;
  };
  for (const ir::Array& a : nest_.program.arrays)
    for (const ir::Axis& x : a.axes)
      if (passes::reads_array(x.lo, t.array) || passes::reads_array(x.hi, t.array))
        return Diagnostic{Severity::Error,
                          quoted(t.array) + " cannot live in a register: it says how large " +
                              quoted(a.name) + " is",
                          leaf.node->span,
                          {},
                          "leave out its place"};
  if (register_group(nest_, t.array)) return std::nullopt;
  for (const Line& line : lines_that_touch(t.array)) {
    const Leaf& other = *line.leaf;
    for (const ir::Target& target : line.statement->targets)
      if (target.array == t.array && target.indices != t.indices) return refuse_at(other);
    for (Expr e : line.reads)
      if (!std::equal(t.indices.begin(), t.indices.end(), e->args().begin()))
        return refuse_at(other);
    // The writer's loops, or fewer, and the same shifts.
    const Leaf& shallow = other.path.size() < leaf.path.size() ? other : leaf;
    const Leaf& deep = other.path.size() < leaf.path.size() ? leaf : other;
    if (!std::equal(shallow.path.begin(), shallow.path.end(), deep.path.begin()))
      return refuse_at(other);
    // A writer that goes through more points than its reader leaves the last of them.
    for (std::size_t q = other.path.size(); q < leaf.path.size(); ++q)
      if (leaf.path[q]->is_loop() && std::any_of(t.indices.begin(), t.indices.end(), [&](Expr e) {
            return ir::mentions(e, leaf.path[q]->name);
          }))
        return refuse_at(other);
    for (Expr index : t.indices)
      for (Symbol v : ir::free_variables(index))
        if (leaf.shift(v) != other.shift(v) || !has_point_loop(shallow, v)) return refuse_at(other);
  }
  return std::nullopt;
}

// Rows of a window are told apart by their last bits, so nobody can test there whether a row is
// one of the array's: it must be known before.
std::optional<Diagnostic> PlaceJudge::refused_window(const Leaf& leaf, const ir::Statement& s,
                                                     const ir::Target& t) {
  for (const Line& line : lines_that_touch(t.array)) {
    const Leaf& other = *line.leaf;
    const auto is_read = [](const ir::Range& r) {
      return !ir::reads(r.lo).empty() || !ir::reads(r.hi).empty();
    };
    const auto range = std::find_if(other.ranges.begin(), other.ranges.end(), is_read);
    if (range == other.ranges.end()) continue;
    Diagnostic d{Severity::Error,
                 quoted(t.array) + " cannot live in a window: the range of " +
                     quoted(range->variable) + " in " + quoted(other.label) +
                     " is read when the program runs",
                 leaf.node->span,
                 {},
                 "use a tile, or whole"};
    d.note("written here", s.span);
    d.note("the range is here", other.span);
    return d;
  }
  return std::nullopt;
}

}  // namespace lathe::schedule
