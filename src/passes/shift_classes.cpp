// SPDX-License-Identifier: Apache-2.0
#include "passes/shift_classes.h"

#include <algorithm>

#include "ir/build.h"
#include "ir/traverse.h"

namespace lathe::passes {

using ir::Op;

namespace {

constexpr std::size_t kMostWeight = 1000;

// What a processor does for one: a minimum with its rules for NaN and zeros takes three operations.
std::size_t weight_of(Expr e) {
  if (e->op == Op::Div || e->op == Op::Sqrt) return 8;
  if (ir::has(e->op, ir::kElementary)) return 20;
  return e->op == Op::Min || e->op == Op::Max ? 3 : 1;
}

void lower_to(Shift& shift, std::size_t v, std::int64_t offset) {
  shift.at[v] = shift.uses(v) ? std::min(shift.at[v], offset) : offset;
  shift.used |= 1u << v;
}

// Offsets of a part, counted from the whole's.
void append_relative(std::vector<std::uint64_t>& key, const Shift& part, const Shift& whole) {
  key.push_back(part.used);
  for (std::size_t v = 0; v < kMostVariables; ++v)
    if (part.uses(v)) key.push_back(static_cast<std::uint64_t>(part.at[v] - whole.at[v]));
}

}  // namespace

Sum as_sum(Expr e) {
  if (ir::is_const(e)) return {nullptr, e->scalar().as_int()};
  if (e->op != Op::Add && e->op != Op::Sub) return {e, 0};
  const Expr a = e->arg(0), b = e->arg(1);
  if (ir::is_const(b)) {
    const std::int64_t n = b->scalar().as_int();
    if (n > -(std::int64_t{1} << 40) && n < std::int64_t{1} << 40)
      return {a, e->op == Op::Add ? n : -n};
  }
  if (ir::is_const(a) && e->op == Op::Add) {
    const std::int64_t n = a->scalar().as_int();
    if (n > -(std::int64_t{1} << 40) && n < std::int64_t{1} << 40) return {b, n};
  }
  return {e, 0};
}

Expr from_sum(ir::Graph& graph, Expr base, std::int64_t number) {
  ir::RawMaker raw(graph);
  const ir::Build build(raw);
  if (!base) return build.integer(number);
  if (number == 0) return base;
  return number > 0 ? build.add(base, build.integer(number))
                    : build.sub(base, build.integer(-number));
}

std::optional<std::int64_t> difference(Expr a, Expr b) {
  const Sum x = as_sum(a), y = as_sum(b);
  std::int64_t apart = 0;
  if (x.base != y.base || __builtin_sub_overflow(x.number, y.number, &apart)) return std::nullopt;
  return apart;
}

std::optional<std::size_t> ShiftClasses::position(Symbol variable) {
  const auto it = std::find(variables_.begin(), variables_.end(), variable);
  if (it != variables_.end()) return static_cast<std::size_t>(it - variables_.begin());
  if (variables_.size() == kMostVariables) return std::nullopt;
  variables_.push_back(variable);
  return variables_.size() - 1;
}

int ShiftClasses::number(Key key) {
  return classes_.try_emplace(std::move(key), static_cast<int>(classes_.size())).first->second;
}

Shifted ShiftClasses::read(Expr e) {
  const Expr what = settled_.source(e);
  if (what->policy != ir::Policy::Error) return {};
  Shifted out;
  struct Axis {
    std::optional<std::size_t> variable;
    Expr base;
    std::int64_t offset;
  };
  std::vector<Axis> axes;
  for (Expr index : what->args()) {
    const Sum sum = as_sum(index);
    Axis axis{std::nullopt, sum.base, sum.number};
    if (sum.base && sum.base->op == Op::Index) {
      axis.variable = position(sum.base->name);
      if (!axis.variable) return {};
      lower_to(out.shift, *axis.variable, sum.number);
    } else if (sum.base && (sum.base->variables != 0 || sum.base->arrays != 0)) {
      return {};
    }
    axes.push_back(axis);
  }
  const auto array = arrays_.try_emplace(what->name, arrays_.size()).first->second;
  Key key = {static_cast<std::uint64_t>(Op::Read), array};
  for (const Axis& a : axes) {
    key.push_back(a.variable ? *a.variable : kMostVariables);
    key.push_back(a.variable ? 0 : a.base ? a.base->id : UINT64_MAX);
    key.push_back(
        static_cast<std::uint64_t>(a.variable ? a.offset - out.shift.at[*a.variable] : a.offset));
  }
  out.class_id = number(std::move(key));
  return out;
}

Shifted ShiftClasses::leaf(Expr e) {
  if (e->op == Op::Read) return read(e);
  const Sum sum = as_sum(e);
  Shifted out;
  if (sum.base && sum.base->op == Op::Index) {
    const auto v = position(sum.base->name);
    if (!v) return {};
    lower_to(out.shift, *v, sum.number);
    out.class_id = number({static_cast<std::uint64_t>(Op::Index), *v});
  } else if (e->op == Op::Const || e->op == Op::Param) {
    out.class_id = number({static_cast<std::uint64_t>(e->op), e->id});
  }
  return out;
}

Shifted ShiftClasses::combined(Expr e) {
  if (e->op == Op::Reduce || e->op == Op::Inside || e->op == Op::Lookup) return {};
  Shifted out;
  std::vector<Key> parts;
  out.weight = weight_of(e);
  for (Expr x : e->args()) {
    const Shifted& part = known_.at(x);
    if (part.class_id < 0) return {};
    out.weight = std::min(kMostWeight, out.weight + part.weight);
    for (std::size_t v = 0; v < kMostVariables; ++v)
      if (part.shift.uses(v)) lower_to(out.shift, v, part.shift.at[v]);
  }
  for (Expr x : e->args()) {
    const Shifted& part = known_.at(x);
    Key key = {static_cast<std::uint64_t>(part.class_id)};
    append_relative(key, part.shift, out.shift);
    parts.push_back(std::move(key));
  }
  if (ir::has(e->op, ir::kCommutes)) std::sort(parts.begin(), parts.end());
  Key key = {static_cast<std::uint64_t>(e->op), static_cast<std::uint64_t>(e->dtype)};
  for (const Key& part : parts) key.insert(key.end(), part.begin(), part.end());
  out.class_id = number(std::move(key));
  return out;
}

const Shifted& ShiftClasses::classify(Expr root, const std::vector<Symbol>& variables) {
  for (Symbol v : variables) (void)position(v);
  for (Expr e : ir::post_order(root)) {
    if (known_.contains(e)) continue;
    const Sum sum = as_sum(e);
    const bool is_index = sum.base && sum.base->op == Op::Index;
    known_.emplace(e, e->op == Op::Read || e->arg_count == 0 || is_index ? leaf(e) : combined(e));
  }
  return known_.at(root);
}

}  // namespace lathe::passes
