// SPDX-License-Identifier: Apache-2.0
// Document 004: "all temporary fields are only used locally, and not read or written at an offset,
// can therefore be scalars".
//
//   for i in 0..n:                        for i in 0..n:
//     t[i] = u[i]                           local t: f64
//     v[i] = t[i] * t[i]             =>     t = u[i]
//                                           v[i] = t * t
//
// To check: nobody outside touches the temporary, every access in the group stands at one index,
// and it is written before it is read.

#include <algorithm>

#include "base/quoted.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

// `inside temp[i]`: asks for its range, which a local has not.
bool tests_range(Expr root, Symbol temp) {
  const std::vector<Expr> all = ir::post_order(root);
  return std::any_of(all.begin(), all.end(),
                     [&](Expr e) { return e->op == ir::Op::Inside && e->name == temp; });
}
bool tests_range(const Item& item, Symbol temp) {
  const std::vector<Expr> own = own_expressions(item);
  bool found =
      std::any_of(own.begin(), own.end(), [&](Expr root) { return tests_range(root, temp); });
  ir::for_each_body(item, [&](const Body& body) {
    for (const Item& inner : body) found = found || tests_range(inner, temp);
  });
  return found;
}

bool touches(const Item& item, Symbol temp) {
  const Touched t = touched(item);
  return t.reads.contains(temp) || t.writes.contains(temp) || tests_range(item, temp);
}

// The item that touches `temp`, at the deepest level where there is only one.
struct Sole {
  const ir::Group* group = nullptr;
  std::optional<Refusal> refusal;
};
Sole sole_group(const Body& body, Symbol temp) {
  const Item* only = nullptr;
  for (const Item& item : body) {
    if (!touches(item, temp)) continue;
    if (only)
      return {nullptr, Refusal{quoted(temp) + " carries values from " + quoted(label_of(*only)) +
                                   " to " + quoted(label_of(item)),
                               span_of(*only), span_of(item)}};
    only = &item;
  }
  if (!only) return {nullptr, Refusal{quoted(temp) + " is not used", {}, {}}};
  if (auto* g = std::get_if<ir::Group>(&only->node)) return {g, std::nullopt};
  // Only one of an item's bodies can hold it all, and its own expressions none of it.
  Sole found{nullptr, Refusal{quoted(temp) + " is not used inside one group", span_of(*only), {}}};
  for (Expr e : own_expressions(*only))
    if (reads_array(e, temp) || tests_range(e, temp)) return found;
  int holders = 0;
  ir::for_each_body(*only, [&](const Body& inner) {
    const bool here = std::any_of(inner.begin(), inner.end(),
                                  [&](const Item& item) { return touches(item, temp); });
    if (here && ++holders == 1) found = sole_group(inner, temp);
  });
  if (holders != 1)
    return {nullptr, Refusal{quoted(temp) + " is not used inside one group", span_of(*only), {}}};
  return found;
}

// The group rule lets a line read where no point of the group writes: a value from an earlier
// iteration of a loop around, which a local would not have.
std::optional<Refusal> read_at_another_index(const ir::Group& g, Symbol temp) {
  const ir::Target* target = nullptr;
  for (const ir::Statement& s : g.statements)
    for (const ir::Target& t : s.targets)
      if (t.array == temp) target = &t;
  for (const ir::Statement& s : g.statements)
    for (Expr e : expressions(s))
      if (target && reads_elsewhere(e, *target))
        return Refusal{quoted(temp) + " is read at another index than it is written", s.span, {}};
  return std::nullopt;
}

// Every read comes after a write by every point, or after one under the same guard.
std::optional<Refusal> read_before_write(const ir::Group& g, Symbol temp) {
  std::vector<Expr> written_under;
  bool everywhere = false;
  const auto safe = [&](Expr guard) {
    return everywhere ||
           std::find(written_under.begin(), written_under.end(), guard) != written_under.end();
  };
  for (const ir::Statement& s : g.statements) {
    const Touched t = touched(s);
    if (t.reads.contains(temp)) {
      const bool by_guard = s.domain.guard && reads_array(s.domain.guard, temp);
      if (by_guard ? !everywhere : !safe(s.domain.guard))
        return Refusal{quoted(temp) + " may be read before this point writes it", s.span, {}};
    }
    if (t.writes.contains(temp) && !s.accumulate) {
      if (!s.domain.guard) everywhere = true;
      written_under.push_back(s.domain.guard);
    }
    // A guard that a line changes is another guard afterwards.
    std::erase_if(written_under, [&](Expr guard) {
      return guard && std::any_of(t.writes.begin(), t.writes.end(),
                                  [&](Symbol w) { return reads_array(guard, w); });
    });
  }
  return std::nullopt;
}

}  // namespace

Outcome demote_temporary(const ir::Program& program, Symbol temp) {
  const ir::Array* array = program.find_array(temp);
  if (!array || array->role != ir::Role::Temp)
    return Refusal{quoted(temp) + " is not a temporary", {}, {}};
  for (const ir::Array& a : program.arrays)
    for (const ir::Axis& axis : a.axes)
      if (reads_array(axis.lo, temp) || reads_array(axis.hi, temp))
        return Refusal{quoted(temp) + " is the extent of " + quoted(a.name), a.span, {}};
  const Sole sole = sole_group(program.body, temp);
  if (!sole.group) return *sole.refusal;
  if (auto why = read_at_another_index(*sole.group, temp)) return *why;
  if (tests_range(Item{*sole.group}, temp))
    return Refusal{quoted(temp) + " has a range that the group tests", sole.group->span, {}};
  if (auto why = read_before_write(*sole.group, temp)) return *why;

  ir::Program out = program;
  ir::RawMaker raw(*program.graph);
  const Expr local = program.graph->read(temp, array->dtype, {});
  const auto to_local = [&](Symbol, Expr e) {
    return ir::rewrite(
        raw, e, [&](Expr n) { return n->op == ir::Op::Read && n->name == temp ? local : nullptr; });
  };
  const Symbol label = sole.group->label;
  const ir::Local declared{temp, array->dtype};
  out.body = map_items(program.body, [&](Item item, Body& to) {
    if (auto* g = std::get_if<ir::Group>(&item.node); g && g->label == label) {
      g->locals.push_back(declared);
      for (ir::Statement& s : g->statements) {
        map_statement_expressions(s, to_local);
        for (ir::Target& t : s.targets)
          if (t.array == temp) t.indices.clear();
      }
    }
    to.push_back(std::move(item));
  });
  std::erase_if(out.arrays, [&](const ir::Array& a) { return a.name == temp; });
  return out;
}

}  // namespace lathe::passes
