// SPDX-License-Identifier: Apache-2.0
// A register tile with the statements that set and use its elements (schedule/register_tile.h):
//
//   lanes c.0, c.1 ...
//   vector l: c.u[l] = 0                                   # c.init
//   for k: vector l: c.u[l] = fma(a[i+u, k], b[k, j+l], c.u[l])
//   vector l: d[i+u, j+l] = sqrt(c.u[l])                   # whoever reads c

#include <algorithm>

#include "ir/traverse.h"
#include "lower/tile_writer.h"

namespace lathe::lower {

TileWriter::TileWriter(Lowering& l, const schedule::RegisterGroup& group)
    : TileWriter(l, group.main, group.tile) {
  group_ = &group;
}

Expr TileWriter::resolve_for(std::size_t number, Expr e) {
  const Leaf& leaf = l_.nest_.leaves[number];
  std::size_t at = leaf.path.size() - rows_.size() - (shape_.lanes ? 1 : 0);
  for (const Kept& k : rows_) l_.ranges_.set_value(*leaf.path[at++], l_.graph_.index(k.raw));
  if (shape_.lanes) l_.ranges_.set_value(*leaf.path[at], l_.graph_.index(lanes_.point));
  Body before;
  l_.current_label_ = leaf.lines.front()->label;
  const Expr r = l_.resolve(leaf, e, before);
  l_.current_label_ = s_.label;
  return r;
}

// Without conditions, and with every read in range at each point.
bool TileWriter::group_fits_lanes() {
  Body before;
  std::vector<std::size_t> others = group_->users;
  others.push_back(group_->init);
  if (!l_.demanded_conditions(leaf_, before).empty() || !l_.conditions_[number_].empty())
    return false;
  l_.registers_[group_->array] = {l_.constant(c_.neutral.front())};
  bool fits = true;
  for (std::size_t number : others) {
    const Leaf& leaf = l_.nest_.leaves[number];
    const ir::Statement& s = *leaf.lines.front();
    fits &= l_.conditions_[number].empty() && l_.demanded_conditions(leaf, before).empty() &&
            before.empty() && (number == group_->init || l_.proven_writes_.count(s.label) > 0);
    std::vector<Expr> all = {resolve_for(number, s.values.front())};
    for (Expr e : s.targets.front().indices) all.push_back(resolve_for(number, e));
    for (Expr e : ir::post_order(all))
      if (e->op == Op::Read && (l_.risky_.count(e) || e->policy == ir::Policy::Error)) fits = false;
  }
  l_.registers_.erase(group_->array);
  return fits;
}

void TileWriter::group_in_registers(const std::vector<Expr>& values, Body& out) {
  const std::vector<Row> rows = allocate_rows(out);
  Expr whole = whole_tile();
  if (whole) whole = named("whole", whole, out);
  const bool cut_lanes = shape_.lanes && padded_;
  Symbol stack;
  if (shape_.lanes && ((whole && cut_lanes) || in_blocks())) stack = edge_buffer(rows, out);
  const Expr first = resolve_for(
      group_->init, l_.build_.cast(c_.dtypes.front(),
                                   l_.nest_.leaves[group_->init].lines.front()->values.front()));
  const std::vector<Expr> nodes = ir::post_order(first);
  const bool anywhere = std::none_of(nodes.begin(), nodes.end(),
                                     [](Expr e) { return e->op == Op::Read && e->arg_count > 0; });
  const auto start = [&](bool guarded, Body& b) {
    each_row(rows, guarded, b, [&](const Row& row, Expr lane) {
      const Expr value = at(first, row, lane);
      if (!lane) return loops::Stmt{loops::Assign{row.registers, value}};
      return loops::Stmt{loops::Store{row.registers, {lane}, value, false}};
    });
  };
  const auto either = [&](auto&& direct, auto&& cut) {
    loops::If s;
    s.condition = whole;
    direct(s.then_body);
    cut(s.else_body);
    out.push_back({std::move(s)});
  };
  if (!whole || anywhere) {
    start(false, out);
  } else {
    either(
        [&](Body& b) { start(false, b); },
        [&](Body& b) {
          if (!cut_lanes) return start(true, b);
          each_element(rows, b, [&](Body& inner, Expr row, Expr lane, const ir::Renaming& point) {
            inner.push_back(
                {loops::Store{stack, {row, lane}, ir::rename(l_.maker_, first, point), false}});
          });
          unspill(rows, stack, b);
        });
  }
  group_reduce(rows, stack, point_of(rows, values, out), out);
  if (!whole) return users(rows, false, out);
  either([&](Body& b) { users(rows, false, b); },
         [&](Body& b) {
           if (!cut_lanes) return users(rows, true, b);
           spill(rows, stack, b);
           each_element(rows, b, [&](Body& inner, Expr row, Expr lane, const ir::Renaming& point) {
             l_.registers_[group_->array] = {in_stack(stack, row, lane)};
             std::vector<Task> tasks;
             for (std::size_t number : group_->users) {
               const Leaf& leaf = l_.nest_.leaves[number];
               tasks.push_back(user_task(leaf, number,
                                         [&](Expr e) { return ir::rename(l_.maker_, e, point); }));
             }
             l_.registers_.erase(group_->array);
             l_.emit(tasks, false, inner);
           });
         });
}

Task TileWriter::user_task(const Leaf& leaf, std::size_t number, FunctionRef<Expr(Expr)> place) {
  const ir::Statement& s = *leaf.lines.front();
  const ir::Target& target = s.targets.front();
  const ir::Array& array = *l_.nest_.program.find_array(target.array);
  Task t;
  t.target = l_.buffer_of(target.array);
  for (Expr e : target.indices) t.indices.push_back(place(resolve_for(number, e)));
  t.value = place(resolve_for(number, l_.build_.cast(array.dtype, s.values.front())));
  t.label = s.label;
  t.stream = l_.options_.stream && leaf.node->place.kind == schedule::PlaceKind::Stream;
  return t;
}

void TileWriter::users(const std::vector<Row>& rows, bool guarded, Body& out) {
  const Expr lane = shape_.lanes ? l_.graph_.index(lane_) : nullptr;
  for (const Row& row : rows) {
    l_.registers_[group_->array] = {content(row)};
    std::vector<Task> tasks;
    for (std::size_t number : group_->users)
      tasks.push_back(
          user_task(l_.nest_.leaves[number], number, [&](Expr e) { return at(e, row, lane); }));
    l_.registers_.erase(group_->array);
    Body body;
    if (lane) {
      loops::For f = lane_loop();
      l_.emit(tasks, true, f.body);
      body.push_back({std::move(f)});
    } else {
      l_.emit(tasks, false, body);
    }
    if (guarded) {
      loops::If present;
      for (std::size_t i = 0; i < rows_.size(); ++i)
        present.condition = l_.both(
            present.condition, l_.build_.lt(l_.ranges_.add(rows_[i].base, row.at[i]), rows_[i].hi));
      present.then_body = std::move(body);
      body.clear();
      body.push_back({std::move(present)});
    }
    for (loops::Stmt& s : body) out.push_back(std::move(s));
  }
}

// Later blocks of a chain start from nothing while the sum so far waits on the stack.
void TileWriter::group_reduce(const std::vector<Row>& rows, Symbol stack, Body point, Body& out) {
  from_ = 0;
  if (!in_blocks()) return reduce(std::move(point), out);
  Body* body = &out;
  std::vector<loops::For> outer;
  for (std::size_t i = 0; i + 1 < shape_.reduced.size(); ++i) outer.push_back(reduced_loop(i));
  from_ = shape_.reduced.size() - 1;
  const loops::For whole = reduced_loop(from_);
  loops::For blocks;
  blocks.variable = l_.fresh("block");
  blocks.lo = whole.lo;
  blocks.hi = whole.hi;
  blocks.step = kBlock;
  const Expr first = l_.graph_.index(blocks.variable);
  const Expr later = l_.build_.lt(whole.lo, first);
  last_ = {first, l_.build_.op(Op::Min, {whole.hi, l_.build_.add(first, l_.i64(kBlock))})};
  const auto if_later = [&](auto&& make) {
    loops::If s;
    s.condition = later;
    make(s.then_body);
    blocks.body.push_back({std::move(s)});
  };
  std::vector<Symbol> waiting;  // without lanes: scalars
  if (!stack)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      waiting.push_back(l_.fresh("sum"));
      blocks.body.push_back({loops::Var{waiting.back(), content(rows[i])}});
    }
  const auto saved = [&](std::size_t i, Expr lane) {
    return stack ? in_stack(stack, l_.i64(static_cast<std::int64_t>(i)), lane)
                 : l_.graph_.param(waiting[i], c_.dtypes.front());
  };
  const auto set_all = [&](Body& b, auto&& value) {
    std::size_t i = 0;
    each_row(rows, false, b, [&](const Row& row, Expr lane) {
      const Expr v = value(i++, row, lane);
      if (!lane) return loops::Stmt{loops::Assign{row.registers, v}};
      return loops::Stmt{loops::Store{row.registers, {lane}, v, false}};
    });
  };
  if_later([&](Body& b) {
    if (stack) spill(rows, stack, b);
    set_all(b, [&](std::size_t, const Row&, Expr) { return l_.constant(c_.neutral.front()); });
  });
  reduce(std::move(point), blocks.body);
  if_later([&](Body& b) {
    set_all(b, [&](std::size_t i, const Row& row, Expr lane) {
      return l_.join(c_, {saved(i, lane)}, {content(row)}).front();
    });
  });
  Body inner;
  inner.push_back({std::move(blocks)});
  for (std::size_t i = outer.size(); i-- > 0;) {
    outer[i].body = std::move(inner);
    inner.clear();
    inner.push_back({std::move(outer[i])});
  }
  for (loops::Stmt& s : inner) body->push_back(std::move(s));
  last_.reset();
}

