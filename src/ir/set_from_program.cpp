// SPDX-License-Identifier: Apache-2.0
// Set expressions of a Program's domains, bounds and conditions. Walks with post_order, so long
// chains do not recurse; expressions that would grow beyond kMaxSize become Reads or opaque sets.

#include <unordered_map>

#include "ir/domain.h"
#include "ir/text.h"
#include "ir/traverse.h"

namespace lathe::ir {
namespace {

constexpr std::size_t kMaxSize = 400;

std::vector<std::string> variable_names(Expr e) {
  std::vector<std::string> names;
  for (const Symbol v : free_variables(e)) names.emplace_back(v.text());
  return names;
}

// Equal texts are taken for equal values, so what is cut short says which it is.
std::string short_text(Expr e) {
  std::string text = print(e, 40);
  if (text.find("...") != std::string::npos) text += " #" + std::to_string(e->hash);
  return text;
}

std::optional<PwAff> combine(Op op, const PwAff& a, const PwAff& b) {
  switch (op) {
    case Op::Add: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::FloorDiv: return floor_div(a, b);
    case Op::Mod: return mod(a, b);
    case Op::Min: return min(a, b);
    case Op::Max: return max(a, b);
    default: return std::nullopt;
  }
}

using Memo = std::unordered_map<Expr, std::optional<PwAff>>;

std::optional<PwAff> convert(Expr e, const Memo& memo) {
  if (e->op == Op::Cast && e->dtype == DType::I64) {
    // Index arrays and counts of narrower dtypes: their value survives. Arithmetic in them wraps.
    const Expr x = e->arg(0);
    if (!is_signed_int(x->dtype) && x->dtype != DType::U8 && x->dtype != DType::U16 &&
        x->dtype != DType::U32)
      return std::nullopt;
    if (x->op == Op::Const) return PwAff::integer(x->scalar().as_int());
    if (x->op == Op::Param) return PwAff::param(std::string(x->name.text()));
    if (x->op == Op::Read) return PwAff::read(short_text(x), variable_names(x));
    return std::nullopt;
  }
  if (e->dtype != DType::I64) return std::nullopt;
  switch (e->op) {
    case Op::Const: return PwAff::integer(e->scalar().as_int());
    case Op::Index: return PwAff::var(std::string(e->name.text()));
    case Op::Param: return PwAff::param(std::string(e->name.text()));
    case Op::Read: return PwAff::read(short_text(e), variable_names(e));
    case Op::Neg: {
      const auto& x = memo.at(e->arg(0));
      if (!x) return std::nullopt;
      return PwAff::zero() - *x;
    }
    default: break;
  }
  if (e->arg_count != 2) return std::nullopt;
  const auto &a = memo.at(e->arg(0)), &b = memo.at(e->arg(1));
  if (!a || !b || a->size() * b->size() > kMaxSize * kMaxSize) return std::nullopt;
  auto result = combine(e->op, *a, *b);
  if (result && result->size() > kMaxSize) return std::nullopt;
  return result;
}

std::optional<Comparison> comparison_of(Op op) {
  switch (op) {
    case Op::Lt: return Comparison::Lt;
    case Op::Le: return Comparison::Le;
    case Op::Gt: return Comparison::Gt;
    case Op::Ge: return Comparison::Ge;
    case Op::Eq: return Comparison::Eq;
    case Op::Ne: return Comparison::Ne;
    default: return std::nullopt;
  }
}

SetExpr opaque(Expr e) { return SetExpr::opaque(short_text(e), variable_names(e)); }

SetExpr inside_set(Expr e, const Program& program) {
  const view::Read access(e);
  const Array* array = program.find_array(access.array);
  if (array == nullptr || array->axes.size() != access.indices.size()) return opaque(e);
  std::vector<SetExpr> parts;
  for (std::size_t k = 0; k < access.indices.size(); ++k) {
    const PwAff index = to_bound(access.indices[k]);
    parts.push_back(SetExpr::compare(to_bound(array->axes[k].lo), Comparison::Le, index));
    parts.push_back(SetExpr::compare(index, Comparison::Lt, to_bound(array->axes[k].hi)));
  }
  return SetExpr::intersection(std::move(parts));
}

}  // namespace

std::optional<PwAff> to_pw_aff(Expr root) {
  Memo memo;
  for (const Expr e : post_order(root)) memo.emplace(e, convert(e, memo));
  return memo.at(root);
}

PwAff to_bound(Expr e) {
  if (auto bound = to_pw_aff(e)) return *bound;
  return PwAff::read("value[" + short_text(e) + "]", variable_names(e));
}

SetExpr to_set(const Range& range) {
  return range_set(std::string(range.variable.text()), to_bound(range.lo), to_bound(range.hi));
}

SetExpr to_set(const Domain& domain, const Program* program) {
  std::vector<SetExpr> parts;
  for (const Range& range : domain.ranges) parts.push_back(to_set(range));
  if (domain.guard != nullptr) parts.push_back(to_set(domain.guard, program));
  return SetExpr::intersection(std::move(parts));
}

SetExpr to_set(Expr root, const Program* program) {
  // Only `and`, `or`, `not` and gates are looked into; what stands below them is one condition
  // each.
  std::vector<Expr> order;
  std::unordered_map<Expr, SetExpr> memo;
  std::vector<std::pair<Expr, bool>> stack{{root, false}};
  const auto is_logic = [](Expr e) {
    return e->op == Op::And || e->op == Op::Or || e->op == Op::Not || e->op == Op::Gate;
  };
  constexpr std::size_t kMaxConditions = 200;
  while (!stack.empty()) {
    const auto [e, expanded] = stack.back();
    stack.pop_back();
    if (memo.count(e) != 0) continue;
    if (memo.size() > kMaxConditions) return opaque(root);
    if (is_logic(e)) {
      if (!expanded) {
        stack.push_back({e, true});
        for (const Expr x : e->args()) stack.push_back({x, false});
        continue;
      }
      const SetExpr& a = memo.at(e->arg(0));
      if (e->op == Op::Not)
        memo.emplace(e, complement(a));
      else if (e->op != Op::Or)  // gate(c, x) is false where c is
        memo.emplace(e, SetExpr::intersection({a, memo.at(e->arg(1))}));
      else
        memo.emplace(e, SetExpr::unite({a, memo.at(e->arg(1))}));
      continue;
    }
    if (e->op == Op::Const) {
      memo.emplace(e, e->scalar().as_bool() ? SetExpr::universe() : SetExpr::empty());
      continue;
    }
    if (e->op == Op::Inside && program != nullptr) {
      memo.emplace(e, inside_set(e, *program));
      continue;
    }
    if (const auto op = comparison_of(e->op)) {
      const auto a = to_pw_aff(e->arg(0)), b = to_pw_aff(e->arg(1));
      if (a && b) {
        memo.emplace(e, SetExpr::compare(*a, *op, *b));
        continue;
      }
    }
    memo.emplace(e, opaque(e));
  }
  return memo.at(root);
}

}  // namespace lathe::ir
