// SPDX-License-Identifier: Apache-2.0
// Which nodes are stored. A node that costs something - a reduction, a scan, a gather, and for
// eval() an elementary function of data - is stored when more than one node reads it, or when it
// is read inside a loop that it does not depend on: written into its readers it would be computed
// again and again. What only moves indices (views, casts) is looked through: the array behind it
// is stored. A product of matrices under a sum is stored, too: the loops of a product have an order
// of their own, which is many times as fast as one sum inside of another. So is what a dozen
// operations make and others read through different views, as the steps of a loop over time do, and
// what a dozen operations make and several statements hold: the state of a recurrent network would
// hold all states before it. Whether it is computed again after all is for the schedule to decide.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frontend/array/contraction.h"
#include "frontend/array/lower.h"

namespace lathe::array {
namespace {

constexpr std::size_t kLargestExpression = 300;  // operations written into one statement
constexpr std::size_t kLargestApart = 12;        // the same, of what is read at several places
constexpr std::size_t kFewStatements = 2;        // that may hold the same expression

bool is_leaf(const Node& n, const NodeSet& leaves) {
  return n.kind == Kind::Input || n.kind == Kind::Data || leaves.count(&n) > 0;
}
bool only_moves(const Node& n) {
  return n.kind == Kind::View || n.kind == Kind::Cast || n.kind == Kind::Reshape ||
         n.kind == Kind::Roll;
}

struct Facts {
  std::size_t readers = 0;
  std::size_t moved = 0;    // of them, those that only move indices
  bool spread = false;      // read in a loop that it does not depend on
  bool wanted = false;      // somebody can only read whole arrays
  bool summed = false;      // is part of what a sum adds up
  bool heavy = false;       // holds a reduction, scan or gather that is not stored
  bool elementary = false;  // holds an elementary function of data that is not stored
  bool of_data = false;
  bool is_array = false;  // a leaf, or stored
};

// Would more operations than that be written into the statement of this node? What is read through
// other views is written again.
bool is_larger(const Node& root, std::size_t most,
               const std::unordered_map<const Node*, Facts>& facts) {
  using Step = std::pair<const Node*, std::size_t>;  // a node, and the views that lead to it
  std::map<Step, std::size_t> views;
  std::set<Step> seen{{&root, 0}};
  std::vector<Step> open{{&root, 0}};
  while (!open.empty()) {
    const auto [n, way] = open.back();
    open.pop_back();
    const std::size_t inside =
        only_moves(*n) ? views.try_emplace({n, way}, views.size() + 1).first->second : way;
    for (const NodeRef& o : n->operands) {
      if (facts.at(o.get()).is_array || !seen.insert({o.get(), inside}).second) continue;
      if (seen.size() > most) return true;
      open.emplace_back(o.get(), inside);
    }
  }
  return false;
}

// Does `reader` have loops that operand number `o` does not depend on?
bool reads_again(const Node& reader, std::size_t o, const Sizes& sizes) {
  const Node& x = *reader.operands[o];
  switch (reader.kind) {
    case Kind::Map: {
      for (std::size_t a = 0; a < reader.rank(); ++a) {
        const Dim d = sizes.settled(reader.shape[a]);
        if (d.is(1)) continue;
        if (a + x.rank() < reader.rank()) return true;
        if (!(sizes.settled(x.shape[a + x.rank() - reader.rank()]) == d)) return true;
      }
      return false;
    }
    case Kind::View: {
      for (std::size_t a = 0; a < reader.rank(); ++a) {
        if (sizes.settled(reader.shape[a]).is(1)) continue;
        bool used = false;
        for (std::size_t i = 1; i < reader.ints.size(); i += 2)
          used = used || reader.ints[i] == static_cast<std::int64_t>(a);
        if (!used) return true;
      }
      return false;
    }
    case Kind::Contract: {
      const auto has = [&](std::int64_t label) {
        return !all_factor_axes(reader, [&](std::int64_t l, std::size_t factor, std::size_t) {
          return factor != o || l != label;
        });
      };
      return !all_factor_axes(reader,
                              [&](std::int64_t l, std::size_t, std::size_t) { return has(l); });
    }
    default: return false;
  }
}

// Lengths of the axes that a contraction sums over, long ones: those up to 16 are unrolled.
bool sums_far(const Node& n) {
  if (n.kind != Kind::Contract || n.rank() == 0) return false;
  return !all_factor_axes(n, [&](std::int64_t l, std::size_t factor, std::size_t axis) {
    return is_kept(n, l) || n.operands[factor]->shape[axis].is_constant();
  });
}

bool needs_whole(const Node& reader, std::size_t o) {
  return (reader.kind == Kind::Gather && o == 0) || reader.kind == Kind::Call ||
         reader.kind == Kind::Positions;
}

bool is_elementary(const Node& n) {
  return n.kind == Kind::Map && (ir::info(n.op).traits & ir::kElementary) != 0;
}

// How many of the stored nodes' statements hold a node that is not stored itself.
std::unordered_map<const Node*, std::size_t> statements_with(
    const StoragePlan& plan, const std::unordered_map<const Node*, Facts>& facts,
    const NodeSet& leaves) {
  std::unordered_map<const Node*, std::size_t> count;
  std::unordered_map<const Node*, const Node*> last;  // the statement that counted it
  std::vector<const Node*> open;
  for (const auto& [root, reason] : plan.stored) {
    if (is_leaf(*root, leaves)) continue;
    open.push_back(root);
    while (!open.empty()) {
      const Node* n = open.back();
      open.pop_back();
      for (const NodeRef& o : n->operands) {
        if (facts.at(o.get()).is_array) continue;
        const auto [seen, is_new] = last.try_emplace(o.get(), root);
        if (!is_new && std::exchange(seen->second, root) == root) continue;
        ++count[o.get()];
        open.push_back(o.get());
      }
    }
  }
  return count;
}

// Stores what is large and in several statements.
void store_shared(const std::vector<const Node*>& order, const NodeSet& leaves,
                  std::unordered_map<const Node*, Facts>& facts, StoragePlan& plan) {
  const std::unordered_map<const Node*, std::size_t> statements =
      statements_with(plan, facts, leaves);
  std::unordered_map<const Node*, std::string> reasons(plan.stored.begin(), plan.stored.end());
  for (const Node* n : order) {
    const auto found = statements.find(n);
    if (found == statements.end() || found->second <= kFewStatements) continue;
    if (n->kind != Kind::Map || n->rank() == 0 || facts.at(n).readers < 2) continue;
    if (!is_larger(*n, kLargestApart, facts)) continue;
    facts.at(n).is_array = true;
    reasons.emplace(n, "it is part of " + std::to_string(found->second) + " others");
  }
  if (reasons.size() == plan.stored.size()) return;
  plan.stored.clear();
  for (const Node* n : order)
    if (const auto reason = reasons.find(n); reason != reasons.end())
      plan.stored.emplace_back(n, reason->second);
}

}  // namespace

std::vector<const Node*> in_order(const Nodes& outputs, const NodeSet& leaves) {
  std::vector<const Node*> out;
  std::unordered_map<const Node*, std::size_t> next;  // operand to look at; done: all of them
  std::vector<const Node*> open;
  for (const NodeRef& root : outputs) {
    if (next.emplace(root.get(), 0).second) open.push_back(root.get());
    while (!open.empty()) {
      const Node* n = open.back();
      std::size_t& at = next[n];
      const bool closed = leaves.count(n) > 0 || at >= n->operands.size();
      if (closed) {
        out.push_back(n);
        open.pop_back();
        continue;
      }
      const Node* operand = n->operands[at++].get();
      if (next.emplace(operand, 0).second) open.push_back(operand);
    }
  }
  return out;
}

StoragePlan plan_storage(const std::vector<const Node*>& order, const Nodes& outputs,
                         const Sizes& sizes, const NodeSet& leaves, Storing storing) {
  std::unordered_map<const Node*, Facts> facts;
  for (const Node* n : order) {
    if (is_leaf(*n, leaves)) continue;
    for (std::size_t o = 0; o < n->operands.size(); ++o) {
      Facts& f = facts[n->operands[o].get()];
      ++f.readers;
      f.moved += only_moves(*n);
      f.spread = f.spread || reads_again(*n, o, sizes);
      f.wanted = f.wanted || needs_whole(*n, o);
    }
  }
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Node& n = **it;
    if (is_leaf(n, leaves)) continue;
    const bool sums = n.kind == Kind::Reduce || n.kind == Kind::Contract;
    const bool passes_on = (n.kind == Kind::Map || only_moves(n)) && facts[&n].summed;
    for (const NodeRef& o : n.operands)
      if (sums || passes_on) facts[o.get()].summed = true;
  }
  // What reads a view again reads what is behind it again.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Node& n = **it;
    if (!only_moves(n) || is_leaf(n, leaves)) continue;
    const Facts f = facts[&n];
    Facts& behind = facts[n.operands[0].get()];
    behind.spread = behind.spread || f.spread;
    if (f.readers > 1) behind.readers += f.readers - 1;
  }
  StoragePlan plan;
  auto is_output = [&](const Node* n) {
    return std::any_of(outputs.begin(), outputs.end(),
                       [n](const NodeRef& o) { return o.get() == n; });
  };
  for (const Node* n : order) {
    Facts& f = facts[n];
    if (is_leaf(*n, leaves)) {
      f.of_data = f.is_array = true;
      if (is_output(n)) plan.stored.emplace_back(n, "it is a result");
      continue;
    }
    f.heavy = n->kind == Kind::Reduce || n->kind == Kind::Contract || n->kind == Kind::Gather;
    if (n->kind == Kind::Contract && n->rank() > 0)  // a product without a sum is elementwise
      f.heavy = !all_factor_axes(
          *n, [&](std::int64_t l, std::size_t, std::size_t) { return is_kept(*n, l); });
    for (const NodeRef& o : n->operands) {
      const Facts& g = facts[o.get()];
      f.of_data = f.of_data || g.of_data;
      f.heavy = f.heavy || g.heavy;
      f.elementary = f.elementary || g.elementary;
    }
    f.elementary = f.elementary || (is_elementary(*n) && f.of_data);
    std::string reason;
    const bool costs = (f.heavy && storing != Storing::PinsOnly) ||
                       (f.elementary && storing == Storing::Everything);
    if (is_output(n)) {
      reason = "it is a result";
    } else if (n->pin == Pin::Cse) {
      reason = "pin_cse() asks for it";
    } else if (n->kind == Kind::Scan || n->kind == Kind::Scatter || n->kind == Kind::Call) {
      reason = "it is computed as a whole";
    } else if (f.wanted) {
      reason = "it is read as a whole";
    } else if (only_moves(*n) || n->rank() == 0) {
      // A number is kept by the loop that needs it, unless it costs a loop itself.
      if (!only_moves(*n) && costs && f.heavy && (f.readers > 1 || f.spread))
        reason = f.spread ? "it is read in a loop that it does not depend on"
                          : "it is read by " + std::to_string(f.readers) + " others";
    } else if (costs && f.spread) {
      reason = "it is read in a loop that it does not depend on";
    } else if (costs && f.readers > 1) {
      reason = "it is read by " + std::to_string(f.readers) + " others";
    } else if (storing == Storing::Everything && f.summed && sums_far(*n)) {
      reason = "it is a product that is summed";
    } else if (storing == Storing::Everything && is_larger(*n, kLargestExpression, facts)) {
      reason = "the expression is large";
    } else if (storing == Storing::Everything && f.moved > 0 && f.readers > 1 &&
               is_larger(*n, kLargestApart, facts)) {
      reason = "it is read at several places";
    }
    if (reason.empty()) continue;
    plan.stored.emplace_back(n, reason);
    f.heavy = f.elementary = false;
    f.of_data = f.is_array = true;
  }
  if (storing == Storing::Everything) store_shared(order, leaves, facts, plan);
  return plan;
}

}  // namespace lathe::array
