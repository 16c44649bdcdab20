// SPDX-License-Identifier: Apache-2.0
// Risks: a read that may lie outside of its buffer is a risk for everything above it, up to an
// operation that evaluates it only where it lies inside:
//
//   gate(1 <= i, u[i-1]) + 2.0         u[i-1] may lie outside; the gate and the sum are harmless
//   gate(v[i] > 0.0, u[i-1]) + 2.0     the sum may only be evaluated where the program has it

#include "lower/expr_graph.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "lower/range_tests.h"

namespace lathe::lower {
namespace {

using ir::Op;

constexpr std::uint32_t kTooMany = 1;
constexpr std::size_t kMostRisks = 8;       // told apart
constexpr std::size_t kFreeOperations = 4;  // of index arithmetic
constexpr std::uint32_t kElementaryWeight = 8;
constexpr std::uint32_t kDivisionWeight = 4;

bool is_lazy(Op op) { return op == Op::Select || op == Op::Gate || op == Op::And || op == Op::Or; }

bool is_free(Expr e) {
  if (e->op == Op::Const || e->op == Op::Index || e->op == Op::Param) return true;
  if (e->op >= Op::Lt && e->op <= Op::Ne) {
    return is_index_arithmetic(e->arg(0), kFreeOperations) &&
           is_index_arithmetic(e->arg(1), kFreeOperations);
  }
  return is_index_arithmetic(e, kFreeOperations);
}

std::uint32_t weight_of(Expr e) {
  if (has(e->op, ir::kElementary)) return kElementaryWeight;
  switch (e->op) {
    case Op::Div:
    case Op::FloorDiv:
    case Op::Mod:
    case Op::TruncDiv:
    case Op::TruncMod:
    case Op::Sqrt: return kDivisionWeight;
    default: return 1;
  }
}

}  // namespace

std::span<const std::uint8_t> lazy_operands(Op op) {
  static constexpr std::uint8_t kSelect[] = {0, 1, 2}, kFirst[] = {0, 1}, kOr[] = {0, 2};
  if (op == Op::Select) return kSelect;
  if (op == Op::Or) return kOr;
  return kFirst;
}

ExprGraph::ExprGraph(ir::Maker& maker, const MemoryOrder& memory, const OrderOptions& options)
    : maker_(maker), memory_(memory), options_(options), risks_(2) {
  for (const OrderedTask& task : memory.tasks()) {
    for (const Literal& part : task.conditions) add(part.test);
    for (Expr index : task.indices) add(index);
    add(task.value);
  }
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) find_risks(n);
}

Expr ExprGraph::source(std::uint32_t n) const {
  return nodes_[n].memory ? nodes_[n].memory->source : nodes_[n].expr;
}

Expr ExprGraph::origin(std::uint32_t n) const {
  return nodes_[n].memory ? nodes_[n].memory->origin : nodes_[n].expr;
}

void ExprGraph::add(Expr root) {
  std::vector<std::pair<Expr, bool>> stack = {{root, false}};
  while (!stack.empty()) {
    const auto [e, ready] = stack.back();
    stack.pop_back();
    if (numbers_.contains(e)) continue;
    const MemoryRead* memory = e->op == Op::Read ? memory_.find(e) : nullptr;
    if (ready) {
      numbers_.emplace(e, push(e, memory));
      continue;
    }
    stack.push_back({e, true});
    const auto args = memory ? memory->source->args() : e->args();
    for (std::size_t i = args.size(); i-- > 0;) stack.push_back({args[i], false});
  }
}

