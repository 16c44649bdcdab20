// SPDX-License-Identifier: Apache-2.0
// A register tile in registers: one vector of lanes per row, or one scalar where there are no
// lanes.

#include "ir/traverse.h"
#include "lower/tile_writer.h"

namespace lathe::lower {

std::vector<TileWriter::Row> TileWriter::all_rows() {
  std::vector<Row> rows = {{}};
  for (const Kept& k : rows_) {
    std::vector<Row> more;
    for (const Row& row : rows)
      for (std::int64_t u = 0; u < k.width; ++u) {
        more.push_back(row);
        more.back().at.push_back(u);
      }
    rows = std::move(more);
  }
  return rows;
}

Expr TileWriter::at(Expr e, const Row& row, Expr lane) {
  ir::Renaming renaming;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Kept& k = rows_[i];
    const Expr point = l_.ranges_.add(k.base, row.at[i]);
    renaming.push_back({k.raw, point});
    renaming.push_back({k.offset, l_.i64(row.at[i])});
    // Never beyond the last row, where row 0 is not.
    renaming.push_back({k.point, row.at[i] == 0
                                     ? point
                                     : l_.build_.op(Op::Min, {point, l_.ranges_.add(k.hi, -1)})});
  }
  if (lane) {
    renaming.push_back({lanes_.point, l_.build_.add(lanes_.base, lane)});
    renaming.push_back({lanes_.offset, lane});
  }
  return ir::rename(l_.maker_, e, renaming);
}

loops::For TileWriter::lane_loop() {
  loops::For f;
  f.kind = loops::Kind::Vector;
  f.variable = lane_;
  f.lo = l_.i64(0);
  f.hi = l_.i64(lanes_.width);
  f.width = lanes_.width;
  return f;
}

// The condition under which all points of the tile exist; null: always.
Expr TileWriter::whole_tile() {
  Expr all = nullptr;
  const auto require = [&](const Kept& k) {
    if (k.width > 1) all = l_.both(all, l_.build_.le(l_.build_.add(k.base, l_.i64(k.width)), k.hi));
  };
  for (const Kept& k : rows_) require(k);
  if (shape_.lanes && padded_) require(lanes_);
  return all;
}

std::vector<TileWriter::Row> TileWriter::allocate_rows(Body& out) {
  lane_ = l_.fresh("l");
  std::vector<Row> rows = all_rows();
  for (Row& row : rows) {
    row.registers = l_.fresh("acc");
    if (shape_.lanes) {
      loops::Buffer b;
      b.name = row.registers;
      b.dtype = c_.dtypes.front();
      b.space = loops::Space::Lanes;
      b.axes = {ir::Axis{l_.graph_.symbol("l"), l_.i64(0), l_.i64(lanes_.width)}};
      out.push_back({loops::Alloc{std::move(b)}});
    } else {
      out.push_back({loops::Var{row.registers, l_.constant(c_.neutral.front())}});
    }
  }
  return rows;
}

Symbol TileWriter::edge_buffer(const std::vector<Row>& rows, Body& out) {
  loops::Buffer b;
  b.name = l_.fresh("edge");
  b.dtype = c_.dtypes.front();
  b.space = loops::Space::Stack;
  b.axes = {ir::Axis{l_.graph_.symbol("r"), l_.i64(0), l_.i64(std::ssize(rows))},
            ir::Axis{l_.graph_.symbol("l"), l_.i64(0), l_.i64(lanes_.width)}};
  const Symbol name = b.name;
  out.push_back({loops::Alloc{std::move(b)}});
  return name;
}

// Parts of indices that the reduced loops do not change are computed before them, in `out`.
Expr TileWriter::hoisted(Expr e, std::unordered_map<Expr, Expr>& known, Body& out) {
  return ir::rewrite(l_.maker_, e, [&](Expr x) -> Expr {
    const bool costly = x->op == Op::FloorDiv || x->op == Op::Mod || x->op == Op::Min ||
                        x->op == Op::Max || x->op == Op::Select;
    if (!costly || x->dtype != DType::I64 || !ir::reads(x).empty()) return nullptr;
    bool changes = ir::mentions(x, lane_);
    for (const Node* n : shape_.reduced) changes |= ir::mentions(x, l_.nest_.variables.at(n));
    if (changes) return nullptr;
    const auto [it, fresh] = known.insert({x, nullptr});
    if (fresh) it->second = named("at", x, out);
    return it->second;
  });
}

