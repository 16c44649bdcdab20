// SPDX-License-Identifier: Apache-2.0
#include "lower/conditionalizer.h"

#include <algorithm>
#include <unordered_set>

#include "base/diagnostics.h"

namespace lathe::lower {
namespace {

constexpr std::uint32_t kDeepest = 48;  // conditions, for branches that nobody has to have

}  // namespace

void Conditionalizer::run(const Conditionalizer* trial) {
  common_.assign(exprs_.size(), kNone);
  uses_.resize(exprs_.size());
  first_node_.assign(exprs_.size(), 0);
  node_count_.assign(exprs_.size(), 0);
  sides_.resize(exprs_.size());
  enter_tasks();
  for (auto n = static_cast<std::uint32_t>(exprs_.size()); n-- > 0;) visit(n, trial);
  sum_weights();
}

void Conditionalizer::add_use(std::uint32_t n, Context context) {
  Context& common = common_[n];
  common = common == kNone ? context : contexts_.common(common, context);
  if (exprs_[n].risks != 0) uses_[n].push_back(context);
}

bool Conditionalizer::enter(Context& context, const std::vector<Literal>& literals) {
  for (const Literal& literal : literals) {
    const Known known = contexts_.known(context, literal);
    if (known == Known::Fails) return false;
    if (known == Known::Holds) continue;
    add_use(exprs_.number(literal.test), context);
    context = contexts_.enter(context, literal);
  }
  return true;
}

std::vector<Literal> Conditionalizer::in_order(Literal literal) const {
  std::vector<Literal> parts = split(literal);
  put_bounds_first(parts, [&](Expr test) { return exprs_[exprs_.number(test)].risks != 0; });
  return parts;
}

void Conditionalizer::enter_tasks() {
  for (const OrderedTask& task : memory_.tasks()) {
    BodyTask& entered = tasks_.emplace_back();
    entered.never = !enter(entered.context, task.conditions);
    if (entered.never) continue;
    for (Expr index : task.indices) {
      entered.indices.push_back(exprs_.number(index));
      add_use(entered.indices.back(), entered.context);
    }
    entered.value = exprs_.number(task.value);
    add_use(entered.value, entered.context);
  }
}

// The lists under which something must be evaluated that must not be evaluated elsewhere: those of
// its uses, without those that others contain, and with both sides of one test taken together.
std::vector<Context> Conditionalizer::contexts_of_uses(std::uint32_t n) const {
  if (exprs_[n].risks == 0) return {common_[n]};
  std::vector<Context> lists = uses_[n];
  std::sort(lists.begin(), lists.end());
  lists.erase(std::unique(lists.begin(), lists.end()), lists.end());
  std::unordered_set<Context> present(lists.begin(), lists.end());
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const Context opposite = contexts_.opposite(lists[k]);
    if (opposite == kNone || !present.contains(opposite)) continue;
    const Context both = contexts_.parent(lists[k]);
    if (present.insert(both).second) lists.push_back(both);
  }
  std::vector<Context> largest;
  for (Context list : lists) {
    bool contained = false;
    for (Context c = list; c != kAlways && !contained;) {
      c = contexts_.parent(c);
      contained = present.contains(c);
    }
    if (!contained) largest.push_back(list);
  }
  std::sort(largest.begin(), largest.end());
  return largest;
}

void Conditionalizer::visit(std::uint32_t n, const Conditionalizer* trial) {
  if (common_[n] == kNone) return;
  first_node_[n] = static_cast<std::uint32_t>(nodes_.size());
  for (const Context context : contexts_of_uses(n)) {
    ++node_count_[n];
    BodyNode node;
    node.number = n;
    node.context = context;
    nodes_.push_back(node);
    alias_of_.push_back(kNone);
    if (exprs_[n].lazy) {
      visit_lazy(n, context, trial);
    } else {
      for (std::uint32_t operand : exprs_.operands(n)) add_use(operand, context);
    }
  }
}

void Conditionalizer::decide(std::uint32_t side, Context context) {
  nodes_.back().alias = true;
  alias_of_.back() = side;
  add_use(side, context);
}

