// SPDX-License-Identifier: Apache-2.0
// The first point where something holds: minimum k: select(x[k] == t, k, 9223372036854775807), as
// argmin and argmax ask. In a block of a tree a lane need not hold k in 64 bits: its 64 rows are
// counted down in integers as wide as what is compared. From the last row to the first, what a lane
// takes last was met first.
//
//   for base in first..full by 64 down:
//     let left = 64 - (base - first >> 6)
//     vector l in 0..64 by 64:
//       most[l] = select(x[base + l] == t, left, most[l])
//   vector l in 0..64 by 64:
//     lane[l] = select(0 < most[l], first + (64 - most[l] << 6) + l, 9223372036854775807)
//
// Where t is the maximum of all x, and its blocks left theirs, only the first block whose maximum
// is t has a place to offer; the others are not looked at again.

#include <algorithm>
#include <optional>

#include "ir/loops_walk.h"
#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

static_assert(kBlock / kLanes <= 64, "rows of a block are counted down from 64");

// The condition, where the point at `at` counts as `at` if it holds and not at all otherwise.
Expr Lowering::condition_of_place(const Combining& c, Expr value, Expr at) const {
  if (c.combiner || c.op != Op::Min || c.dtypes[0] != DType::I64) return nullptr;
  if (value->op != Op::Select || value->arg(1) != at || !ir::is_const(value->arg(2)))
    return nullptr;
  return value->arg(2)->scalar().bits == c.absent[0].bits ? value->arg(0) : nullptr;
}

void Lowering::first_place_rows(const Combining& c, Expr holds, Symbol base, Symbol lane,
                                Expr first, Expr rest, const Cell& lanes, Body& out) {
  const std::vector<Expr> parts = ir::post_order(std::span(&holds, 1));
  const bool wide = std::any_of(parts.begin(), parts.end(), [](Expr e) {
    return e->op == Op::Read && ir::size_bytes(e->dtype) > 4;
  });
  Combining counting = c;
  counting.dtypes = {wide ? DType::I64 : DType::I32};
  const DType count = counting.dtypes[0];
  const Expr l = graph_.index(lane), none = constant(ir::Scalar::of_int(count, 0));
  const auto rows_of_lanes = [&](std::string_view stem, loops::Space space) {
    loops::Buffer b;
    b.name = fresh(stem);
    b.dtype = count;
    b.space = space;
    b.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(kLanes)}};
    out.push_back({loops::Alloc{b}});
    Cell cell;
    cell.names = {b.name};
    cell.index = l;
    return cell;
  };
  const Cell most = rows_of_lanes("most", loops::Space::Lanes);
  loops::For start = lane_loop(lane, kLanes, true), row = start, spill = start, widen = start;
  store_row(counting, most, {none}, start.body);
  out.push_back({std::move(start)});

  loops::For rows;
  rows.variable = base;
  rows.lo = first;
  rows.hi = rest;
  rows.step = kLanes;
  rows.down = true;
  const Symbol left = fresh("left");
  const Expr row_number = build_.op(Op::Shr, {build_.sub(graph_.index(base), first), i64(6)});
  rows.body.push_back({loops::Let{left, build_.cast(count, build_.sub(i64(64), row_number))}});
  const Expr seen = load(counting, most)[0];
  store_row(counting, most, {build_.select(holds, graph_.param(left, count), seen)}, row.body);
  rows.body.push_back({std::move(row)});
  out.push_back({std::move(rows)});

  // Loops that share registers share the number of lanes; numbers of 64 bits have fewer.
  const Cell spilled = rows_of_lanes("met", loops::Space::Stack);
  store_row(counting, spilled, load(counting, most), spill.body);
  out.push_back({std::move(spill)});
  const Expr met = build_.cast(DType::I64, load(counting, spilled)[0]);
  const Expr offset = build_.op(Op::Shl, {build_.sub(i64(64), met), i64(6)});
  const Expr place = build_.add(build_.add(first, l), offset);
  Cell to = lanes;
  to.index = l;
  store_row(c, to, {build_.select(build_.lt(i64(0), met), place, constant(c.absent[0]))},
            widen.body);
  out.push_back({std::move(widen)});
}

