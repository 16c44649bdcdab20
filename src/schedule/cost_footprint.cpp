// SPDX-License-Identifier: Apache-2.0
// Index expressions are evaluated over intervals: with some loops standing still in the middle of
// their ranges and the others running, an index covers so many elements of its axis. What cannot be
// evaluated (an index read from an array) covers the whole axis.

#include <algorithm>
#include <unordered_map>

#include "ir/traverse.h"
#include "schedule/cost_parts.h"

namespace lathe::schedule {
namespace {

using ir::Op;

constexpr double kLineBytes = 64;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// The loops in the middle: there, boundaries do not matter.
Span64 middle(const Span64& all, std::int64_t count) {
  const std::int64_t most = all.last - all.first + 1;
  if (count >= most) return all;
  const std::int64_t first = all.first + (most - count) / 2;
  return {first, first + count - 1};
}

}  // namespace

Box hull(const Box& a, const Box& b) {
  Box out = a;
  for (std::size_t x = 0; x < std::min(a.size(), b.size()); ++x)
    out[x] = {std::min(a[x].first, b[x].first), std::max(a[x].last, b[x].last)};
  return out;
}

Footprints::Footprints(const Nest& nest, const SizeNumbers& sizes) : nest_(nest), sizes_(sizes) {
  for (const ir::Array& a : nest.program.arrays) {
    Box box;
    for (const ir::Axis& x : a.axes) {
      const auto lo = evaluate(x.lo, {}), hi = evaluate(x.hi, {});
      if (!lo || !hi) complete_ = false;
      box.push_back(lo && hi ? Span64{lo->first, hi->last - 1} : Span64{0, 0});
    }
    declared_[a.name] = std::move(box);
  }
  for (const Leaf& leaf : nest.leaves) leaves_.push_back(count(leaf));
}

std::optional<Span64> Footprints::evaluate(Expr root,
                                           const std::map<Symbol, Span64>& running) const {
  std::unordered_map<Expr, std::optional<Span64>> known;
  for (Expr e : ir::post_order(root)) {
    const auto arg = [&](std::size_t i) { return known.at(e->arg(i)); };
    std::optional<Span64> value;
    const bool all = std::all_of(e->args().begin(), e->args().end(),
                                 [&](Expr a) { return known.at(a).has_value(); });
    if (e->op == Op::Const && !ir::is_float(e->dtype)) {
      const std::int64_t x = e->scalar().as_int();
      value = Span64{x, x};
    } else if (e->op == Op::Param) {
      const auto it = sizes_.find(std::string(e->name.text()));
      if (it != sizes_.end()) value = Span64{it->second, it->second};
    } else if (e->op == Op::Index) {
      const auto it = running.find(e->name);
      if (it != running.end()) value = it->second;
    } else if (all && e->arg_count == 2) {
      const Span64 a = *arg(0), b = *arg(1);
      if (e->op == Op::Add) value = Span64{a.first + b.first, a.last + b.last};
      if (e->op == Op::Sub) value = Span64{a.first - b.last, a.last - b.first};
      if (e->op == Op::Min) value = Span64{std::min(a.first, b.first), std::min(a.last, b.last)};
      if (e->op == Op::Max) value = Span64{std::max(a.first, b.first), std::max(a.last, b.last)};
      if (e->op == Op::Mul) {
        const auto ends =
            std::minmax({a.first * b.first, a.first * b.last, a.last * b.first, a.last * b.last});
        value = Span64{ends.first, ends.second};
      }
      const bool fixed = b.first == b.last && b.first > 0;
      if (e->op == Op::FloorDiv && fixed)
        value = Span64{floor_div(a.first, b.first), floor_div(a.last, b.first)};
      if (e->op == Op::Mod && fixed) {
        const std::int64_t q = floor_div(a.first, b.first);
        value = q == floor_div(a.last, b.first)
                    ? Span64{a.first - q * b.first, a.last - q * b.first}
                    : Span64{0, b.first - 1};
      }
    } else if (e->op == Op::Select && arg(1) && arg(2)) {
      value = Span64{std::min(arg(1)->first, arg(2)->first), std::max(arg(1)->last, arg(2)->last)};
    } else if (all && e->op == Op::Cast) {
      value = arg(0);
    } else if (all && e->op == Op::Neg) {
      value = Span64{-arg(0)->last, -arg(0)->first};
    }
    known[e] = value;
  }
  return known.at(root);
}

CountedLeaf Footprints::count(const Leaf& leaf) {
  CountedLeaf out;
  out.leaf = &leaf;
  for (const ir::Statement* s : leaf.lines) {
    for (const ir::Target& t : s->targets) out.touches.push_back({t.array, &t.indices, nullptr});
    std::vector<Expr> roots = s->values;
    if (s->domain.guard) roots.push_back(s->domain.guard);
    for (Expr e : ir::post_order(roots))
      if (e->op == Op::Read) out.touches.push_back({e->name, nullptr, e});
  }
  // All values of its variables, each bound seen from the middle of the loops around it.
  std::map<Symbol, Span64> all, still;
  for (const ir::Range& r : leaf.ranges) {
    const auto lo = evaluate(r.lo, still), hi = evaluate(r.hi, still);
    if (!lo || !hi) complete_ = false;
    const Span64 values = lo && hi ? Span64{lo->first, hi->last - 1} : Span64{0, 0};
    all[r.variable] = values;
    still[r.variable] = middle(values, 1);
    out.points *= values.count();
  }
  out.running.push_back(all);
  std::map<Symbol, Span64> now = all;
  for (const Node* node : leaf.path) {
    double trips = 1;
    if (const auto it = now.find(node->name); node->is_loop() && it != now.end()) {
      const std::int64_t inside = is_tile_loop(*node) ? node->tile : 1;
      trips = std::max(1.0, it->second.count() / static_cast<double>(inside));
      it->second = middle(all.at(node->name),
                          std::min(inside, static_cast<std::int64_t>(it->second.count())));
    } else if (node->kind == NodeKind::Repeat) {
      const auto item = nest_.items.find(node->name);
      const auto* repeat =
          item == nest_.items.end() ? nullptr : std::get_if<ir::Repeat>(&item->second->node);
      const auto lo = repeat ? evaluate(repeat->range.lo, now) : std::nullopt;
      const auto hi = repeat ? evaluate(repeat->range.hi, now) : std::nullopt;
      if (lo && hi && !repeat->until)
        trips = Span64{lo->first, hi->last - 1}.count();
      else
        complete_ = false;
    }
    out.trips.push_back(trips);
    out.running.push_back(now);
  }
  return out;
}

Box Footprints::box(const CountedLeaf& leaf, const Touch& touch, std::size_t q) const {
  // A private copy is used again in every iteration around it.
  const Storage* const storage = nest_.find_storage(touch.array);
  if (storage) q = std::max(q, storage->scope);
  q = std::min(q, leaf.running.size() - 1);
  Box out = declared_.at(touch.array);
  for (std::size_t x = 0; x < out.size(); ++x) {
    const Expr index = touch.target ? (*touch.target)[x] : touch.read->arg(x);
    if (const auto values = evaluate(index, leaf.running[q]))
      out[x] = {std::max(out[x].first, values->first), std::min(out[x].last, values->last)};
    // A window holds its last rows only.
    if (storage && storage->place.kind == PlaceKind::Window &&
        ir::mentions(index, storage->place.window))
      out[x].last = std::min(out[x].last, out[x].first + storage->place.depth - 1);
  }
  return out;
}

double Footprints::bytes(Symbol array, const Box& box) const {
  const ir::Array* a = nest_.program.find_array(array);
  if (!a) return 0;  // a local: a register
  const double size = static_cast<double>(ir::size_bytes(a->dtype));
  if (box.empty()) return size;
  const auto layout = nest_.layouts.find(array);
  const std::size_t last = layout == nest_.layouts.end() ? box.size() - 1 : layout->second.back();
  double rows = 1;
  for (std::size_t x = 0; x < box.size(); ++x)
    if (x != last) rows *= box[x].count();
  double row = box[last].count() * size;
  // Short pieces of long rows fetch whole lines.
  if (row > 0 && declared_.at(array)[last].count() * size >= kLineBytes)
    row = std::max(row, kLineBytes);
  return rows * row;
}

bool Footprints::is_register(Symbol array) const {
  const Storage* s = nest_.find_storage(array);
  return (s && s->place.kind == PlaceKind::Register) || !nest_.program.find_array(array);
}

}  // namespace lathe::schedule