void TileWriter::group_by_points(Body& out) {
  Body all;
  Body* body = &all;
  std::vector<Expr> points;
  const auto enter = [&](const Kept& k) {
    loops::For f;
    f.variable = l_.fresh(k.node->name.text());
    f.lo = k.base;
    f.hi = k.single ? k.hi : l_.build_.op(Op::Min, {k.hi, l_.build_.add(k.base, l_.i64(k.width))});
    points.push_back(l_.graph_.index(f.variable));
    body->push_back({std::move(f)});
    body = &std::get<loops::For>(body->back().node).body;
  };
  for (const Kept& k : rows_) enter(k);
  if (shape_.lanes) enter(lanes_);
  std::vector<std::size_t> members = group_->users;
  members.push_back(group_->init);
  members.push_back(group_->main);
  for (std::size_t number : members) {
    const Leaf& leaf = l_.nest_.leaves[number];
    for (std::size_t i = 0; i < points.size(); ++i)
      l_.ranges_.set_value(*leaf.path[leaf.path.size() - points.size() + i], points[i]);
  }
  const Lowering::Cell acc = l_.new_cell(c_, c_.neutral, *body, false);
  l_.registers_[group_->array] = {l_.graph_.param(acc.names.front(), c_.dtypes.front())};
  std::vector<Task> tasks;
  const auto run = [&](std::size_t number) {
    l_.tasks_of(number, *l_.nest_.leaves[number].lines.front(), tasks, *body);
    l_.emit(tasks, false, *body);
    tasks.clear();
  };
  run(group_->init);
  l_.current_label_ = s_.label;
  std::vector<Expr> conditions = l_.conditions_[number_];
  for (Expr e : l_.demanded_conditions(leaf_, *body)) conditions.push_back(e);
  std::vector<Lowering::Axis1> axes;
  for (const Node* n : shape_.reduced) {
    const Symbol v = l_.nest_.variables.at(n);
    axes.push_back({v, leaf_.range(n->name)->lo, leaf_.range(n->name)->hi});
    l_.ranges_.set_value(*n, l_.ranges_.add(l_.graph_.index(v), -leaf_.shift(n->name)));
  }
  const auto bound = [&](Expr e, Body& b) { return l_.settle(l_.resolve(leaf_, e, b), b); };
  const auto point = [&](Body& b, Lowering::Use use) {
    Lowering::Value value;
    for (Expr e : s_.values) value.values.push_back(l_.build_.cast(c_.dtypes.front(), e));
    value.values = l_.resolve(leaf_, value.values, b);
    use(b, value);
  };
  loops::If active;
  Body* inside = body;
  if (!conditions.empty()) {
    active.condition = l_.settle(l_.all_of(conditions), *body);
    inside = &active.then_body;
  }
  l_.reduce(c_, s_.accumulate->order, axes, acc, bound, point, *inside);
  if (inside != body) body->push_back({std::move(active)});
  for (std::size_t number : group_->users) run(number);
  l_.registers_.erase(group_->array);
  for (const Node* n : shape_.reduced)
    l_.ranges_.set_value(*n, l_.graph_.index(l_.nest_.variables.at(n)));
  for (loops::Stmt& s : all) out.push_back(std::move(s));
}

}  // namespace lathe::lower
