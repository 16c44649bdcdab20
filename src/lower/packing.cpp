// SPDX-License-Identifier: Apache-2.0
// Copies of what the statements below read of an array, in an order of their own:
//
//   copy b -> tile [j/64, k, j%64]       for q: for k: vector r: pack[q, k, r] = b[k, 64*q + r]
//
// A last tile that the array does not fill is filled with zeros, so that registers may compute with
// lanes that nobody stores.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

using schedule::Interval;
using schedule::NodeKind;
using schedule::PackAxis;

namespace {

// One copy, loop by loop.
struct Packing {
  std::vector<PackAxis> layout;
  std::vector<std::size_t> order;  // of the loops: numbers of layout
  std::vector<Symbol> variables;   // per number of layout
  std::vector<Interval> region;
  bool vector = false;    // the innermost loop is one
  bool parallel = false;  // the outermost one is
};

std::size_t partner(const std::vector<PackAxis>& layout, std::size_t i) {
  for (std::size_t x = 0; x < layout.size(); ++x)
    if (x != i && layout[x].axis == layout[i].axis) return x;
  return i;
}

}  // namespace

void Lowering::pack(const Node& copy, std::span<const Node> after, std::size_t depth, Body& out) {
  const ir::Array& array = *nest_.program.find_array(copy.name);
  std::vector<std::size_t> readers;
  for (const Node& n : after) {
    if (n.kind == NodeKind::Compute)
      readers.push_back(nest_.leaf_of.at(&n));
    else
      for (std::size_t i : leaves_below(n)) readers.push_back(i);
  }
  Packed packed;
  packed.buffer = fresh(copy.name.text());
  packed.layout = copy.layout;
  if (packed.layout.empty())
    for (std::size_t a = 0; a < array.axes.size(); ++a)
      packed.layout.push_back({a, PackAxis::Part::All, 1, {}});
  for (std::size_t a = 0; a < array.axes.size(); ++a) {
    Interval r = ranges_.footprint(readers, copy.name, a, depth, [&](Symbol label, Expr read) {
      return safe_.count({label, read}) > 0;
    });
    if (r.point) r.hi = ranges_.add(r.lo, 1);
    // Points where no reader runs may lie outside of the array.
    const ir::Axis& axis = array.axes[a];
    r.lo = ranges_.maximum(r.lo, axis.lo);
    const bool ends = r.hi->op == Op::Min && (r.hi->arg(0) == axis.hi || r.hi->arg(1) == axis.hi);
    if (!ends) r.hi = ranges_.minimum(r.hi, axis.hi);
    packed.region.push_back(r);
  }

  const std::vector<PackAxis>& layout = packed.layout;
  loops::Buffer b;
  b.name = packed.buffer;
  b.dtype = array.dtype;
  b.space = loops::Space::Thread;
  for (const PackAxis& x : layout) {
    const Interval& r = packed.region[x.axis];
    ir::Axis axis{graph_.symbol("x"), i64(0), i64(x.tile)};
    if (x.part == PackAxis::Part::All) {
      axis.lo = r.lo;
      axis.hi = ranges_.maximum(r.lo, r.hi);
    } else if (x.part == PackAxis::Part::Quotient) {
      const Expr length = ranges_.add(ranges_.tidy(build_.sub(r.hi, r.lo)), x.tile - 1);
      axis.hi = build_.op(Op::Max, {i64(0), build_.op(Op::FloorDiv, {length, i64(x.tile)})});
    }
    b.axes.push_back(axis);
  }
  buffer_axes_[b.name] = b.axes;
  out.push_back({loops::Alloc{b}});

  // The place in a tile runs along memory, or right inside of the tile's number.
  Packing p{layout, {}, {}, packed.region, false, false};
  const std::size_t last = layout.size() - 1;
  const bool along =
      layout[last].part == PackAxis::Part::Remainder && layout[last].axis + 1 == array.axes.size();
  p.vector = along && (layout[last].tile & (layout[last].tile - 1)) == 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    p.variables.push_back(fresh("x"));
    if (!along && layout[i].part == PackAxis::Part::Remainder && partner(layout, i) < i) continue;
    p.order.push_back(i);
    if (!along && layout[i].part == PackAxis::Part::Quotient && partner(layout, i) > i)
      p.order.push_back(partner(layout, i));
  }
  p.parallel = std::none_of(path_.begin(), path_.end(),
                            [](const Node* n) { return n->kind == NodeKind::Parallel; });

  std::vector<Expr> at, from(array.axes.size());
  for (Symbol v : p.variables) at.push_back(graph_.index(v));
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const PackAxis& x = layout[i];
    if (x.part == PackAxis::Part::All) from[x.axis] = at[i];
    if (x.part == PackAxis::Part::Quotient)
      from[x.axis] = build_.add(build_.add(p.region[x.axis].lo, build_.mul(i64(x.tile), at[i])),
                                at[partner(layout, i)]);
  }
  const Expr element = graph_.read(buffer_of(copy.name), array.dtype, from, ir::Policy::Trusted);
  const Expr zero = constant(ir::Scalar::of_int(array.dtype, 0));

  // `filled`: 1 inside of the array, 0 beyond its end, -1 not known yet.
  const auto nest = [&](auto&& self, std::size_t level, int filled, Body& body) -> void {
    if (level == p.order.size()) {
      body.push_back({loops::Store{b.name, at, filled == 0 ? zero : element, false}});
      return;
    }
    const std::size_t i = p.order[level];
    const PackAxis& x = layout[i];
    loops::For f;
    f.variable = p.variables[i];
    f.lo = b.axes[i].lo;
    f.hi = b.axes[i].hi;
    if (p.parallel && level == 0) f.kind = loops::Kind::Parallel;
    if (p.vector && i == last && filled == 1) {
      f.kind = loops::Kind::Vector;
      f.width = x.tile;
    }
    const bool split = x.part != PackAxis::Part::All;
    const bool second =
        split &&
        std::find(p.order.begin(), p.order.begin() + static_cast<std::ptrdiff_t>(level),
                  partner(layout, i)) != p.order.begin() + static_cast<std::ptrdiff_t>(level);
    if (split && !second && p.vector && partner(layout, i) == last && filled < 0) {
      // Whole tiles in vectors, the last one by points.
      loops::If whole;
      const Expr end =
          build_.add(p.region[x.axis].lo, build_.mul(i64(x.tile), build_.add(at[i], i64(1))));
      whole.condition = build_.le(end, p.region[x.axis].hi);
      self(self, level + 1, 1, whole.then_body);
      self(self, level + 1, -1, whole.else_body);
      f.body.push_back({std::move(whole)});
    } else if (second && filled < 0 && x.part == PackAxis::Part::Remainder) {
      // The elements that exist, then zeros: no question per element.
      const auto more =
          std::any_of(p.order.begin() + static_cast<std::ptrdiff_t>(level) + 1, p.order.end(),
                      [&](std::size_t y) { return layout[y].part != PackAxis::Part::All; });
      const Expr begin =
          build_.add(p.region[x.axis].lo, build_.mul(i64(x.tile), at[partner(layout, i)]));
      const Expr end = build_.op(
          Op::Max, {f.lo, build_.op(Op::Min, {f.hi, build_.sub(p.region[x.axis].hi, begin)})});
      loops::For rest = f;
      f.hi = rest.lo = end;
      self(self, level + 1, more ? -1 : 1, f.body);
      self(self, level + 1, 0, rest.body);
      body.push_back({std::move(f)});
      body.push_back({std::move(rest)});
      return;
    } else if (second && filled < 0) {
      loops::If inside;
      inside.condition = build_.lt(from[x.axis], p.region[x.axis].hi);
      const bool more =
          std::any_of(p.order.begin() + static_cast<std::ptrdiff_t>(level) + 1, p.order.end(),
                      [&](std::size_t y) { return layout[y].part != PackAxis::Part::All; });
      self(self, level + 1, more ? -1 : 1, inside.then_body);
      self(self, level + 1, 0, inside.else_body);
      f.body.push_back({std::move(inside)});
    } else {
      self(self, level + 1, filled, f.body);
    }
    body.push_back({std::move(f)});
  };
  nest(nest, 0, -1, out);
  packed_[copy.name] = std::move(packed);
}

