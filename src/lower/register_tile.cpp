// SPDX-License-Identifier: Apache-2.0
// Accumulations with loops over kept variables inside of the reduced ones
// (schedule/register_tile.h): a tile of the result waits in registers.
//
//   for k:                               lanes c.0, c.1 ...          # one vector per row
//     unroll i/6:                        vector l: c.u[l] = c[i+u, j+l]
//       vector j/64:                 ->  for k:
//         c                                vector l: c.u[l] = fma(a[i+u, k], b[k, j+l], c.u[l])
//                                        vector l: c[i+u, j+l] = c.u[l]
//
// A tile that is cut off by the end of a row of unpacked arrays runs point by point; rows beyond
// the last one compute with that one again, and nobody stores them.

#include <algorithm>

#include "analysis/sets.h"
#include "ir/domain.h"
#include "ir/traverse.h"
#include "lower/tile_writer.h"
#include "passes/rebuild.h"

namespace lathe::lower {

bool Lowering::register_tile(const Node& n, std::size_t depth, Body& out) {
  const std::vector<std::size_t>& below = leaves_below(n);
  if (below.size() != 1) return false;
  const Leaf& leaf = nest_.leaves[below.front()];
  const auto shape = schedule::register_tile(leaf);
  if (!shape || shape->first != depth) return false;
  if (registers_.count(leaf.lines.front()->targets.front().array)) return false;
  TileWriter writer(*this, below.front(), *shape);
  if (!writer.pays()) return false;
  writer.write(out);
  return true;
}

// The group that begins with this node of a body, written; how many nodes it has.
std::size_t Lowering::register_group(const std::vector<Node>& body, std::size_t at, Body& out) {
  for (const auto& [array, storage] : nest_.storage) {
    if (storage.path != path_ || storage.place.kind != schedule::PlaceKind::Register) continue;
    const auto group = schedule::register_group(nest_, array);
    if (!group || group->first != at || &storage.path.back()->body != &body) continue;
    TileWriter(*this, *group).write(out);
    return group->count;
  }
  return 0;
}

TileWriter::TileWriter(Lowering& l, std::size_t number, const schedule::RegisterTile& shape)
    : l_(l),
      number_(number),
      leaf_(l.nest_.leaves[number]),
      s_(*leaf_.lines.front()),
      shape_(shape),
      c_(l.combining(*s_.accumulate)) {
  const auto kept = [&](const Node& node, std::size_t at) {
    Kept k;
    k.node = &node;
    k.width = node.tile;
    const std::int64_t shift = leaf_.shift(node.name);
    const schedule::Interval r = l_.ranges_.range(leaf_, node.name, at);
    k.lo = l_.ranges_.add(r.lo, -shift);
    k.hi = l_.ranges_.add(r.point ? l_.ranges_.add(r.lo, 1) : r.hi, -shift);
    k.single = fits(k);
    k.point = l_.fresh(node.name.text());
    k.raw = l_.fresh(node.name.text());
    k.offset = l_.fresh(node.name.text());
    return k;
  };
  std::size_t at = shape.first + shape.reduced.size();
  for (const Node* node : shape.rows) rows_.push_back(kept(*node, at++));
  if (shape.lanes) lanes_ = kept(*shape.lanes, at);
}

// Is the range never longer than the loop's width?
bool TileWriter::fits(const Kept& k) const {
  const auto lo = ir::to_pw_aff(k.lo), hi = ir::to_pw_aff(k.hi);
  if (!lo || !hi) return false;
  const ir::SetExpr longer =
      ir::SetExpr::compare(*hi, ir::Comparison::Gt, *lo + ir::PwAff::integer(k.width));
  analysis::SetQuery query;
  return query.is_empty(longer) == analysis::Proof::Yes;
}

// Does it have a point whenever it is reached? A loop over tiles of it alone begins none without.
bool TileWriter::has_points(const Kept& k) const {
  for (std::size_t p = l_.path_.size(); p-- > 0;) {
    const Node& n = *l_.path_[p];
    if (!schedule::is_tile_loop(n) || n.name != k.node->name) continue;
    const std::vector<Lowering::Member> all = l_.members(n, p);
    return std::all_of(all.begin(), all.end(), [&](const Lowering::Member& m) {
      return m.range.lo == all.front().range.lo && m.range.hi == all.front().range.hi;
    });
  }
  const auto lo = ir::to_pw_aff(k.lo), hi = ir::to_pw_aff(k.hi);
  if (!lo || !hi) return false;
  analysis::SetQuery query;
  return query.is_empty(ir::SetExpr::compare(*hi, ir::Comparison::Le, *lo)) == analysis::Proof::Yes;
}

bool TileWriter::in_blocks() const {
  if (s_.accumulate->order != ir::Order::Chain) return false;
  const ir::Range& r = *leaf_.range(shape_.reduced.back()->name);
  const Expr length = l_.ranges_.tidy(l_.build_.sub(r.hi, r.lo));
  return !ir::is_const(length) || length->scalar().as_int() > kBlock;
}

// Whoever writes `for k: vector j` without tiles of j means rows of memory, not columns; unless the
// order of a chain asks for a tile.
bool TileWriter::pays() const {
  const bool single =
      std::all_of(rows_.begin(), rows_.end(), [](const Kept& k) { return k.single; }) &&
      (!shape_.lanes || lanes_.single);
  return single || in_blocks();
}

void TileWriter::write(Body& out) {
  l_.current_label_ = s_.label;
  if (group_) return over_rows(0, out);
  std::vector<Expr> outer = l_.conditions_[number_];
  for (Expr e : l_.demanded_conditions(leaf_, out)) outer.push_back(e);
  // A target whose points are none is left alone: it may not exist.
  const bool exists = l_.always_exists(leaf_, s_.targets.front());
  if (!exists)
    for (const Node* n : shape_.reduced) {
      const ir::Range& r = *leaf_.range(n->name);
      outer.push_back(l_.build_.lt(l_.resolve(leaf_, r.lo, out), l_.resolve(leaf_, r.hi, out)));
    }
  Lowering::Conditions here{outer, outer.size()};
  const auto tells_points_apart = [&](Expr g) {
    return std::any_of(shape_.reduced.begin(), shape_.reduced.end(),
                       [&](const Node* n) { return ir::mentions(g, n->name); });
  };
  std::vector<Expr> all = passes::conjuncts(leaf_.guard);
  if (s_.domain.guard != leaf_.guard)
    for (Expr g : passes::conjuncts(s_.domain.guard)) all.push_back(g);
  for (Expr g : all)
    if (!exists && guards_.empty() && !tells_points_apart(g))
      l_.add_guard(leaf_, g, here, out);
    else
      guards_.push_back(g);
  Body* body = &out;
  loops::If active;
  if (!here.all.empty()) {
    active.condition = l_.settle(here, out);
    body = &active.then_body;
  }
  over_rows(0, *body);
  if (body != &out) out.push_back({std::move(active)});
}

// Loops over tiles where the schedule has none.
void TileWriter::over_rows(std::size_t i, Body& out) {
  Kept* k = i < rows_.size() ? &rows_[i] : (i == rows_.size() && shape_.lanes) ? &lanes_ : nullptr;
  if (!k) return over_reduced(0, out);
  k->base = k->lo;
  const bool points = !k->single || has_points(*k);
  k->hi = named("end", k->hi, out);
  if (k->single && points) return over_rows(i + 1, out);
  if (k->single) {
    loops::If some;
    some.condition = l_.build_.lt(k->lo, k->hi);
    over_rows(i + 1, some.then_body);
    out.push_back({std::move(some)});
    return;
  }
  loops::For f;
  f.variable = l_.fresh(k->node->name.text());
  f.lo = k->lo;
  f.hi = k->hi;
  f.step = k->width;
  k->base = l_.graph_.index(f.variable);
  over_rows(i + 1, f.body);
  out.push_back({std::move(f)});
}

Expr TileWriter::named(std::string_view stem, Expr value, Body& out) {
  if (value->op == Op::Const || value->op == Op::Param) return value;
  const Symbol name = l_.fresh(stem);
  out.push_back({loops::Let{name, value}});
  return l_.graph_.param(name, value->dtype);
}

// With blocks, the registers hold one run of the last variable.
void TileWriter::over_reduced(std::size_t i, Body& out) {
  if (group_) return tile(0, out);
  const bool blocks = in_blocks();
  if (!blocks || i + 1 == shape_.reduced.size()) return blocks ? block(out) : tile(i, out);
  loops::For f = reduced_loop(i);
  over_reduced(i + 1, f.body);
  out.push_back({std::move(f)});
}

loops::For TileWriter::reduced_loop(std::size_t i) {
  const Node& n = *shape_.reduced[i];
  const std::int64_t shift = leaf_.shift(n.name);
  const schedule::Interval r = l_.ranges_.range(leaf_, n.name, shape_.first + i);
  loops::For f;
  f.variable = l_.nest_.variables.at(&n);
  f.lo = l_.ranges_.add(r.lo, -shift);
  f.hi = l_.ranges_.add(r.hi, -shift);
  return f;
}

void TileWriter::block(Body& out) {
  ir::Build& b = l_.build_;
  const Node& n = *shape_.reduced.back();
  const std::int64_t shift = leaf_.shift(n.name);
  const ir::Range& range = *leaf_.range(n.name);
  const Expr lo = l_.ranges_.add(l_.ranges_.place(leaf_, range.lo, shape_.first), -shift);
  const Expr hi = l_.ranges_.add(l_.ranges_.place(leaf_, range.hi, shape_.first), -shift);
  loops::For f = reduced_loop(shape_.reduced.size() - 1);
  if (shape_.piece && shape_.piece->tile % kBlock != 0) {
    // A part of a block: the rest of it waits in `part`.
    const std::int64_t width = shape_.piece->tile;
    const Expr at = b.sub(f.lo, lo), next = b.add(f.lo, l_.i64(width));
    stage_.first_block = b.lt(at, l_.i64(kBlock));
    stage_.starts = b.eq(b.op(Op::BitAnd, {at, l_.i64(kBlock - 1)}), l_.i64(0));
    stage_.ends = b.logical_or(
        b.eq(b.op(Op::BitAnd, {b.add(at, l_.i64(width)), l_.i64(kBlock - 1)}), l_.i64(0)),
        b.le(hi, next));
    stage_.part = part_buffer(b.sub(hi, lo));
    return tile(shape_.reduced.size() - 1, out);
  }
  loops::For blocks;
  blocks.variable = l_.fresh("block");
  blocks.lo = f.lo;
  blocks.hi = f.hi;
  blocks.step = kBlock;
  const Expr first = l_.graph_.index(blocks.variable);
  stage_.first_block = b.eq(first, lo);
  last_ = {first, b.op(Op::Min, {f.hi, b.add(first, l_.i64(kBlock))})};
  tile(shape_.reduced.size() - 1, blocks.body);
  out.push_back({std::move(blocks)});
}

// As large as the target, and empty for sums of one block.
Symbol TileWriter::part_buffer(Expr length) {
  const ir::Array& target = *l_.nest_.program.find_array(s_.targets.front().array);
  loops::Buffer part;
  part.name = l_.fresh("part");
  part.dtype = c_.dtypes.front();
  part.space = loops::Space::Scratch;
  part.axes = target.axes;
  // Times 1, or times 0 for sums of one block: bounds are sums and products.
  const Expr later = l_.build_.op(
      Op::Min,
      {l_.i64(1), l_.build_.op(Op::Max, {l_.i64(0), l_.build_.sub(length, l_.i64(kBlock))})});
  ir::Axis& first = part.axes.front();
  const Expr extent = l_.ranges_.tidy(l_.build_.sub(first.hi, first.lo));
  first.hi = l_.build_.add(first.lo, l_.build_.mul(extent, later));
  l_.kernel_.buffers.push_back(part);
  return part.name;
}

// ---- One tile, from the reduced loop number `from` on.

void TileWriter::tile(std::size_t from, Body& out) {
  from_ = from;
  const bool ordinary = c_.exact_absent && c_.dtypes.size() == 1 && !ir::is_bool(c_.dtypes[0]) &&
                        !ir::is_half(c_.dtypes[0]);
  std::vector<Expr> values;
  if (ordinary && (!group_ || group_fits_lanes())) values = tile_values();
  const auto points = [&](Body& b) { group_ ? group_by_points(b) : by_points(b); };
  const auto registers = [&](Body& b) {
    group_ ? group_in_registers(values, b) : in_registers(values, b);
  };
  if (values.empty()) return points(out);
  if (!shape_.lanes || padded_) return registers(out);
  const Expr cut = l_.build_.lt(lanes_.hi, l_.build_.add(lanes_.base, l_.i64(lanes_.width)));
  loops::If s;
  s.condition = cut;
  points(s.then_body);
  registers(s.else_body);
  out.push_back({std::move(s)});
}

// The values at (rows_.point ..., lanes_.point), of any element of a tile; nothing where only the
// program's own points may be evaluated.
std::vector<Expr> TileWriter::tile_values() {
  l_.raw_rows_.clear();
  for (const Kept& k : rows_) {
    l_.ranges_.set_value(*k.node, l_.graph_.index(k.point));
    l_.raw_rows_.push_back({k.point, l_.graph_.index(k.raw)});
    l_.tile_points_[k.raw] = {k.base, k.width, k.offset};
  }
  if (shape_.lanes) {
    l_.ranges_.set_value(*shape_.lanes, l_.graph_.index(lanes_.point));
    l_.tile_points_[lanes_.point] = {lanes_.base, lanes_.width, lanes_.offset};
  }
  Body before;
  std::vector<Expr> values;
  for (Expr e : s_.values) values.push_back(l_.build_.cast(c_.dtypes.front(), e));
  values = l_.resolve(leaf_, values, before);
  l_.raw_rows_.clear();
  l_.tile_points_.clear();
  if (!before.empty()) return {};
  padded_ = true;
  for (Expr e : ir::post_order(values)) {
    if (e->op != Op::Read) continue;
    if (l_.risky_.count(e) || e->policy == ir::Policy::Error) return {};
    if (shape_.lanes && ir::mentions(e, lanes_.point)) padded_ &= l_.padded_reads_.count(e) > 0;
  }
  return values;
}

std::vector<Expr> TileWriter::target() {
  Body before;
  return l_.resolve(leaf_, s_.targets.front().indices, before);
}

void TileWriter::staged(Body& out, Expr boundary, FunctionRef<void(Body&, Block)> each) {
  if (!stage_.first_block) return each(out, Block::First);
  loops::If s;
  s.condition = stage_.first_block;
  each(s.then_body, Block::First);
  if (boundary) {
    loops::If later;
    later.condition = boundary;
    each(later.then_body, Block::Boundary);
    each(later.else_body, Block::Middle);
    if (later.then_body.empty()) {  // nothing to do to start from nothing
      later.condition = l_.build_.logical_not(later.condition);
      std::swap(later.then_body, later.else_body);
    }
    if (!later.then_body.empty()) s.else_body.push_back({std::move(later)});
  } else {
    each(s.else_body, Block::Boundary);
  }
  out.push_back({std::move(s)});
}

Expr TileWriter::from(Block block, const std::vector<Expr>& indices) {
  const Symbol array = s_.targets.front().array;
  switch (block) {
    case Block::Boundary: return l_.constant(c_.neutral.front());
    case Block::Middle:
      return l_.graph_.read(stage_.part, c_.dtypes.front(), indices, ir::Policy::Trusted);
    case Block::First: break;
  }
  return l_.graph_.read(l_.buffer_of(array), c_.dtypes.front(), l_.element(array, indices),
                        ir::Policy::Trusted);
}

loops::Stmt TileWriter::put(Block block, const std::vector<Expr>& indices, Expr value) {
  const Symbol array = s_.targets.front().array;
  if (block == Block::Middle) return {loops::Store{stage_.part, indices, value, false}};
  if (block == Block::Boundary) value = l_.join(c_, {from(Block::First, indices)}, {value}).front();
  return {loops::Store{l_.buffer_of(array), l_.element(array, indices), value, false}};
}

// The reduced loops around `body`, under the program's guards.
void TileWriter::reduce(Body body, Body& out) {
  if (!guards_.empty()) {
    loops::If guarded;
    std::vector<Expr> all;
    Body before;
    for (Expr g : guards_) all.push_back(l_.resolve(leaf_, g, before));
    guarded.condition = l_.settle(l_.all_of(all), before);
    guarded.then_body = std::move(body);
    before.push_back({std::move(guarded)});
    body = std::move(before);
  }
  for (std::size_t i = shape_.reduced.size(); i-- > from_;) {
    loops::For f = reduced_loop(i);
    if (i + 1 == shape_.reduced.size() && last_) {
      f.lo = last_->first;
      f.hi = last_->second;
    }
    f.body = std::move(body);
    body.clear();
    body.push_back({std::move(f)});
  }
  for (loops::Stmt& s : body) out.push_back(std::move(s));
}

// ---- Point by point.

void TileWriter::by_points(Body& out) {
  loops::For* inner = nullptr;
  Body all;
  Body* body = &all;
  const auto enter = [&](const Kept& k) {
    loops::For f;
    f.variable = l_.fresh(k.node->name.text());
    f.lo = k.base;
    f.hi = k.single ? k.hi : l_.build_.op(Op::Min, {k.hi, l_.build_.add(k.base, l_.i64(k.width))});
    l_.ranges_.set_value(*k.node, l_.graph_.index(f.variable));
    body->push_back({std::move(f)});
    inner = &std::get<loops::For>(body->back().node);
    body = &inner->body;
  };
  for (const Kept& k : rows_) enter(k);
  if (shape_.lanes) enter(lanes_);
  const std::vector<Expr> indices = target();
  const Lowering::Cell acc = l_.new_cell(c_, c_.neutral, *body, false);
  staged(*body, stage_.starts, [&](Body& b, Block block) {
    if (block != Block::Boundary) b.push_back({loops::Assign{acc.names[0], from(block, indices)}});
  });
  Body point;
  Lowering::Value value;
  for (Expr e : s_.values) value.values.push_back(l_.build_.cast(c_.dtypes.front(), e));
  value.values = l_.resolve(leaf_, value.values, point);
  l_.merge(c_, acc, value, point);
  reduce(std::move(point), *body);
  staged(*body, stage_.ends, [&](Body& b, Block block) {
    b.push_back(put(block, indices, l_.graph_.param(acc.names[0], c_.dtypes[0])));
  });
  for (loops::Stmt& s : all) out.push_back(std::move(s));
}

}  // namespace lathe::lower
