// SPDX-License-Identifier: Apache-2.0
// Expressions of statements become expressions of Loops: variables are loop variables, reads go to
// the storage of their array and are in range, policies are spelled out.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

using schedule::PlaceKind;

std::vector<Expr> Lowering::resolve(const Leaf& leaf, const std::vector<Expr>& all, Body& before) {
  std::vector<Expr> out;
  for (Expr e : all) out.push_back(resolve(leaf, e, before));
  return out;
}

Expr Lowering::resolve(const Leaf& leaf, Expr root, Body& before) {
  // Reductions first, each where the language evaluates it; then everything else bottom-up.
  std::unordered_map<Expr, Expr> done;
  for (const auto& [node, condition] : needed_reductions(root)) {
    const Expr value = conditional_reduction(leaf, node, condition, before);
    done[node] = value;
  }
  return rebuild(leaf, root, done);
}

// Without reductions, or with their values in `done`.
Expr Lowering::rebuild(const Leaf& leaf, Expr root, std::unordered_map<Expr, Expr>& done) {
  std::vector<std::pair<Expr, bool>> stack = {{root, false}};
  std::vector<Expr> args;
  while (!stack.empty()) {
    const auto [e, entered] = stack.back();
    stack.pop_back();
    if (done.count(e)) continue;
    if (!entered) {
      stack.push_back({e, true});
      for (Expr a : e->args())
        if (!done.count(a)) stack.push_back({a, false});
      continue;
    }
    if (e->op == Op::Index) {
      const Expr v = ranges_.fixed(leaf, e->name, leaf.path.size());
      done[e] = v ? v : e;
      continue;
    }
    args.clear();
    for (Expr a : e->args()) args.push_back(done.at(a));
    if (e->op == Op::Read)
      done[e] = read(leaf, e, args);
    else if (e->op == Op::Inside)
      done[e] = in_range(e->name, args);
    else
      done[e] = maker_.remake(e, args);
  }
  return done.at(root);
}

Expr Lowering::in_range(Symbol array, std::span<const Expr> indices) {
  const ir::Array& a = *nest_.program.find_array(array);
  Expr all = nullptr;
  for (std::size_t x = 0; x < indices.size(); ++x) {
    all = both(all, build_.le(a.axes[x].lo, indices[x]));
    all = both(all, build_.lt(indices[x], a.axes[x].hi));
  }
  return all ? all : build_.boolean(true);
}

Symbol Lowering::buffer_of(Symbol array) const {
  const auto it = buffers_.find(array);
  return it == buffers_.end() ? array : it->second;
}

// Elements of a window lie at their index modulo its extent.
std::vector<Expr> Lowering::element(Symbol array, std::vector<Expr> indices) {
  const schedule::Storage* s = nest_.find_storage(array);
  if (s && s->place.kind == PlaceKind::Window)
    for (std::size_t x = 0; x < indices.size(); ++x)
      if (windowed(array, x))
        indices[x] = build_.op(Op::BitAnd, {indices[x], i64(window_extent(s->place.depth) - 1)});
  return indices;
}

namespace {

ir::Scalar zero(DType t) { return ir::Scalar::of_int(t, 0); }

}  // namespace

