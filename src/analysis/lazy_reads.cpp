// SPDX-License-Identifier: Apache-2.0
// A walk over (node, scope) pairs. A shared node is visited once per scope, so graphs without lazy
// operations take linear time; nests of them are cut at kMaxDepth, where the condition turns
// opaque: "perhaps".

#include "analysis/lazy_reads.h"

#include <algorithm>
#include <map>
#include <set>

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
    scopes_.push_back({scope, 0});
  }

  void run(Expr root, FunctionRef<void(Expr, const Scope&)> f) {
    push(root, 0);
    while (!stack_.empty()) {
      const auto [e, at] = stack_.back();
      stack_.pop_back();
      if (e->op == Op::Read) f(e, scopes_[at].scope);
      if (seen_.size() > kMaxVisits) break;
      visit(e, at);
    }
    if (stack_.empty()) return;
    std::vector<Expr> left;
    for (const auto& [e, at] : stack_) left.push_back(e);
    // Their variables may be bound by reductions that were not entered: nothing is known of them.
    Scope anywhere = scopes_[0].scope;
    anywhere.set = perhaps();
    for (const Expr e : ir::post_order(left))
      if (e->op == Op::Read) f(e, anywhere);
  }

 private:
  struct Entry {
    Scope scope;
    int depth;
  };

  void push(Expr e, std::size_t scope) {
    if (e != nullptr && seen_.insert({e->id, scope}).second) stack_.push_back({e, scope});
  }

  std::size_t narrow(std::size_t at, const SetExpr& condition) {
    if (condition.kind() == SetExpr::Kind::Universe) return at;
    return enter(at, condition.key(), [&](const Scope& s) { return inside(s, condition); });
  }
  std::size_t narrow(std::size_t at, const ir::Range& range) {
    const SetExpr set = to_set(range);
    return enter(at, std::string(range.variable.text()) + " " + set.key(),
                 [&](const Scope& s) { return inside(s, range); });
  }
  template <class F>
  std::size_t enter(std::size_t at, const std::string& key, F&& make) {
    const auto known = children_.find({at, key});
    if (known != children_.end()) return known->second;
    Entry entry{make(scopes_[at].scope), scopes_[at].depth + 1};
    if (entry.depth > kMaxDepth || scopes_.size() > kMaxScopes) {
      const auto [cut, fresh] = children_.try_emplace({0, "perhaps"}, scopes_.size());
      if (fresh) {
        Scope unknown = scopes_[0].scope;
        unknown.set = perhaps();
        scopes_.push_back({std::move(unknown), kMaxDepth});
      }
      return cut->second;
    }
    children_.emplace(std::pair(at, key), scopes_.size());
    scopes_.push_back(std::move(entry));
    return scopes_.size() - 1;
  }

  void visit(Expr e, std::size_t at) {
    switch (e->op) {
      case Op::Select: {
        const ir::view::Select v(e);
        const SetExpr cond = to_set(v.cond, &program_);
        push(v.cond, at);
        push(v.yes, narrow(at, cond));
        push(v.no, narrow(at, complement(cond)));
        return;
      }
      case Op::Gate: {
        const ir::view::Gate v(e);
        push(v.cond, at);
        push(v.x, narrow(at, to_set(v.cond, &program_)));
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
          inner = narrow(inner, to_set(v.guard, &program_));
        }
        for (const Expr x : v.values) push(x, inner);
        return;
      }
      case Op::Read: {
        const ir::view::Read v(e);
        for (const Expr x : v.indices) push(x, at);
        if (v.fill != nullptr) push(v.fill, narrow(at, perhaps()));
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
      push(e, narrow(at, before));
    }
  }
  static std::size_t condition_count(const SetExpr& s) {
    std::size_t count = 1;
    for (const SetExpr& part : s.parts()) count += condition_count(part);
    return count;
  }

  const ir::Program& program_;
  std::vector<Entry> scopes_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> children_;
  std::set<std::pair<std::uint32_t, std::size_t>> seen_;
  std::vector<std::pair<Expr, std::size_t>> stack_;
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