// ---- Blocks of the maximum.

namespace {

// How often the statements store there, in a buffer or a scalar; nothing: somebody may who does not
// say so.
std::optional<std::size_t> count_stores(std::span<const loops::Stmt> body, Symbol buffer) {
  std::size_t count = 0;
  bool known = true;
  const auto look = [&](const loops::Stmt& s) {
    known &= !std::holds_alternative<loops::Call>(s.node) &&
             !std::holds_alternative<loops::Rotate>(s.node);
    const auto* store = std::get_if<loops::Store>(&s.node);
    const auto* assign = std::get_if<loops::Assign>(&s.node);
    count += (store && store->buffer == buffer) || (assign && assign->name == buffer);
  };
  for (const loops::Stmt& s : body) {
    look(s);
    loops::for_each_body(s, [&](const Body& inner) { loops::for_each_stmt(inner, look); });
  }
  if (!known) return std::nullopt;
  return count;
}

}  // namespace

// x == t, or x is NaN: where one of a block's x fulfils it, the extreme x of the block does.
bool Lowering::asks_for_extreme(Expr holds, Expr x, Expr t) {
  if (holds->op == Op::Or) {
    const bool last = holds->arg(1)->op == Op::IsNan;
    const Expr nan = holds->arg(last ? 1 : 0);
    return nan->op == Op::IsNan && nan->arg(0) == x &&
           asks_for_extreme(holds->arg(last ? 0 : 1), x, t);
  }
  if (holds->op != Op::Eq) return false;
  return (holds->arg(0) == x && holds->arg(1) == t) || (holds->arg(1) == x && holds->arg(0) == t);
}

// The target is stored once, and nothing that the value is made of.
bool Lowering::is_unchanged_since(std::span<const loops::Stmt> body, Symbol target, Expr value) {
  if (count_stores(body, target) != 1U) return false;
  const std::vector<Expr> parts = ir::post_order(std::span(&value, 1));
  return std::all_of(parts.begin(), parts.end(), [&](Expr e) {
    return (e->op != Op::Read && e->op != Op::Param) || count_stores(body, e->name) == 0U;
  });
}

// Does a later statement look for the place of this maximum or minimum?
bool Lowering::is_looked_for(const Combining& c, const ir::Statement& s) const {
  if (c.combiner || (c.op != Op::Max && c.op != Op::Min)) return false;
  const Symbol target = s.targets[0].array;
  if (!s.targets[0].indices.empty() || registers_.count(target) > 0) return false;
  return std::any_of(nest_.leaves.begin(), nest_.leaves.end(), [&](const Leaf& leaf) {
    const ir::Statement& line = *leaf.lines.front();
    if (!line.accumulate || line.accumulate->combiner || line.accumulate->op != Op::Min)
      return false;
    if (line.values[0]->op != Op::Select) return false;
    const std::vector<Expr> read = ir::reads(line.values[0]->arg(0));
    return std::any_of(read.begin(), read.end(),
                       [&](Expr e) { return e->name == target && e->args().empty(); });
  });
}

// The same, in the loops around this statement, for the same points.
bool Lowering::is_looked_for_here(const Combining& c, const Leaf& leaf, std::size_t depth) const {
  if (c.combiner || (c.op != Op::Max && c.op != Op::Min)) return false;
  const Symbol target = leaf.lines.front()->targets[0].array;
  const auto look = [&](const Leaf& other) {
    const ir::Statement& line = *other.lines.front();
    if (!line.accumulate || line.accumulate->combiner || line.accumulate->op != Op::Min)
      return false;
    if (line.values[0]->op != Op::Select || other.path.size() <= depth) return false;
    if (!std::equal(leaf.path.begin(), leaf.path.begin() + static_cast<std::ptrdiff_t>(depth),
                    other.path.begin()))
      return false;
    const std::vector<Expr> read = ir::reads(line.values[0]->arg(0));
    return std::any_of(read.begin(), read.end(), [&](Expr e) { return e->name == target; });
  };
  return std::any_of(nest_.leaves.begin(), nest_.leaves.end(), look);
}