Expr Lowering::read(const Leaf& leaf, Expr node, std::span<const Expr> args) {
  const Symbol array = node->name;
  if (const auto it = registers_.find(array); it != registers_.end()) return it->second.front();
  const ir::Array& declared = *nest_.program.find_array(array);
  const std::size_t rank = declared.axes.size();
  std::vector<Expr> indices(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(rank));
  const bool proven = proven_.count({current_label_, node}) > 0;
  const auto trusted = [&](const std::vector<Expr>& at, bool safe) {
    const bool doubtful = node->policy == ir::Policy::Trusted && !proven;
    if (options_.watch && node != copied_ && (written_.count(array) || doubtful))
      return watched_read(leaf, node, array, node->dtype, at);
    const Expr r =
        graph_.read(buffer_of(array), node->dtype, element(array, at), ir::Policy::Trusted);
    // The same element may be read safely by one statement and not by another.
    if (!safe) risky_.insert(r);
    return r;
  };
  if (rank == 0) return trusted(indices, true);
  switch (node->policy) {
    case ir::Policy::Trusted: return trusted(indices, false);
    case ir::Policy::Error: {
      const std::pair key(current_label_, node);
      if (const auto copy = packed_.find(array); copy != packed_.end() && safe_.count(key))
        if (const Expr packed = packed_read(copy->second, node, indices)) return packed;
      if (proven) return trusted(indices, safe_.count(key) > 0);
      if (options_.watch) return watched_read(leaf, node, array, node->dtype, indices);
      const Expr r = graph_.read(buffer_of(array), node->dtype, indices, ir::Policy::Error);
      checked_reads_.insert_or_assign(r, std::pair(current_label_, node));
      risky_.insert(r);
      return r;
    }
    case ir::Policy::Zero:
    case ir::Policy::Value: {
      const Expr fill = node->policy == ir::Policy::Zero ? constant(zero(node->dtype)) : args[rank];
      return build_.select(in_range(array, indices), trusted(indices, false), fill);
    }
    case ir::Policy::Clamp:
    case ir::Policy::Wrap:
    case ir::Policy::Mirror: break;
  }
  // An empty axis has nothing to give: the read itself is the error then.
  Expr some = nullptr;
  const std::vector<Expr> asked = indices;
  for (std::size_t x = 0; x < rank; ++x) {
    const Expr lo = declared.axes[x].lo, hi = declared.axes[x].hi;
    const Expr at =
        asked[x]->dtype == DType::U64 ? build_.cast(DType::I64, asked[x]) : asked[x];  // not f64
    some = both(some, build_.lt(lo, hi));
    const Expr last = ranges_.add(hi, -1);
    Expr below = lo, above = last;  // for Clamp
    const Expr distance = build_.sub(at, lo), extent = ranges_.tidy(build_.sub(hi, lo));
    if (node->policy == ir::Policy::Wrap) {
      below = above = build_.add(lo, build_.op(Op::Mod, {distance, extent}));
    } else if (node->policy == ir::Policy::Mirror) {
      // Period 2(n-1), up and down; one element mirrors to itself.
      const Expr period = build_.op(
          Op::Max, {i64(1), ranges_.tidy(build_.sub(build_.mul(i64(2), extent), i64(2)))});
      const Expr phase = build_.op(Op::Mod, {distance, period});
      below = above = build_.add(lo, build_.op(Op::Min, {phase, build_.sub(period, phase)}));
      // For n = 1 the period above is 1 and the phase 0.
    }
    indices[x] =
        build_.select(build_.le(lo, at), build_.select(build_.lt(at, hi), at, above), below);
  }
  const Expr element_read = trusted(indices, false);
  const Expr refused = graph_.read(buffer_of(array), node->dtype, asked, ir::Policy::Error);
  checked_reads_.insert_or_assign(refused, std::pair(current_label_, node));
  risky_.insert(refused);
  return build_.select(some, element_read, refused);
}

// ---- Reductions inside of expressions.

