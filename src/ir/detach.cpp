// SPDX-License-Identifier: Apache-2.0
#include "ir/detach.h"

#include <unordered_map>

#include "ir/traverse.h"

namespace lathe::ir {
namespace {

class Copier {
 public:
  explicit Copier(Graph& to) : to_(to) {}

  Symbol symbol(Symbol s) { return s ? to_.symbol(s.text()) : Symbol(); }

  Expr expr(Expr root) {
    if (!root) return nullptr;
    if (const auto it = done_.find(root); it != done_.end()) return it->second;
    std::vector<Expr> args;
    for (Expr e : post_order(root)) {
      if (done_.count(e)) continue;
      args.clear();
      for (Expr a : e->args()) args.push_back(done_.at(a));
      done_[e] = node(e, args);
    }
    return done_.at(root);
  }

  void each(std::vector<Expr>& all) {
    for (Expr& e : all) e = expr(e);
  }
  void copy(Range& r) {
    r.variable = symbol(r.variable);
    r.lo = expr(r.lo);
    r.hi = expr(r.hi);
  }
  void copy(Domain& d) {
    for (Range& r : d.ranges) copy(r);
    d.guard = expr(d.guard);
  }
  void copy(Statement& s) {
    s.label = symbol(s.label);
    copy(s.domain);
    for (Target& t : s.targets) {
      t.array = symbol(t.array);
      each(t.indices);
    }
    if (s.accumulate) s.accumulate->combiner = symbol(s.accumulate->combiner);
    each(s.values);
  }
  void copy(Group& g) {
    g.label = symbol(g.label);
    copy(g.domain);
    for (Local& l : g.locals) l.name = symbol(l.name);
    for (Statement& s : g.statements) copy(s);
  }
  void copy(Branch& b) {
    b.label = symbol(b.label);
    copy(b.domain);
    b.condition = expr(b.condition);
    copy(b.then_body);
    copy(b.else_body);
  }
  void copy(While& w) {
    w.label = symbol(w.label);
    copy(w.domain);
    w.condition = expr(w.condition);
    copy(w.body);
  }
  void copy(Sweep& s) {
    s.label = symbol(s.label);
    copy(s.range);
    copy(s.body);
  }
  void copy(Scan& s) {
    copy(s.range);
    copy(s.statement);
  }
  void copy(When& w) {
    w.label = symbol(w.label);
    w.condition = expr(w.condition);
    copy(w.then_body);
    copy(w.else_body);
  }
  void copy(Repeat& r) {
    r.label = symbol(r.label);
    copy(r.range);
    for (Symbol& a : r.rotate) a = symbol(a);
    r.capped = symbol(r.capped);
    r.until = expr(r.until);
    copy(r.body);
  }
  void copy(Call& c) {
    c.label = symbol(c.label);
    c.function = symbol(c.function);
    for (std::vector<Symbol>* all : {&c.inputs, &c.outputs})
      for (Symbol& a : *all) a = symbol(a);
  }
  void copy(Body& body) {
    for (Item& item : body) std::visit([&](auto& n) { copy(n); }, item.node);
  }

 private:
  Expr node(Expr e, std::span<const Expr> args) {
    switch (e->op) {
      case Op::Const: return to_.constant(e->scalar());
      case Op::Index: return to_.index(symbol(e->name));
      case Op::Param: return to_.param(symbol(e->name), e->dtype);
      case Op::Read: {
        const bool fill = e->policy == Policy::Value;
        return to_.read(symbol(e->name), e->dtype, fill ? args.first(args.size() - 1) : args,
                        e->policy, fill ? args.back() : nullptr);
      }
      case Op::Inside: return to_.inside(symbol(e->name), args);
      case Op::Lookup: return to_.lookup(to_.intern(e->table()), args[0]);
      case Op::Reduce: {
        ReduceInfo info = e->reduce();
        for (Symbol& v : info.variables) v = symbol(v);
        return to_.reduce(std::move(info), args, e->dtype);
      }
      default: return to_.apply(e->op, e->dtype, args);
    }
  }

  Graph& to_;
  std::unordered_map<Expr, Expr> done_;
};

}  // namespace

Program detach(const Program& program) {
  Program p = program;
  p.graph = std::make_shared<Graph>();
  Copier copier(*p.graph);
  p.name = copier.symbol(p.name);
  for (Parameter& x : p.parameters) x.name = copier.symbol(x.name);
  for (Array& a : p.arrays) {
    a.name = copier.symbol(a.name);
    for (Symbol& axis : a.extended_axes) axis = copier.symbol(axis);
    for (Axis& x : a.axes) x = {copier.symbol(x.name), copier.expr(x.lo), copier.expr(x.hi)};
  }
  for (Combiner& c : p.combiners) {
    c.name = copier.symbol(c.name);
    for (std::vector<Parameter>* side : {&c.left, &c.right})
      for (Parameter& x : *side) x.name = copier.symbol(x.name);
    copier.each(c.result);
  }
  copier.copy(p.body);
  if (program.spans) {
    auto spans = std::make_shared<SpanTable>(*program.spans);
    for (auto& [use, span] : spans->uses) use = {copier.symbol(use.first), copier.expr(use.second)};
    p.spans = std::move(spans);
  }
  return p;
}

}  // namespace lathe::ir