void Conditionalizer::visit_lazy(std::uint32_t n, Context context, const Conditionalizer* trial) {
  const auto operands = exprs_.operands(n);
  const std::uint32_t condition = operands[0], yes = operands[1], no = operands[2];
  const Literal literal = literal_of(exprs_[condition].expr);
  const Known known = contexts_.known(context, literal);
  if (known != Known::No) return decide(known == Known::Holds ? yes : no, context);
  const bool needed = exprs_[yes].risks != 0 || exprs_[no].risks != 0;
  if (!needed && trial && (contexts_.depth(context) >= kDeepest || !trial->worth_a_branch(n))) {
    for (std::uint8_t k : lazy_operands(exprs_[n].expr->op)) add_use(operands[k], context);
    return;
  }
  // A side that is nothing but a number is the initial value. Then the condition may fall apart
  // into several tests; with two sides it stays one, so that they are the two sides of one `if`.
  Sides sides;
  const Literal negative{literal.test, !literal.holds};
  Context side = context;
  if ((exprs_[no].free || exprs_[yes].free) &&
      enter(side, in_order(exprs_[no].free ? literal : negative)) && side != context) {
    (exprs_[no].free ? sides.yes : sides.no) = side;
  } else {
    add_use(exprs_.number(literal.test), context);
    sides.yes = contexts_.enter(context, literal);
    sides.no = contexts_.enter(context, negative);
  }
  add_use(yes, sides.yes == kNone ? context : sides.yes);
  add_use(no, sides.no == kNone ? context : sides.no);
  nodes_.back().branch = true;
  nodes_.back().yes = sides.yes;
  nodes_.back().no = sides.no;
  if (node_count_[n] == 1) sides_[n] = sides;
}

void Conditionalizer::sum_weights() {
  weights_.assign(contexts_.size(), 0);
  for (const BodyNode& node : nodes_)
    if (!node.alias) weights_[node.context] += exprs_[node.number].weight;
  for (auto c = static_cast<Context>(weights_.size()); c-- > 1;)
    weights_[contexts_.parent(c)] += weights_[c];
}

bool Conditionalizer::worth_a_branch(std::uint32_t n) const {
  const auto operands = exprs_.operands(n);
  const auto side_is = [&](std::uint32_t value, Context side) {
    return side != kNone && weights_[side] > kWorthABranch && !exprs_[value].free &&
           node_count_[value] > 0 && contexts_.within(nodes_[first_node_[value]].context, side);
  };
  return side_is(operands[1], sides_[n].yes) || side_is(operands[2], sides_[n].no);
}

std::uint32_t Conditionalizer::resolve(std::uint32_t n, Context context) const {
  for (;;) {
    std::uint32_t node = first_node_[n];
    const std::uint32_t end = node + node_count_[n];
    if (node_count_[n] > 1)
      while (node < end && !contexts_.within(context, nodes_[node].context)) ++node;
    check(node < end, "a node for every use");
    if (!nodes_[node].alias) return node;
    n = alias_of_[node];
    context = nodes_[node].context;
  }
}

void Conditionalizer::hand_over(BodyGraph& graph) {
  for (BodyNode& node : nodes_) {
    node.first_operand = static_cast<std::uint32_t>(graph.operands_.size());
    if (!node.alias) {
      const auto operands = exprs_.operands(node.number);
      if (node.branch) {
        const Context yes = node.yes == kNone ? node.context : node.yes;
        const Context no = node.no == kNone ? node.context : node.no;
        graph.operands_.push_back(resolve(operands[1], yes));
        graph.operands_.push_back(resolve(operands[2], no));
      } else if (exprs_[node.number].lazy) {
        for (std::uint8_t k : lazy_operands(exprs_[node.number].expr->op))
          graph.operands_.push_back(resolve(operands[k], node.context));
      } else {
        for (std::uint32_t operand : operands)
          graph.operands_.push_back(resolve(operand, node.context));
      }
    }
    node.operand_count = static_cast<std::uint32_t>(graph.operands_.size()) - node.first_operand;
  }
  for (BodyTask& task : tasks_) {
    if (task.never) continue;
    for (std::uint32_t& index : task.indices) index = resolve(index, task.context);
    task.value = resolve(task.value, task.context);
  }
  graph.tests_.assign(contexts_.size(), kNone);
  for (Context c = 1; c < contexts_.size(); ++c) {
    const std::uint32_t test = exprs_.number(contexts_.literal(c).test);
    if (node_count_[test] > 0) graph.tests_[c] = resolve(test, contexts_.parent(c));
  }
  graph.nodes_ = std::move(nodes_);
  graph.tasks_ = std::move(tasks_);
}

}  // namespace lathe::lower
