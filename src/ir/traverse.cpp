// SPDX-License-Identifier: Apache-2.0
#include "ir/traverse.h"

#include <algorithm>

#include "ir/node_set.h"

namespace lathe::ir {
namespace {

// The names that a node binds in some of its operands: only Reduce does, in everything after the
// lower and upper bound of that variable.
bool binds(Expr e, Symbol v) {
  if (e->op != Op::Reduce) return false;
  const auto& variables = e->reduce().variables;
  return std::find(variables.begin(), variables.end(), v) != variables.end();
}

void sort_by_name(std::vector<Symbol>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

std::vector<Expr> post_order(std::span<const Expr> roots) {
  std::vector<Expr> order;
  NodeSet seen;
  struct Visit {
    Expr node;
    std::uint32_t next;
  };
  std::vector<Visit> stack;
  for (Expr root : roots) {
    if (!seen.insert(root)) continue;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next == top.node->arg_count) {
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      const Expr child = top.node->arg(top.next++);
      if (seen.insert(child)) stack.push_back({child, 0});
    }
  }
  return order;
}

std::size_t dag_size(std::span<const Expr> roots) { return post_order(roots).size(); }

Expr rewrite(Maker& maker, Expr root, Replacement leaf, std::unordered_map<Expr, Expr>* memo) {
  std::unordered_map<Expr, Expr> own;
  std::unordered_map<Expr, Expr>& done = memo ? *memo : own;
  std::vector<std::pair<Expr, bool>> stack = {{root, false}};
  std::vector<Expr> args;
  while (!stack.empty()) {
    auto [e, ready] = stack.back();
    stack.pop_back();
    if (!ready) {
      if (done.contains(e)) continue;
      if (const Expr replaced = leaf(e)) {
        done[e] = replaced;
        continue;
      }
      stack.push_back({e, true});
      for (std::size_t i = e->arg_count; i-- > 0;) stack.push_back({e->arg(i), false});
      continue;
    }
    args.clear();
    for (Expr a : e->args()) args.push_back(done.at(a));
    // Untouched nodes are made again too: a simplifying maker may have a rule for them.
    done[e] = args.empty() ? e : maker.remake(e, args);
  }
  return done.at(root);
}

std::vector<Symbol> free_variables(Expr e) {
  std::vector<Symbol> found;
  if (e->variables == 0) return found;
  if (!e->has_reduce) {
    for (Expr n : post_order(e))
      if (n->op == Op::Index) found.push_back(n->name);
    sort_by_name(found);
    return found;
  }
  // Bound names are unique within the scope they are bound in, so a name that is bound somewhere
  // and free elsewhere in one expression is found by walking per Reduce.
  std::unordered_map<Expr, std::vector<Symbol>> free;
  for (Expr n : post_order(e)) {
    std::vector<Symbol> here;
    if (n->op == Op::Index) here.push_back(n->name);
    if (n->op == Op::Reduce) {
      const view::Reduce r(n);
      // A bound of variable k may use variables before it.
      for (std::size_t k = 0; k < n->arg_count; ++k) {
        const std::size_t bound_before = std::min(k / 2, r.info.variables.size());
        for (Symbol s : free[n->arg(k)]) {
          const auto end = r.info.variables.begin() + static_cast<std::ptrdiff_t>(bound_before);
          if (std::find(r.info.variables.begin(), end, s) == end) here.push_back(s);
        }
      }
    } else {
      for (Expr a : n->args()) {
        const auto& below = free[a];
        here.insert(here.end(), below.begin(), below.end());
      }
    }
    sort_by_name(here);
    if (n == e) found = here;
    free[n] = std::move(here);
  }
  return found;
}

bool mentions(Expr e, Symbol variable) {
  if (!may_mention(e, variable)) return false;
  const auto free = free_variables(e);
  return std::find(free.begin(), free.end(), variable) != free.end();
}

Expr rename(Maker& maker, Expr e, const Renaming& renaming) {
  std::vector<Symbol> incoming;  // variables that replacements bring along
  for (const auto& [from, to] : renaming) {
    const auto free = free_variables(to);
    incoming.insert(incoming.end(), free.begin(), free.end());
  }
  const auto replace = [&](Expr n) -> Expr {
    if (n->op == Op::Index) {
      for (const auto& [from, to] : renaming)
        if (n->name == from) return to;
      return nullptr;
    }
    if (n->op != Op::Reduce) return nullptr;
    // A Reduce that binds a renamed or an incoming name gets fresh variables first.
    ReduceInfo info = n->reduce();
    Renaming inner;
    for (const auto& [from, to] : renaming)
      if (!binds(n, from)) inner.push_back({from, to});
    bool clash = inner.size() != renaming.size();
    for (Symbol& v : info.variables) {
      if (std::find(incoming.begin(), incoming.end(), v) == incoming.end()) continue;
      const Symbol fresh = maker.graph().fresh_symbol(v.text());
      inner.push_back({v, maker.graph().index(fresh)});
      v = fresh;
      clash = true;
    }
    if (!clash) return nullptr;
    std::vector<Expr> args;
    for (std::size_t k = 0; k < n->arg_count; ++k) args.push_back(rename(maker, n->arg(k), inner));
    return maker.graph().reduce(info, args, n->dtype);
  };
  return rewrite(maker, e, replace);
}

std::vector<Expr> reads(Expr e) {
  std::vector<Expr> found;
  if (e->arrays == 0) return found;
  for (Expr n : post_order(e))
    if (n->op == Op::Read) found.push_back(n);
  return found;
}

std::vector<Symbol> arrays_read(Expr e) {
  std::vector<Symbol> found;
  for (Expr n : reads(e)) found.push_back(n->name);
  sort_by_name(found);
  return found;
}

}  // namespace lathe::ir