Symbol Lowering::keep_blocks(const Combining& c, Symbol target, Symbol v, Expr lo, Expr hi,
                             Point here, Body& out) {
  const std::vector<Expr> values = lane_values(v, graph_.index(v), here);
  if (values.size() != 1) return {};
  const Expr length = ranges_.tidy(build_.sub(hi, lo));
  const Expr count = build_.op(Op::FloorDiv, {build_.add(length, i64(kBlock - 1)), i64(kBlock)});
  loops::Buffer kept;
  kept.name = fresh("kept");
  kept.dtype = c.dtypes[0];
  kept.space = loops::Space::Thread;
  kept.axes = {ir::Axis{graph_.symbol("b"), i64(0), build_.op(Op::Max, {i64(1), count})}};
  out.push_back({loops::Alloc{kept}});
  kept_blocks_.push_back({target, kept.name, v, lo, hi, values[0]});
  return kept.name;
}

// Emits the search for a place of a maximum whose blocks were kept in the same body, unchanged
// since; false: it is none.
bool Lowering::first_place_in_blocks(const Combining& c, Symbol v, Expr lo, Expr hi,
                                     const Cell& acc, Point here, Body& out) {
  const std::vector<Expr> values =
      kept_blocks_.empty() ? std::vector<Expr>() : lane_values(v, graph_.index(v), here);
  const Expr holds =
      values.size() == 1 ? condition_of_place(c, values[0], graph_.index(v)) : nullptr;
  if (!holds) return false;
  Expr x = nullptr;
  const auto fits = [&](const KeptBlocks& k) {
    x = ir::rename(maker_, k.value, {{k.variable, graph_.index(v)}});
    const Expr t = graph_.read(k.target, x->dtype, {}, ir::Policy::Trusted);
    if (k.lo != lo || k.hi != hi || !asks_for_extreme(trusted(holds), trusted(x), t)) return false;
    const auto made = std::find_if(out.begin(), out.end(), [&](const loops::Stmt& s) {
      const auto* alloc = std::get_if<loops::Alloc>(&s.node);
      return alloc && alloc->buffer.name == k.blocks;
    });
    // The result itself is stored once. What it is taken of must still be what it was.
    return made != out.end() &&
           is_unchanged_since(std::span<const loops::Stmt>(made, out.end()), k.target, k.value);
  };
  const auto kept = std::find_if(kept_blocks_.begin(), kept_blocks_.end(), fits);
  if (kept == kept_blocks_.end()) return false;

  const Expr length = ranges_.tidy(build_.sub(hi, lo));
  loops::If s;
  s.condition = build_.le(length, i64(kShortTree));
  left_to_right(c, v, lo, hi, acc, here, s.then_body);
  const Cell found = new_cell(c, c.absent, s.else_body, false);
  loops::For blocks;
  blocks.variable = fresh("block");
  blocks.lo = i64(0);
  blocks.hi = build_.op(Op::FloorDiv, {build_.add(length, i64(kBlock - 1)), i64(kBlock)});
  const Expr b = graph_.index(blocks.variable);
  const Expr extreme = graph_.read(kept->blocks, x->dtype, std::span(&b, 1), ir::Policy::Trusted);
  loops::If some;
  some.condition =
      ir::rewrite(maker_, holds, [&](Expr e) { return e == x ? extreme : Expr(nullptr); });
  const Cell lanes = block_result(c, v, lo, hi, b, here, some.then_body);
  Value value;
  value.values = load(c, lanes);
  value.point = false;
  merge(c, found, value, some.then_body);
  blocks.body.push_back({std::move(some)});
  const Expr place = load(c, found)[0];
  blocks.body.push_back({loops::Break{build_.lt(place, constant(c.absent[0]))}});
  s.else_body.push_back({std::move(blocks)});
  value.values = {place};
  merge(c, acc, value, s.else_body);
  out.push_back({std::move(s)});
  return true;
}

}  // namespace lathe::lower