// An element of the copy; null: better read from the array. Where the index is the first point of
// one of its tiles plus the place in a register tile no division is needed.
Expr Lowering::packed_read(const Packed& p, Expr node, std::vector<Expr> indices) {
  bool padded = true;
  std::vector<Expr> at;
  for (const PackAxis& x : p.layout) {
    const Expr e = ir::rename(maker_, indices[x.axis], raw_rows_), lo = p.region[x.axis].lo;
    const TilePoint* point = e->op == Op::Index ? find_tile_point(e->name) : nullptr;
    if (x.part == PackAxis::Part::All) {
      // Not filled up: a row beyond the end is the last one again, as of the array.
      for (Symbol v : ir::free_variables(e)) padded &= find_tile_point(v) == nullptr;
      at.push_back(indices[x.axis]);
    } else if (point && starts_tile(point->base, lo, x.tile) && point->width <= x.tile) {
      at.push_back(
          x.part == PackAxis::Part::Quotient
              ? build_.op(Op::FloorDiv, {ranges_.tidy(build_.sub(point->base, lo)), i64(x.tile)})
              : graph_.index(point->offset));
    } else {
      if (!raw_rows_.empty()) return nullptr;  // the array itself is as good
      padded = false;
      at.push_back(build_.op(x.part == PackAxis::Part::Quotient ? Op::FloorDiv : Op::Mod,
                             {ranges_.tidy(build_.sub(e, lo)), i64(x.tile)}));
    }
  }
  const Expr r = graph_.read(p.buffer, node->dtype, at, ir::Policy::Trusted);
  if (padded) padded_reads_.insert(r);
  return r;
}

const Lowering::TilePoint* Lowering::find_tile_point(Symbol v) const {
  const auto it = tile_points_.find(v);
  return it == tile_points_.end() ? nullptr : &it->second;
}

// Is `base` the variable of a loop around that counts from `lo` in steps of `tile`?
bool Lowering::starts_tile(Expr base, Expr lo, std::int64_t tile) const {
  return std::any_of(path_.begin(), path_.end(), [&](const Node* n) {
    const auto start = starts_.find(n);
    return schedule::is_tile_loop(*n) && n->tile == tile && ranges_.value(*n) == base &&
           start != starts_.end() && start->second == lo;
  });
}

}  // namespace lathe::lower
