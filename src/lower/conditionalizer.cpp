// SPDX-License-Identifier: Apache-2.0
#include "lower/conditionalizer.h"

#include <algorithm>
#include <unordered_map>

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

void Conditionalizer::add_use(std::uint32_t n, Use use) {
  Context& common = common_[n];
  common = common == kNone ? use.context : contexts_.common(common, use.context);
  if (exprs_[n].risks != 0)
    uses_[n].push_back(use);
  else if (exprs_[n].reads)
    join(uses_[n], use);
}

// One evaluation for two uses, where their common prefix keeps within the home of one of them. At
// most one stays for each home.
void Conditionalizer::join(std::vector<Use>& uses, Use use) const {
  for (std::size_t k = 0; k < uses.size();) {
    const Context both = contexts_.common(uses[k].context, use.context);
    Context home = kNone;
    for (Context h : {uses[k].home, use.home})
      if (contexts_.within(both, h) &&
          (home == kNone || contexts_.depth(h) < contexts_.depth(home)))
        home = h;
    if (home == kNone) {
      ++k;
      continue;
    }
    use = {both, home};
    uses.erase(uses.begin() + static_cast<std::ptrdiff_t>(k));
    k = 0;  // it may reach others now
  }
  uses.push_back(use);
}

bool Conditionalizer::enter(Use& at, std::span<const Literal> literals) {
  for (const Literal& literal : literals) {
    const Known known = contexts_.known(at.context, literal);
    if (known == Known::Fails) return false;
    if (known == Known::Holds) continue;
    add_use(exprs_.number(literal.test), at);
    at.context = contexts_.enter(at.context, literal);
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
    const std::span<const Literal> all = task.conditions;
    Use at;
    entered.never =
        !enter_domain(at, all.first(task.domain)) || !enter(at, all.subspan(task.domain));
    entered.context = at.context;
    if (entered.never) continue;
    for (Expr index : task.indices) {
      entered.indices.push_back(exprs_.number(index));
      add_use(entered.indices.back(), at);
    }
    entered.value = exprs_.number(task.value);
    add_use(entered.value, at);
  }
}

// What a test of the domain reads lies inside where the tests before it hold.
bool Conditionalizer::enter_domain(Use& at, std::span<const Literal> literals) {
  for (std::size_t k = 0; k < literals.size(); ++k) {
    if (!enter(at, literals.subspan(k, 1))) return false;
    at.home = at.context;
  }
  return true;
}

// Where an expression is evaluated.
std::vector<Conditionalizer::Use> Conditionalizer::places_of(std::uint32_t n) const {
  if (exprs_[n].risks != 0) return places_of_risky(n);
  if (!exprs_[n].reads) return {{common_[n], kAlways}};
  std::vector<Use> places = uses_[n];
  std::sort(places.begin(), places.end(),
            [](const Use& a, const Use& b) { return a.context < b.context; });
  return places;
}

// The lists under which something must be evaluated that must not be evaluated elsewhere: those of
// its uses, without those that others contain, and with both sides of one test taken together.
std::vector<Conditionalizer::Use> Conditionalizer::places_of_risky(std::uint32_t n) const {
  std::vector<Context> lists;
  std::unordered_map<Context, Context> present;  // with its home: the largest
  const auto add = [&](Use use) {
    const auto [at, is_new] = present.try_emplace(use.context, use.home);
    if (is_new) lists.push_back(use.context);
    if (contexts_.depth(use.home) < contexts_.depth(at->second)) at->second = use.home;
  };
  for (const Use& use : uses_[n]) add(use);
  std::sort(lists.begin(), lists.end());
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const Context opposite = contexts_.opposite(lists[k]);
    if (opposite == kNone || !present.contains(opposite)) continue;
    const Context both = contexts_.parent(lists[k]);
    const Context home = present.at(lists[k]);
    add({both, contexts_.within(both, home) ? home : both});
  }
  std::vector<Use> largest;
  for (Context list : lists) {
    bool contained = false;
    for (Context c = list; c != kAlways && !contained;) {
      c = contexts_.parent(c);
      contained = present.contains(c);
    }
    if (!contained) largest.push_back({list, present.at(list)});
  }
  std::sort(largest.begin(), largest.end(),
            [](const Use& a, const Use& b) { return a.context < b.context; });
  return largest;
}

void Conditionalizer::visit(std::uint32_t n, const Conditionalizer* trial) {
  if (common_[n] == kNone) return;
  first_node_[n] = static_cast<std::uint32_t>(nodes_.size());
  for (const Use& at : places_of(n)) {
    ++node_count_[n];
    BodyNode node;
    node.number = n;
    node.context = at.context;
    nodes_.push_back(node);
    alias_of_.push_back(kNone);
    if (exprs_[n].lazy) {
      visit_lazy(n, at, trial);
    } else {
      for (std::uint32_t operand : exprs_.operands(n)) add_use(operand, at);
    }
  }
}

void Conditionalizer::decide(std::uint32_t side, Use at) {
  nodes_.back().alias = true;
  alias_of_.back() = side;
  add_use(side, at);
}

void Conditionalizer::visit_lazy(std::uint32_t n, Use at, const Conditionalizer* trial) {
  const auto operands = exprs_.operands(n);
  const std::uint32_t condition = operands[0], yes = operands[1], no = operands[2];
  const Literal literal = literal_of(exprs_[condition].expr);
  const Known known = contexts_.known(at.context, literal);
  if (known != Known::No) return decide(known == Known::Holds ? yes : no, at);
  const bool needed = exprs_[yes].risks != 0 || exprs_[no].risks != 0;
  if (!needed && trial && (contexts_.depth(at.context) >= kDeepest || !trial->worth_a_branch(n))) {
    for (std::uint8_t k : lazy_operands(exprs_[n].expr->op)) add_use(operands[k], at);
    return;
  }
  // A side that is nothing but a number is the initial value. Then the condition may fall apart
  // into several tests; with two sides it stays one, so that they are the two sides of one `if`.
  Sides sides;
  const Literal negative{literal.test, !literal.holds};
  Use side = at;
  if ((exprs_[no].free || exprs_[yes].free) &&
      enter(side, in_order(exprs_[no].free ? literal : negative)) && side.context != at.context) {
    (exprs_[no].free ? sides.yes : sides.no) = side.context;
  } else {
    add_use(exprs_.number(literal.test), at);
    sides.yes = contexts_.enter(at.context, literal);
    sides.no = contexts_.enter(at.context, negative);
  }
  add_use(yes, {sides.yes == kNone ? at.context : sides.yes, at.home});
  add_use(no, {sides.no == kNone ? at.context : sides.no, at.home});
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
