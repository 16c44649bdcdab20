// SPDX-License-Identifier: Apache-2.0
// A walk over (node, scope) pairs, outer scopes first: what is evaluated at all points of a scope
// is not looked at again inside of it. So graphs without lazy operations take linear time, and so
// do chains of selects whose conditions look at what they choose from; what a condition says is
// found out where a read needs it. Nests are cut at kMaxDepth, where the condition turns opaque:
// "perhaps".

#include "analysis/lazy_reads.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "ir/traverse.h"

namespace lathe::analysis {
namespace {

using ir::Expr;
using ir::Op;
using ir::SetExpr;

constexpr std::size_t kMaxVisits = 200'000, kMaxScopes = 5'000;
constexpr int kMaxDepth = 40;
constexpr std::size_t kMaxTerms = 200, kMaxConditions = 4'000;  // of one chain of `and` or `or`

SetExpr perhaps() { return SetExpr::opaque("perhaps", {}); }

class LazyWalk {
 public:
  LazyWalk(const ir::Program& program, const Scope& scope) : program_(program) {
    scopes_.push_back({scope, {}, 0, 0});
  }

  void run(Expr root, FunctionRef<void(Expr, const Scope&)> f) {
    push(root, 0);
    while (!waiting_.empty()) {
      const auto first = waiting_.begin();
      const std::size_t at = first->first;
      const Expr e = first->second.back();
      first->second.pop_back();
      if (first->second.empty()) waiting_.erase(first);
      if (is_seen_around(e, at)) continue;
      if (e->op == Op::Read) f(e, scope_of(at));
      if (seen_.size() > kMaxVisits) break;
      visit(e, at);
    }
    if (waiting_.empty()) return;
    std::vector<Expr> left;
    for (const auto& [at, nodes] : waiting_) left.insert(left.end(), nodes.begin(), nodes.end());
    // Their variables may be bound by reductions that were not entered: nothing is known of them.
    Scope anywhere = scope_of(0);
    anywhere.set = perhaps();
    for (const Expr e : ir::post_order(left))
      if (e->op == Op::Read) f(e, anywhere);
  }

 private:
  struct Entry {
    std::optional<Scope> scope;
    std::function<Scope(const Scope&)> make;  // of the scope around
    int depth;
    std::size_t around;  // its own number: there is none
  };

  void push(Expr e, std::size_t scope) {
    if (e != nullptr && seen_.insert({e->id, scope}).second) waiting_[scope].push_back(e);
  }

  // Those of the scopes around a scope have been visited before it: their numbers are lower.
  bool is_seen_around(Expr e, std::size_t at) const {
    for (; scopes_[at].around != at; at = scopes_[at].around)
      if (seen_.contains({e->id, scopes_[at].around})) return true;
    return false;
  }

  const Scope& scope_of(std::size_t at) {
    if (!scopes_[at].scope) {
      Scope made = scopes_[at].make(scope_of(scopes_[at].around));
      scopes_[at].scope = std::move(made);
    }
    return *scopes_[at].scope;
  }

  // Where the condition holds, or where it does not.
  std::size_t narrow(std::size_t at, Expr condition, bool holds = true) {
    return enter(at, {condition, nullptr, {}, holds ? 1u : 0u},
                 [this, condition, holds](const Scope& s) {
                   const SetExpr set = to_set(condition, &program_);
                   return inside(s, holds ? set : complement(set));
                 });
  }
  std::size_t narrow(std::size_t at, const ir::Range& range) {
    return enter(at, {range.lo, range.hi, range.variable, 0},
                 [range](const Scope& s) { return inside(s, range); });
  }
  // Where the first `terms` terms of a chain hold, or do not.
  std::size_t narrow(std::size_t at, Expr chain, std::size_t terms, SetExpr set) {
    return enter(at, {chain, chain, {}, terms},
                 [set = std::move(set)](const Scope& s) { return inside(s, set); });
  }
  std::size_t perhaps_inside(std::size_t at) {
    return enter(at, {}, [](const Scope& s) { return inside(s, perhaps()); });
  }

