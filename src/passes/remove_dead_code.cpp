// SPDX-License-Identifier: Apache-2.0
// Liveness of whole arrays, backwards: an item stays if it writes something that is read after it,
// or that outlives the program.
//
//   temp t: f64[i: n]
//   for i in 0..n: t[i] = u[i]     =>   for i in 0..n: v[i] = 2 * u[i]
//   for i in 0..n: v[i] = 2 * u[i]

#include <functional>

#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

using Live = std::set<Symbol>;

bool writes_live(const Touched& t, const Live& live) {
  for (Symbol a : t.writes)
    if (live.contains(a)) return true;
  return false;
}

void add_reads(const Item& item, Live& live) {
  for (Expr e : own_expressions(item))
    for (Symbol a : ir::arrays_read(e)) live.insert(a);
}

// The part of a body that matters when `live` is wanted after it; `live` becomes what is wanted
// before it. Arrays are never killed: a write need not cover what was there.
Body live_part(const Body& body, Live& live);

// A body that runs again reads what it wrote: everything that any iteration reads is live at its
// end. Growing `live` is monotone, so this ends.
Body live_loop(const Body& body, Live& live) {
  for (;;) {
    Live before = live;
    Body kept = live_part(body, live);
    if (before == live) return kept;
  }
}

void keep_live(const Item& original, Live& live, Body& reversed) {
  Item item = original;
  if (auto* g = std::get_if<ir::Group>(&item.node)) {
    // Locals are arrays here: live when a later line of the group reads them.
    Live inside = live;
    std::vector<ir::Statement> kept;
    for (auto s = g->statements.rbegin(); s != g->statements.rend(); ++s) {
      const Touched t = touched(*s);
      if (!writes_live(t, inside)) continue;
      inside.insert(t.reads.begin(), t.reads.end());
      kept.insert(kept.begin(), *s);
    }
    if (kept.empty()) return;
    g->statements = std::move(kept);
    std::set<Symbol> used;
    for (const ir::Statement& s : g->statements) {
      const Touched t = touched(s);
      used.insert(t.reads.begin(), t.reads.end());
      used.insert(t.writes.begin(), t.writes.end());
    }
    std::erase_if(g->locals, [&](const ir::Local& l) { return !used.contains(l.name); });
    live.insert(inside.begin(), inside.end());
    add_reads(item, live);
    reversed.push_back(std::move(item));
    return;
  }
  const Touched all = touched(item);
  if (!writes_live(all, live)) return;
  if (auto* b = std::get_if<ir::Branch>(&item.node)) {
    Live other = live;
    b->then_body = live_part(b->then_body, live);
    b->else_body = live_part(b->else_body, other);
    live.insert(other.begin(), other.end());
  } else if (auto* w = std::get_if<ir::When>(&item.node)) {
    // What the else side reads counts as read after the other: the language takes a write that
    // stands before a read in the text for one that may have come before it.
    Live other = live;
    w->else_body = live_part(w->else_body, other);
    live.insert(other.begin(), other.end());
    w->then_body = live_part(w->then_body, live);
  } else if (auto* loop = std::get_if<ir::While>(&item.node)) {
    add_reads(item, live);
    loop->body = live_loop(loop->body, live);
  } else if (auto* sweep = std::get_if<ir::Sweep>(&item.node)) {
    sweep->body = live_loop(sweep->body, live);
  } else if (auto* repeat = std::get_if<ir::Repeat>(&item.node)) {
    const Body whole = repeat->body;
    add_reads(item, live);
    if (repeat->capped) live.insert(repeat->capped);
    for (Live before; before != live;) {
      before = live;
      // Rotation mixes contents: if one of them is wanted, all are.
      if (writes_live({{}, {repeat->rotate.begin(), repeat->rotate.end()}}, live))
        live.insert(repeat->rotate.begin(), repeat->rotate.end());
      repeat->body = live_loop(whole, live);
    }
    if (repeat->body.empty()) {  // a repetition that only rotates has no text form
      repeat->body = whole;
      live.insert(all.reads.begin(), all.reads.end());
    }
  } else {
    live.insert(all.reads.begin(), all.reads.end());
  }
  add_reads(item, live);
  reversed.push_back(std::move(item));
}

Body live_part(const Body& body, Live& live) {
  Body reversed;
  for (auto item = body.rbegin(); item != body.rend(); ++item) keep_live(*item, live, reversed);
  return {std::make_move_iterator(reversed.rbegin()), std::make_move_iterator(reversed.rend())};
}

bool outlives(ir::Role role) {
  return role == ir::Role::Output || role == ir::Role::InOut || role == ir::Role::State;
}

// Everything that expressions, targets, calls, extents or `inside` tests name.
std::set<Symbol> named(const ir::Program& p) {
  std::set<Symbol> names;
  const auto note = [&](Expr root) {
    for (Expr e : ir::post_order(root))
      if (e->op == ir::Op::Read || e->op == ir::Op::Inside) names.insert(e->name);
  };
  const std::function<void(const Body&)> walk = [&](const Body& body) {
    for (const Item& item : body) {
      for (Expr e : own_expressions(item)) note(e);
      const Touched t = touched(item);
      names.insert(t.reads.begin(), t.reads.end());
      names.insert(t.writes.begin(), t.writes.end());
      ir::for_each_body(item, walk);
    }
  };
  walk(p.body);
  ir::for_each_statement(p.body, [&](const ir::Statement& s) {
    if (s.accumulate && s.accumulate->combiner) names.insert(s.accumulate->combiner);
  });
  return names;
}

// Scalars that give an array its extent are read when it is allocated.
void add_extents(const ir::Program& p, const std::set<Symbol>& arrays, std::set<Symbol>& to) {
  for (const ir::Array& a : p.arrays) {
    if (!arrays.contains(a.name) && !outlives(a.role)) continue;
    for (const ir::Axis& axis : a.axes)
      for (Expr e : {axis.lo, axis.hi})
        for (Symbol s : ir::arrays_read(e)) to.insert(s);
  }
}

}  // namespace

ir::Program remove_dead_code(const ir::Program& program) {
  Live live;
  for (const ir::Array& a : program.arrays)
    if (outlives(a.role)) live.insert(a.name);
  const Touched all = touched(program.body);
  std::set<Symbol> everything = all.reads;
  everything.insert(all.writes.begin(), all.writes.end());
  add_extents(program, everything, live);

  ir::Program out = program;
  ir::RawMaker raw(*program.graph);
  out.body = map_items(live_part(program.body, live),
                       [&](Item item, Body& to) { append_tidy(raw, std::move(item), to); });
  std::set<Symbol> used = named(out);
  add_extents(out, used, used);
  std::erase_if(out.arrays, [&](const ir::Array& a) {
    const bool ours = a.role == ir::Role::Temp || a.role == ir::Role::Const;
    return ours && !used.contains(a.name);
  });
  std::erase_if(out.combiners, [&](const ir::Combiner& c) { return !used.contains(c.name); });
  return out;
}

}  // namespace lathe::passes