// The body of the reduced loops.
Body TileWriter::point_of(const std::vector<Row>& rows, const std::vector<Expr>& values,
                          Body& out) {
  std::unordered_map<Expr, Expr> known;
  const Expr lane = shape_.lanes ? l_.graph_.index(lane_) : nullptr;
  std::vector<Task> tasks;
  for (const Row& row : rows) {
    std::vector<Expr> here;
    for (Expr e : values) here.push_back(hoisted(at(e, row, lane), known, out));
    Task t;
    t.target = row.registers;
    t.assign = !shape_.lanes;
    if (lane) t.indices = {lane};
    t.value = l_.absorb(c_, {content(row)}, here).front();
    t.label = s_.label;
    tasks.push_back(std::move(t));
  }
  Body point;
  if (shape_.lanes) {
    loops::For f = lane_loop();
    l_.emit(tasks, true, f.body);
    point.push_back({std::move(f)});
  } else {
    l_.emit(tasks, false, point);
  }
  return point;
}

void TileWriter::in_registers(const std::vector<Expr>& values, Body& out) {
  const std::vector<Row> rows = allocate_rows(out);
  Expr whole = whole_tile();
  if (whole) whole = named("whole", whole, out);
  Symbol stack;
  if (whole && shape_.lanes && padded_) stack = edge_buffer(rows, out);
  const auto both_ways = [&](auto&& direct, auto&& cut) {
    if (!whole) return direct(out);
    loops::If s;
    s.condition = whole;
    direct(s.then_body);
    cut(s.else_body);
    out.push_back({std::move(s)});
  };
  both_ways([&](Body& b) { direct_start(rows, false, b); },
            [&](Body& b) { stack ? cut_start(rows, stack, b) : direct_start(rows, true, b); });
  reduce(point_of(rows, values, out), out);
  both_ways([&](Body& b) { direct_end(rows, false, b); },
            [&](Body& b) { stack ? cut_end(rows, stack, b) : direct_end(rows, true, b); });
}

// What the row's registers hold, in a lane loop.
Expr TileWriter::content(const Row& row) {
  if (!shape_.lanes) return l_.graph_.param(row.registers, c_.dtypes.front());
  const Expr lane = l_.graph_.index(lane_);
  return l_.graph_.read(row.registers, c_.dtypes.front(), std::span(&lane, 1), ir::Policy::Trusted);
}

std::vector<Expr> TileWriter::element_at(const Row& row, Expr lane) {
  for (const Kept& k : rows_) l_.ranges_.set_value(*k.node, l_.graph_.index(k.raw));
  if (shape_.lanes) l_.ranges_.set_value(*shape_.lanes, l_.graph_.index(lanes_.point));
  std::vector<Expr> indices = target();
  for (Expr& e : indices) e = at(e, row, lane);
  return indices;
}

// Each row's statements, in one lane loop or, if rows may be missing, each in its own.
void TileWriter::each_row(const std::vector<Row>& rows, bool guarded, Body& out,
                          FunctionRef<loops::Stmt(const Row&, Expr)> make) {
  const Expr lane = shape_.lanes ? l_.graph_.index(lane_) : nullptr;
  loops::For together = lane_loop();
  for (const Row& row : rows) {
    loops::Stmt s = make(row, lane);
    if (!guarded) {
      (lane ? together.body : out).push_back(std::move(s));
      continue;
    }
    loops::If present;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      present.condition = l_.both(
          present.condition, l_.build_.lt(l_.ranges_.add(rows_[i].base, row.at[i]), rows_[i].hi));
    loops::For alone = lane_loop();
    (lane ? alone.body : present.then_body).push_back(std::move(s));
    if (lane) present.then_body.push_back({std::move(alone)});
    out.push_back({std::move(present)});
  }
  if (lane && !guarded) out.push_back({std::move(together)});
}

void TileWriter::direct_start(const std::vector<Row>& rows, bool guarded, Body& out) {
  if (guarded && shape_.lanes)  // rows that do not exist are computed too
    each_row(rows, false, out, [&](const Row& row, Expr lane) {
      return loops::Stmt{
          loops::Store{row.registers, {lane}, l_.constant(c_.neutral.front()), false}};
    });
  staged(out, stage_.starts, [&](Body& b, Block block) {
    if (guarded && shape_.lanes && block == Block::Boundary) return;
    each_row(rows, guarded, b, [&](const Row& row, Expr lane) {
      const Expr value = from(block, element_at(row, lane));
      if (!lane) return loops::Stmt{loops::Assign{row.registers, value}};
      return loops::Stmt{loops::Store{row.registers, {lane}, value, false}};
    });
  });
}

void TileWriter::direct_end(const std::vector<Row>& rows, bool guarded, Body& out) {
  staged(out, stage_.ends, [&](Body& b, Block block) {
    each_row(rows, guarded, b, [&](const Row& row, Expr lane) {
      return put(block, element_at(row, lane), content(row));
    });
  });
}

// ---- Tiles with missing lanes: through a small array, element by element.