std::uint32_t ExprGraph::push(Expr e, const MemoryRead* memory) {
  ExprNode node;
  node.expr = e;
  node.memory = memory;
  node.lazy = !options_.flat && is_lazy(e->op);
  node.free = e->op != Op::Read && is_free(e);
  node.weight = node.free ? 0 : weight_of(e);
  std::vector<std::uint32_t> operands;
  for (Expr a : memory ? memory->source->args() : e->args()) operands.push_back(numbers_.at(a));
  if (node.lazy && e->op != Op::Select) {
    const Expr value = maker_.graph().constant(e->op == Op::Or ? ir::Scalar::of_bool(true)
                                                               : ir::Scalar::of_int(e->dtype, 0));
    const auto [at, is_new] =
        numbers_.try_emplace(value, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) {
      ExprNode constant;
      constant.expr = value;
      constant.free = true;
      nodes_.push_back(constant);
    }
    operands.insert(e->op == Op::Or ? operands.end() - 1 : operands.end(), at->second);
  }
  node.first_operand = static_cast<std::uint32_t>(operands_.size());
  node.operand_count = static_cast<std::uint32_t>(operands.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  if (e->op == Op::Read) add_range(number, node);
  for (std::uint32_t operand : operands) node.reads = node.reads || nodes_[operand].reads;
  nodes_.push_back(node);
  return number;
}

void ExprGraph::add_range(std::uint32_t n, ExprNode& node) {
  const Expr source = node.memory ? node.memory->source : node.expr;
  if (source->op != Op::Read) return;
  const Expr origin = node.memory ? node.memory->origin : node.expr;
  if (options_.is_watched && (*options_.is_watched)(origin)) {
    // No condition answers for it.
    node.range = static_cast<std::uint32_t>(ranges_.size());
    ranges_.push_back({});
    node.risks = intern({{n, kUnknownRange}});
    return;
  }
  if (source->arg_count == 0) return;  // a scalar has no range
  const bool checked = source->policy == ir::Policy::Error;
  check(checked || source->policy == ir::Policy::Trusted, "a read without policies");
  check(!checked || (options_.axes_of && options_.site_of), "sites and axes for checked reads");
  const bool shared = !options_.flat && options_.is_shared && (*options_.is_shared)(origin);
  if (!checked && !shared && (options_.flat || !options_.risky || !(*options_.risky)(origin))) {
    node.reads = !options_.flat;
    return;
  }
  RangeTests range;
  std::uint64_t open = kUnknownRange;
  if (options_.axes_of && source->arg_count <= 16) {
    range.tests = range_tests(maker_, (*options_.axes_of)(source->name), source->args());
    open = 0;
    for (std::size_t k = 0; k < range.tests.size(); ++k) {
      const Expr test = range.tests[k];
      std::vector<LinearFact> facts = facts_of(test, true);
      check(facts.size() < 2, "one fact in a comparison");
      range.facts.push_back(facts.empty() ? LinearFact{{{test, 1}}, 0} : std::move(facts[0]));
      const bool always = (is_const(test) && test->scalar().as_bool()) ||
                          (range.facts[k].terms.empty() && range.facts[k].constant >= 0);
      if (!always) open |= std::uint64_t{1} << k;
    }
  }
  if (shared) open |= kUnknownRange;  // no test answers for it
  if (open == 0) return;
  node.range = static_cast<std::uint32_t>(ranges_.size());
  ranges_.push_back(std::move(range));
  node.risks = intern({{n, open}});
}

std::uint32_t ExprGraph::intern(Risks risks) {
  if (risks.empty()) return 0;
  if (risks.size() > kMostRisks) return kTooMany;
  risks_.push_back(std::move(risks));
  return static_cast<std::uint32_t>(risks_.size() - 1);
}

ExprGraph::Risks ExprGraph::protect(std::uint32_t risks, Literal condition) const {
  std::vector<LinearFact> facts;
  for (const Literal& part : split(condition))
    for (LinearFact& fact : facts_of(part.test, part.holds)) facts.push_back(std::move(fact));
  Risks left;
  for (Risk risk : risks_[risks]) {
    const std::vector<LinearFact>& asked = range(risk.read).facts;
    for (std::size_t k = 0; k < asked.size(); ++k)
      for (const LinearFact& fact : facts)
        if (implies(fact, asked[k])) risk.open &= ~(std::uint64_t{1} << k);
    if (risk.open != 0) left.push_back(risk);
  }
  return left;
}

void ExprGraph::find_risks(std::uint32_t n) {
  const auto below = operands(n);
  std::uint32_t only = nodes_[n].risks;  // a set that is all there is
  bool several = false;
  for (std::uint32_t o : below) {
    const std::uint32_t risks = nodes_[o].risks;
    if (risks == 0 || risks == only) continue;
    several = several || only != 0;
    only = risks;
    if (risks == kTooMany) {
      nodes_[n].risks = kTooMany;
      return;
    }
  }
  if (only == 0) return;
  if (!several && !nodes_[n].lazy) {
    nodes_[n].risks = only;
    return;
  }
  Risks all = risks_[nodes_[n].risks];
  const auto merge = [&](const Risks& more) {
    for (const Risk& risk : more)
      if (std::find(all.begin(), all.end(), risk) == all.end()) all.push_back(risk);
  };
  for (std::size_t k = 0; k < below.size(); ++k) {
    if (!nodes_[n].lazy || k == 0) {
      merge(risks_[nodes_[below[k]].risks]);
    } else {
      const Expr condition = nodes_[below[0]].expr;
      merge(protect(nodes_[below[k]].risks, literal_of(condition, k == 1)));
    }
  }
  nodes_[n].risks = intern(std::move(all));
}

}  // namespace lathe::lower
