// SPDX-License-Identifier: Apache-2.0
// A common subexpression of neighbouring statements is computed once, into a temporary:
//
//   for i in 0..n: v[i] = sqrt(u[i]) + 1         temp root: f64[i: n]
//   for i in 0..n: w[i] = sqrt(u[i]) * 2    =>   for i in 0..n: root[i] = sqrt(u[i])
//                                                for i in 0..n: v[i] = root[i] + 1
//                                                for i in 0..n: w[i] = root[i] * 2
//
// The temporary runs over the loops that the expression uses. It is computed at every point, so the
// statements must evaluate it at every point too: not behind a lazy operand, not behind a guard.

#include <algorithm>
#include <optional>

#include "base/quoted.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

// Reached from the root without passing a lazy operand that may be skipped.
bool always_evaluated(Expr root, Expr what) {
  std::vector<Expr> stack = {root};
  std::set<Expr> seen;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (e == what) return true;
    if (!seen.insert(e).second) continue;
    if (e->op == ir::Op::Reduce) continue;
    if (ir::has(e->op, ir::kLazy))
      stack.push_back(e->arg(0));
    else
      for (Expr a : e->args()) stack.push_back(a);
  }
  return false;
}

// Reads may be out of range, integers may be divided by zero.
bool can_fail(Expr root) {
  for (Expr e : ir::post_order(root)) {
    const bool divides = e->op == ir::Op::FloorDiv || e->op == ir::Op::Mod ||
                         e->op == ir::Op::TruncDiv || e->op == ir::Op::TruncMod ||
                         e->op == ir::Op::Pow;
    if (e->op == ir::Op::Read || (divides && is_int(e->dtype))) return true;
  }
  return false;
}

class Sharing {
 public:
  Sharing(const ir::Program& program, const std::vector<Symbol>& labels, Expr what,
          const std::string& name)
      : program_(program), labels_(labels), what_(what), name_(name) {}

  Outcome run() {
    if (labels_.empty()) return Refusal{"no statement is named", {}, {}};
    const Symbol wanted = program_.graph->symbol(name_);
    if (program_.find_array(wanted) || program_.find_parameter(wanted))
      return Refusal{"the name '" + name_ + "' is taken", {}, {}};
    ir::Program out = program_;
    out.body = in(program_.body);
    if (refusal_) return *refusal_;
    if (!done_) return Refusal{"there is no statement " + quoted(labels_[0]), {}, {}};
    out.arrays.push_back(temp_);
    return out;
  }

 private:
  Body in(const Body& body) {
    Body out;
    for (std::size_t i = 0; i < body.size() && !refusal_; ++i) {
      if (!done_ && label_of(body[i]) == labels_[0]) {
        done_ = true;
        share(body, i, out);
        i += labels_.size() - 1;
        continue;
      }
      Item item = body[i];
      const std::size_t around = prefix_;
      if (const auto* b = std::get_if<ir::Branch>(&item.node); b && !done_)
        prefix_ = b->domain.ranges.size();
      if (const auto* w = std::get_if<ir::While>(&item.node); w && !done_)
        prefix_ = w->domain.ranges.size();
      map_bodies(item, [&](Body inner) { return in(inner); });
      prefix_ = around;
      out.push_back(std::move(item));
    }
    return out;
  }

  void refuse(std::string reason, Span first, Span second = {}) {
    refusal_ = Refusal{std::move(reason), first, second};
  }

  void share(const Body& body, std::size_t at, Body& out) {
    std::vector<ir::Statement> users;
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      if (at + k >= body.size() || label_of(body[at + k]) != labels_[k])
        return refuse(quoted(labels_[k]) + " does not stand next to " + quoted(labels_[0]),
                      span_of(body[at]));
      auto* s = std::get_if<ir::Statement>(&body[at + k].node);
      if (!s) return refuse(quoted(labels_[k]) + " is not a statement", span_of(body[at + k]));
      if (!fits(*s, users)) return;
      users.push_back(*s);
    }
    out.push_back({producer(users[0])});
    ir::RawMaker raw(*program_.graph);
    const Expr read = program_.graph->read(temp_.name, temp_.dtype, point_);
    for (ir::Statement& s : users) {
      for (Expr& e : s.values)
        e = ir::rewrite(raw, e, [&](Expr n) { return n == what_ ? read : nullptr; });
      out.push_back({std::move(s)});
    }
  }

  // May this statement use the temporary, given the users before it?
  bool fits(const ir::Statement& s, const std::vector<ir::Statement>& users) {
    if (s.domain.guard) {
      refuse(quoted(s.label) + " has a guard: the expression is not computed at every point",
             s.span);
    } else if (!users.empty() && !same_ranges(s.domain.ranges, users[0].domain.ranges)) {
      refuse(quoted(s.label) + " and " + quoted(users[0].label) + " run over different domains",
             users[0].span, s.span);
    } else if (std::none_of(s.values.begin(), s.values.end(),
                            [&](Expr e) { return always_evaluated(e, what_); })) {
      refuse("the expression is not computed at every point of " + quoted(s.label), s.span);
    }
    for (const ir::Statement& before : users)
      for (const ir::Target& t : before.targets)
        if (reads_array(what_, t.array))
          refuse(quoted(t.array) + " changes between " + quoted(before.label) + " and " +
                     quoted(s.label),
                 before.span, s.span);
    return !refusal_;
  }

  ir::Statement producer(const ir::Statement& user) {
    ir::Statement s;
    temp_.name = program_.graph->symbol(name_);
    temp_.dtype = what_->dtype;
    temp_.span = user.span;
    const auto used = ir::free_variables(what_);
    for (const ir::Range& r : user.domain.ranges) {
      // Statements of a branch have its loops, whether they use them or not.
      const bool of_branch = s.domain.ranges.size() < prefix_;
      if (!of_branch && std::find(used.begin(), used.end(), r.variable) == used.end()) continue;
      if (!declarable(r))
        refuse("the range of '" + std::string(r.variable.text()) +
                   "' cannot be the axis of a temporary",
               user.span);
      s.domain.ranges.push_back(r);
      temp_.axes.push_back({r.variable, r.lo, r.hi});
      point_.push_back(program_.graph->index(r.variable));
    }
    // A dropped loop may be empty while the others are not: then the statements compute nothing,
    // and the producer must not read what they would not have read.
    if (s.domain.ranges.size() != user.domain.ranges.size() && can_fail(what_))
      refuse("the expression does not use every loop of " + quoted(user.label) +
                 ", one of which may be empty",
             user.span);
    s.label = temp_.name;
    s.targets = {{temp_.name, point_}};
    s.values = {what_};
    s.span = user.span;
    return s;
  }

  const ir::Program& program_;
  const std::vector<Symbol>& labels_;
  Expr what_;
  std::string name_;
  ir::Array temp_;
  std::vector<Expr> point_;
  std::optional<Refusal> refusal_;
  bool done_ = false;
  std::size_t prefix_ = 0;  // ranges of the branch or while around
};

}  // namespace

Outcome share_subexpression(const ir::Program& program, const std::vector<Symbol>& labels,
                            Expr what, const std::string& name) {
  return Sharing(program, labels, what, name).run();
}

}  // namespace lathe::passes