  // What tells the scopes inside of one apart.
  using Key = std::tuple<Expr, Expr, Symbol, std::size_t>;
  template <class F>
  std::size_t enter(std::size_t at, const Key& key, F&& make) {
    const auto known = children_.find({at, key});
    if (known != children_.end()) return known->second;
    const int depth = scopes_[at].depth + 1;
    if (depth > kMaxDepth || scopes_.size() > kMaxScopes) return unknown();
    children_.emplace(std::pair(at, key), scopes_.size());
    scopes_.push_back({{}, std::forward<F>(make), depth, at});
    return scopes_.size() - 1;
  }
  std::size_t unknown() {
    if (unknown_ == 0) {
      unknown_ = scopes_.size();
      Scope set = scope_of(0);
      set.set = perhaps();
      scopes_.push_back({std::move(set), {}, kMaxDepth, 0});
    }
    return unknown_;
  }

  void visit(Expr e, std::size_t at) {
    switch (e->op) {
      case Op::Select: {
        const ir::view::Select v(e);
        push(v.cond, at);
        push(v.yes, narrow(at, v.cond));
        push(v.no, narrow(at, v.cond, false));
        return;
      }
      case Op::Gate: {
        const ir::view::Gate v(e);
        push(v.cond, at);
        push(v.x, narrow(at, v.cond));
        return;
      }
      case Op::And:
      case Op::Or: return visit_chain(e, at);
      case Op::Reduce: {
        const ir::view::Reduce v(e);
        std::size_t inner = at;
        for (std::size_t k = 0; k < v.info.variables.size(); ++k) {
          push(v.lo(k), inner);
          push(v.hi(k), inner);
          inner = narrow(inner, ir::Range{v.info.variables[k], v.lo(k), v.hi(k)});
        }
        if (v.guard != nullptr) {
          push(v.guard, inner);
          inner = narrow(inner, v.guard);
        }
        for (const Expr x : v.values) push(x, inner);
        return;
      }
      case Op::Read: {
        const ir::view::Read v(e);
        for (const Expr x : v.indices) push(x, at);
        if (v.fill != nullptr) push(v.fill, perhaps_inside(at));
        return;
      }
      default:
        for (const Expr x : e->args()) push(x, at);
    }
  }

  // a and b and c: b is evaluated where a holds, c where both do. The sets of such prefixes grow
  // term by term; past kMaxTerms nothing is known, as to_set has it.
  void visit_chain(Expr last, std::size_t at) {
    std::vector<Expr> terms;
    Expr e = last;
    for (; e->op == last->op; e = ir::view::Binary(e).left)
      terms.push_back(ir::view::Binary(e).right);
    push(e, at);
    SetExpr before = SetExpr::universe();
    std::size_t conditions = 0;
    for (std::size_t k = terms.size(); k-- > 0;) {
      if (conditions <= kMaxConditions) {
        const SetExpr holds = to_set(e, &program_);
        conditions += condition_count(holds);
        if (terms.size() - k > kMaxTerms) conditions = kMaxConditions + 1;
        before =
            conditions > kMaxConditions
                ? perhaps()
                : SetExpr::intersection({before, last->op == Op::And ? holds : complement(holds)});
      }
      e = terms[k];
      push(e, narrow(at, last, k, before));
    }
  }
  static std::size_t condition_count(const SetExpr& s) {
    std::size_t count = 1;
    for (const SetExpr& part : s.parts()) count += condition_count(part);
    return count;
  }

  const ir::Program& program_;
  std::vector<Entry> scopes_;
  std::map<std::pair<std::size_t, Key>, std::size_t> children_;
  std::size_t unknown_ = 0;  // the scope past the limits, once there is one
  std::set<std::pair<std::uint32_t, std::size_t>> seen_;
  std::map<std::size_t, std::vector<Expr>> waiting_;  // by scope
};

}  // namespace

Scope inside(const Scope& scope, const SetExpr& condition) {
  Scope inner = scope;
  inner.set = SetExpr::intersection({scope.set, condition});
  return inner;
}

Scope inside(const Scope& scope, const ir::Range& range) {
  Scope inner = inside(scope, to_set(range));
  const std::string name(range.variable.text());
  if (std::find(inner.variables.begin(), inner.variables.end(), name) == inner.variables.end())
    inner.variables.push_back(name);
  return inner;
}

void for_each_read(const ir::Program& program, Expr root, const Scope& scope,
                   FunctionRef<void(Expr, const Scope&)> f) {
  if (root != nullptr) LazyWalk(program, scope).run(root, f);
}

}  // namespace lathe::analysis