// for r: if the row exists: for l up to the last one: make(r, l, what stands for the point)
void TileWriter::each_element(
    const std::vector<Row>& rows, Body& out,
    FunctionRef<void(Body&, Expr row, Expr lane, const ir::Renaming&)> make) {
  loops::For r, l;
  r.variable = l_.fresh("r");
  r.lo = l.lo = l_.i64(0);
  r.hi = l_.i64(std::ssize(rows));
  l.variable = l_.fresh("l");
  l.hi = l_.build_.op(Op::Min, {l_.i64(lanes_.width), l_.build_.sub(lanes_.hi, lanes_.base)});
  const Expr row = l_.graph_.index(r.variable), lane = l_.graph_.index(l.variable);
  // Rows are numbered with the last variable fastest.
  loops::If present;
  ir::Renaming renaming;
  Expr rest = row;
  for (std::size_t i = rows_.size(); i-- > 0;) {
    const Kept& k = rows_[i];
    const Expr digit = i == 0 ? rest : l_.build_.op(Op::Mod, {rest, l_.i64(k.width)});
    rest = i == 0 ? rest : l_.build_.op(Op::FloorDiv, {rest, l_.i64(k.width)});
    const Expr point = l_.build_.add(k.base, digit);
    renaming.push_back({k.raw, point});
    present.condition = l_.both(present.condition, l_.build_.lt(point, k.hi));
  }
  renaming.push_back({lanes_.point, l_.build_.add(lanes_.base, lane)});
  make(l.body, row, lane, renaming);
  if (present.condition) {
    present.then_body.push_back({std::move(l)});
    r.body.push_back({std::move(present)});
  } else {
    r.body.push_back({std::move(l)});
  }
  out.push_back({std::move(r)});
}

std::vector<Expr> TileWriter::element_at(const ir::Renaming& point) {
  for (const Kept& k : rows_) l_.ranges_.set_value(*k.node, l_.graph_.index(k.raw));
  l_.ranges_.set_value(*shape_.lanes, l_.graph_.index(lanes_.point));
  std::vector<Expr> indices = target();
  for (Expr& e : indices) e = ir::rename(l_.maker_, e, point);
  return indices;
}

Expr TileWriter::in_stack(Symbol stack, Expr row, Expr lane) {
  const std::vector<Expr> at = {row, lane};
  return l_.graph_.read(stack, c_.dtypes.front(), at, ir::Policy::Trusted);
}

void TileWriter::spill(const std::vector<Row>& rows, Symbol stack, Body& out) {
  loops::For f = lane_loop();
  for (std::size_t i = 0; i < rows.size(); ++i)
    f.body.push_back({loops::Store{stack,
                                   {l_.i64(static_cast<std::int64_t>(i)), l_.graph_.index(lane_)},
                                   content(rows[i]),
                                   false}});
  out.push_back({std::move(f)});
}

void TileWriter::unspill(const std::vector<Row>& rows, Symbol stack, Body& out) {
  loops::For f = lane_loop();
  const Expr lane = l_.graph_.index(lane_);
  for (std::size_t i = 0; i < rows.size(); ++i)
    f.body.push_back({loops::Store{rows[i].registers,
                                   {lane},
                                   in_stack(stack, l_.i64(static_cast<std::int64_t>(i)), lane),
                                   false}});
  out.push_back({std::move(f)});
}

void TileWriter::cut_start(const std::vector<Row>& rows, Symbol stack, Body& out) {
  loops::For clear = lane_loop();
  for (std::size_t i = 0; i < rows.size(); ++i)
    clear.body.push_back(
        {loops::Store{stack,
                      {l_.i64(static_cast<std::int64_t>(i)), l_.graph_.index(lane_)},
                      l_.constant(c_.neutral.front()),
                      false}});
  out.push_back({std::move(clear)});
  each_element(rows, out, [&](Body& b, Expr row, Expr lane, const ir::Renaming& point) {
    const std::vector<Expr> indices = element_at(point);
    staged(b, stage_.starts, [&](Body& inner, Block block) {
      if (block != Block::Boundary)
        inner.push_back({loops::Store{stack, {row, lane}, from(block, indices), false}});
    });
  });
  unspill(rows, stack, out);
}

void TileWriter::cut_end(const std::vector<Row>& rows, Symbol stack, Body& out) {
  spill(rows, stack, out);
  each_element(rows, out, [&](Body& b, Expr row, Expr lane, const ir::Renaming& point) {
    const std::vector<Expr> indices = element_at(point);
    staged(b, stage_.ends, [&](Body& inner, Block block) {
      inner.push_back(put(block, indices, in_stack(stack, row, lane)));
    });
  });
}

}  // namespace lathe::lower
