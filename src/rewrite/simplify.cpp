// SPDX-License-Identifier: Apache-2.0
// The rule engine: what happens when an operation is made.
//
//   make(not (x < y))   fold:  are all operands constants?           no
//                       order: constants to their side               nothing to do
//                       rules: not-lt fires                          make(y <= x) instead
//   make(y <= x)        ... no rule fires: this node is made
//
// Operands are simple already, so one loop at the top of the expression is all; no worklist.

#include <algorithm>
#include <atomic>

#include "base/diagnostics.h"
#include "interp/row_ops.h"
#include "ir/traverse.h"
#include "rewrite/rule_index.h"

namespace lathe::rewrite {

using ir::DType;
using ir::Expr;
using ir::Op;
using ir::Scalar;

struct Simplifier::Application {
  Op op;
  DType t;
  std::vector<Expr> args;
  Expr done = nullptr;
};

namespace {

// A look at the operations of the operands, before anything is bound: most variants end here.
bool may_match(const Term& pattern, std::span<const Expr> args) {
  for (std::size_t i = 0; i < pattern.args.size(); ++i)
    if (pattern.args[i].kind == Term::Kind::Apply && pattern.args[i].op != args[i]->op)
      return false;
  return true;
}

bool divides_integers(Op op, DType t) {
  return ir::is_int(t) &&
         (op == Op::FloorDiv || op == Op::Mod || op == Op::TruncDiv || op == Op::TruncMod);
}

bool is_comparison(Op op) { return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge; }

Op turned(Op comparison) {
  return comparison == Op::Lt   ? Op::Gt
         : comparison == Op::Gt ? Op::Lt
         : comparison == Op::Le ? Op::Ge
                                : Op::Le;
}

// The places of constants and the direction of comparisons, as rules.h says.
void order_operands(Op& op, std::vector<Expr>& args) {
  if (args.size() != 2) return;
  const bool left = ir::is_const(args[0]), right = ir::is_const(args[1]);
  if (is_comparison(op)) {
    const bool to_lt = (op == Op::Gt || op == Op::Ge) && !right;
    if (to_lt || left) {
      std::swap(args[0], args[1]);
      op = turned(op);
    }
  } else if (has(op, ir::kCommutes) && left != right && left != (op == Op::Mul)) {
    if (!has(op, ir::kLazy)) std::swap(args[0], args[1]);  // `and`, `or`: rules take constants away
  }
}

}  // namespace

Simplifier::Simplifier(ir::Graph& graph, bool algebraic) : Maker(graph), algebraic_(algebraic) {}

std::span<const std::uint64_t> Simplifier::hits() { return rule_index().hits; }

bool Simplifier::can_fail(Expr root) {
  const auto known = [&](Expr e) -> std::uint8_t& {
    if (can_fail_.size() <= e->id)
      can_fail_.resize(std::max<std::size_t>(e->id + 1, 2 * can_fail_.size()));
    return can_fail_[e->id];
  };
  std::vector<Expr> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    bool fails = e->op == Op::Read || e->op == Op::Reduce ||
                 (divides_integers(e->op, e->dtype) &&
                  !(ir::is_const(e->arg(1)) && !e->arg(1)->scalar().is_zero()));
    const std::size_t size = stack.size();
    if (!fails && known(e) == 0)
      for (Expr arg : e->args()) {
        if (known(arg) == 0) stack.push_back(arg);
        fails |= known(arg) == 2;
      }
    if (!fails && stack.size() > size) continue;  // ask again when the operands are known
    stack.resize(size - 1);
    if (known(e) == 0) known(e) = fails ? 2 : 1;
  }
  return known(root) == 2;
}

bool Simplifier::fold(Application& a) {
  if (a.args.empty() || !std::all_of(a.args.begin(), a.args.end(), ir::is_const)) return false;
  if (divides_integers(a.op, a.t) && a.args[1]->scalar().is_zero()) return false;  // an error
  std::vector<Scalar> values;
  for (Expr arg : a.args) values.push_back(arg->scalar());
  a.done = graph().constant(interp::apply(a.op, a.t, values));
  return true;
}

bool Simplifier::apply_rules(Application& a) {
  RuleIndex& index = rule_index();
  for (const Compiled& c : index.of(a.op)) {
    if (c.rule->tag == Tag::Algebraic && !algebraic_) continue;
    for (const Variant& variant : c.variants) {
      if (!may_match(variant.pattern, a.args)) continue;
      Binding binding;
      const TypeName& type = variant.pattern.type;
      if (a.op == Op::Cast || a.op == Op::BitCast) {
        if (type.variable == TypeName::Fixed ? type.fixed != a.t : false) continue;
        if (type.variable != TypeName::Fixed) {
          binding.has_type[static_cast<std::size_t>(type.variable)] = true;
          binding.types[static_cast<std::size_t>(type.variable)] = a.t;
        }
      }
      if (!match_operands(variant.pattern, a.args, binding)) continue;
      const Given g = given(binding, ir::is_bool(a.t) ? a.args.back()->dtype : a.t);
      if (!admits(c.rule->dtypes, g.t) || (c.rule->when != nullptr && !c.rule->when(g))) continue;
      bool hides_error = false;
      for (std::size_t i = 0; i < binding.variables.size(); ++i)
        hides_error |= binding.variables[i] != nullptr &&
                       (c.must_not_fail[i] || variant.swaps_lazy) && can_fail(binding.variables[i]);
      if (hides_error) continue;

      std::atomic_ref(index.hits[c.number]).fetch_add(1, std::memory_order_relaxed);
      if (c.replacement.kind != Term::Kind::Apply) {
        a.done = leaf(graph(), c.replacement, binding, g, a.t);
      } else {
        a.args = operands(graph(), c.replacement, binding, g, a.t);
        a.op = c.replacement.op;
      }
      return true;
    }
  }
  return false;
}

Expr Simplifier::make(Op op, DType t, std::span<const Expr> args) {
  // Every step shrinks the expression or lowers the rank of its operation; this many never happen.
  constexpr int kMaxSteps = 100;
  Application a{op, t, {args.begin(), args.end()}};
  for (int step = 0; step < kMaxSteps; ++step) {
    if (fold(a)) return a.done;
    order_operands(a.op, a.args);
    if (!apply_rules(a)) return graph().apply(a.op, a.t, a.args);
    if (a.done != nullptr) return a.done;
  }
  internal_error("rewrite rules that go round in a circle");
}

Expr Simplifier::remake(Expr e, std::span<const Expr> args) {
  switch (e->op) {
    case Op::Const:
    case Op::Index:
    case Op::Param: return e;
    case Op::Lookup: {
      const auto& values = e->table().values;
      if (ir::is_const(args[0])) {
        const auto i = static_cast<std::uint64_t>(args[0]->scalar().as_int());
        if (i < values.size()) return graph().constant(values[i]);
      }
      return graph().with_args(e, args);
    }
    case Op::Read:
    case Op::Inside:
    case Op::Reduce: return graph().with_args(e, args);
    default: return make(e->op, e->dtype, args);
  }
}

Expr Simplifier::simplify(Expr e) {
  return ir::rewrite(
      *this, e, [](Expr) -> Expr { return nullptr; }, &memo_);
}

}  // namespace lathe::rewrite
