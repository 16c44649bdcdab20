// SPDX-License-Identifier: Apache-2.0
// What happens before what: temporaries and outputs are written before they are read, outputs are
// written at all, an extent does not change once its array is in use. The walk follows the text;
// inside a loop everything that the loop writes counts as written, because an earlier turn may
// have done it.

#include <algorithm>
#include <functional>

#include "ir/known_bounds.h"
#include "ir/program_exprs.h"
#include "ir/traverse.h"
#include "ir/verify_context.h"

namespace lathe::ir {
class FlowCheck {
 public:
  using Report = std::function<void(Symbol label, Expr use, Span where, std::string, std::string)>;

  FlowCheck(const Program& program, Report report) : program_(program), report_(std::move(report)) {
    for (const Array& a : program.arrays) {
      arrays_[a.name] = &a;
      if (a.role != Role::Temp && a.role != Role::Output) written_.insert(a.name);
    }
  }

  void run() {
    body(program_.body);
    for (const Array& a : program_.arrays)
      if (a.role == Role::Output && !written_.contains(a.name))
        report_({}, nullptr, a.span, "the output " + quoted(a.name.text()) + " is never written",
                "write it, or declare it inout if the caller's values shall stay");
  }

 private:
  void body(const Body& items) {
    for (const Item& i : items) std::visit([&](const auto& n) { item(n); }, i.node);
  }

  void read(Expr e, Symbol label, Span where) {
    if (!e) return;
    for (Expr n : reads(e)) {
      touch(n->name, label, where);
      if (written_.contains(n->name)) continue;
      const bool is_local = !arrays_.contains(n->name);
      report_(label, n, where,
              quoted(n->name.text()) + " is read here, but nothing has written it yet",
              is_local ? "set the local in a line before"
                       : "write it before, or declare it input or inout");
      written_.insert(n->name);  // said once
    }
  }

  void domain(const Domain& d, Symbol label, Span where) {
    for_each_expr(d, [&](Expr e) { read(e, label, where); });
  }

  void assignment(const Statement& s) {
    for_each_expr(s, [&](Expr e) { read(e, s.label, s.span); });
    for (const Target& t : s.targets) {
      touch(t.array, s.label, s.span);
      const bool known = written_.contains(t.array);
      if (s.accumulate && !s.accumulate->fresh && !known)
        report_(
            s.label, nullptr, s.span,
            "this accumulates into " + quoted(t.array.text()) + ", but nothing has written it yet",
            "begin with 'fresh', or set it before");
    }
    for (const Target& t : s.targets) write(t.array, s.label, s.span);
  }

  void item(const Statement& s) { assignment(s); }
  void item(const Scan& s) {
    // A scan stores running values; it does not read what the target held.
    for_each_expr(s.statement, [&](Expr e) { read(e, s.statement.label, s.statement.span); });
    read(s.range.lo, s.statement.label, s.statement.span);
    read(s.range.hi, s.statement.label, s.statement.span);
    for (const Target& t : s.statement.targets) {
      touch(t.array, s.statement.label, s.statement.span);
      write(t.array, s.statement.label, s.statement.span);
    }
  }
  void item(const Group& g) {
    domain(g.domain, g.label, g.span);
    for (const Statement& s : g.statements) assignment(s);
    for (const Local& l : g.locals) written_.erase(l.name);
  }
  void item(const Branch& b) {
    domain(b.domain, b.label, b.span);
    read(b.condition, b.label, b.span);
    body(b.then_body);
    body(b.else_body);
  }
  void item(const While& w) {
    domain(w.domain, w.label, w.span);
    read(w.condition, w.label, w.span);
    loop(w.body);
  }
  void item(const Sweep& s) {
    read(s.range.lo, s.label, s.span);
    read(s.range.hi, s.label, s.span);
    loop(s.body);
  }
  void item(const Repeat& r) {
    read(r.range.lo, r.label, r.span);
    read(r.range.hi, r.label, r.span);
    loop(r.body, r.rotate);
    read(r.until, r.label, r.span);
  }
  void item(const When& w) {
    read(w.condition, w.label, w.span);
    body(w.then_body);
    body(w.else_body);
  }
  void item(const Call& c) {
    for (Symbol a : c.inputs) {
      touch(a, c.label, c.span);
      if (written_.contains(a)) continue;
      report_(c.label, nullptr, c.span,
              "the call reads " + quoted(a.text()) + ", but nothing has written it yet",
              "write it before");
    }
    for (Symbol a : c.outputs) {
      touch(a, c.label, c.span);
      write(a, c.label, c.span);
    }
  }

  void loop(const Body& items, const std::vector<Symbol>& rotated = {}) {
    std::unordered_set<Symbol> writes(rotated.begin(), rotated.end());
    collect_writes(items, writes);
    // An extent that a loop computes would change under an array that the loop uses.
    if (loop_writes_.empty()) loop_writes_ = writes;
    const bool outermost = ++loop_depth_ == 1;
    for (Symbol s : writes) written_.insert(s);
    body(items);
    --loop_depth_;
    if (outermost) loop_writes_.clear();
  }

  // The array is in use from here on: what its extents read must be known and stay.
  void touch(Symbol name, Symbol label, Span where) {
    const auto a = arrays_.find(name);
    if (a == arrays_.end() || !in_use_.insert(name).second) return;
    for (const Axis& axis : a->second->axes) {
      for (Expr bound : {axis.lo, axis.hi}) {
        for (Symbol s : arrays_read(bound)) {
          const std::string extent =
              "the extent of " + quoted(name.text()) + " is " + quoted(s.text());
          if (written_.contains(s)) {
            fixed_.try_emplace(s, name);
          } else {
            report_(label, nullptr, where, extent + ", which nothing has written yet",
                    "compute it before the array is used");
          }
          if (loop_depth_ > 0 && loop_writes_.contains(s))
            report_(label, nullptr, where, extent + ", which this loop writes",
                    "compute the extent before the loop");
        }
      }
    }
  }

  void write(Symbol name, Symbol label, Span where) {
    written_.insert(name);
    if (!arrays_.contains(name)) return;
    if (const auto f = fixed_.find(name); f != fixed_.end())
      report_(label, nullptr, where,
              quoted(name.text()) + " is the extent of " + quoted(f->second.text()) +
                  ", which is in use: it cannot change any more",
              "compute the extent before the array is used, or use another scalar");
  }

  const Program& program_;
  Report report_;
  std::unordered_map<Symbol, const Array*> arrays_;
  std::unordered_set<Symbol> written_, in_use_, loop_writes_;
  std::unordered_map<Symbol, Symbol> fixed_;  // scalar -> an array whose extent it is
  int loop_depth_ = 0;
};

void Verifier::check_flow() {
  FlowCheck(program_, [&](Symbol label, Expr use, Span where, std::string message,
                          std::string help) {
    error(use ? span_of({label, where}, use) : where, std::move(message), std::move(help));
  }).run();
}

}  // namespace lathe::ir