// The outermost reductions below the roots, each with the condition (of the expression's own lazy
// operations) under which it is evaluated; null: always.
std::vector<std::pair<Expr, Expr>> Lowering::needed_reductions(Expr root) {
  std::vector<std::pair<Expr, Expr>> found;
  std::vector<Expr> order = ir::post_order(root);
  if (std::none_of(order.begin(), order.end(), [](Expr e) { return e->op == Op::Reduce; }))
    return found;
  // need[e]: nothing: not needed yet; null: always; otherwise a condition.
  std::unordered_map<Expr, std::optional<Expr>> need;
  need[root] = nullptr;
  const auto ask = [&](Expr e, Expr condition) {
    std::optional<Expr>& n = need[e];
    if (!n)
      n = condition;
    else if (*n != nullptr)
      n = condition == nullptr ? nullptr : build_.logical_or(*n, condition);
  };
  for (std::size_t i = order.size(); i-- > 0;) {
    const Expr e = order[i];
    const auto it = need.find(e);
    if (it == need.end() || !it->second) continue;
    const Expr here = *it->second;
    if (e->op == Op::Reduce) {
      found.push_back({e, here});
      continue;  // what it holds belongs to it
    }
    if (ir::has(e->op, ir::kLazy)) {
      const Expr first = e->arg(0);
      ask(first, here);
      const Expr not_first = build_.logical_not(first);
      if (e->op == Op::Select) {
        ask(e->arg(1), both(here, first));
        ask(e->arg(2), both(here, not_first));
      } else {
        ask(e->arg(1), both(here, e->op == Op::Or ? not_first : first));
      }
    } else {
      for (Expr a : e->args()) ask(a, here);
    }
  }
  return found;
}

Expr Lowering::conditional_reduction(const Leaf& leaf, Expr node, Expr condition, Body& before) {
  if (!condition) return reduction(leaf, node, before);
  // Conditions may hold reductions themselves; those are computed first.
  const Expr when = settle(resolve(leaf, condition, before), before);
  loops::Var result{fresh("r"), constant(zero(node->dtype))};
  const Symbol name = result.name;
  before.push_back({std::move(result)});
  loops::If s;
  s.condition = when;
  s.then_body.push_back({loops::Assign{name, reduction(leaf, node, s.then_body)}});
  before.push_back({std::move(s)});
  return graph_.param(name, node->dtype);
}

Expr Lowering::reduction(const Leaf& leaf, Expr node, Body& before) {
  const ir::view::Reduce r(node);
  const Combining c = combining(r.info.op, r.info.accumulator);
  const Cell acc = new_cell(c, c.neutral, before, false);
  std::vector<Axis1> axes;
  for (std::size_t v = 0; v < r.info.variables.size(); ++v)
    axes.push_back({r.info.variables[v], r.lo(v), r.hi(v)});
  const auto bound = [&](Expr e, Body& out) { return settle(resolve(leaf, e, out), out); };
  const auto point = [&](Body& out, Use use) {
    Body* inside = &out;
    loops::If guarded;
    const bool guard = !(ir::is_const(r.guard) && r.guard->scalar().as_bool());
    if (guard) {
      guarded.condition = settle(resolve(leaf, r.guard, out), out);
      inside = &guarded.then_body;
    }
    Value value;
    for (Expr v : r.values) value.values.push_back(build_.cast(c.dtypes.front(), v));
    value.values = resolve(leaf, value.values, *inside);
    use(*inside, value);
    if (guard) out.push_back({std::move(guarded)});
  };
  reductions_.push_back(node);
  reduce(c, r.info.order, axes, acc, bound, point, before);
  reductions_.pop_back();
  return build_.cast(node->dtype, load(c, acc).front());
}

Expr Lowering::settle(Expr e, Body& out) { return settle({{e}, 0}, out); }

Expr Lowering::settle(const Conditions& conditions, Body& out) {
  const Expr all = all_of(conditions.all);
  const std::vector<Expr> nodes = ir::post_order(all);
  if (nodes.size() < 64 && std::none_of(nodes.begin(), nodes.end(), [](Expr n) {
        return n->op == Op::Read && n->policy == ir::Policy::Error;
      }))
    return all;
  const Symbol name = fresh("s");
  out.push_back({loops::Var{name, constant(zero(all->dtype))}});
  const auto rest = conditions.all.begin() + static_cast<std::ptrdiff_t>(conditions.domain);
  Task t;
  t.conditions = {conditions.all.begin(), rest};
  t.domain = conditions.domain;
  t.target = name;
  t.assign = true;
  t.value = all_of({rest, conditions.all.end()});
  t.label = current_label_;
  emit({t}, false, out);
  return graph_.param(name, all->dtype);
}

}  // namespace lathe::lower
