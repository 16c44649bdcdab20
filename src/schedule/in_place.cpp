// SPDX-License-Identifier: Apache-2.0
//   t1: for i in 0..n: t1[i] = u[i]              t1: for i in 0..n: t2[i] = u[i]
//   t2: for i in 0..n: t2[i] = 2 * t1[i]    =>   t2: for i in 0..n: t2[i] = 2 * t2[i]
//
// in_place_rule.h says when both programs mean the same. Which trees are legal for the new one is
// decided as for every program: now t1 must not run ahead of a reader of t2, say.

#include "schedule/in_place.h"

#include <algorithm>

#include "base/quoted.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"
#include "schedule/in_place_rule.h"

namespace lathe::schedule {
namespace {

void collect_computes(std::vector<Node>& body, std::vector<Node*>& out) {
  for (Node& n : body) {
    if (n.kind == NodeKind::Compute) out.push_back(&n);
    collect_computes(n.body, out);
    collect_computes(n.otherwise, out);
  }
}

class TakeOver {
 public:
  explicit TakeOver(Nest& nest) : nest_(nest), program_(nest.program) {
    collect_computes(nest.body, computes_);
  }

  bool run() {
    // In the order of the text: who takes over what has been taken over names the last one.
    std::vector<std::pair<const Node*, Symbol>> wanted;
    for_each_labelled(program_.body, [&](Symbol label) {
      for (const Node* n : computes_)
        if (n->name == label && n->place.kind == PlaceKind::InPlace) wanted.push_back({n, label});
    });
    for (const auto& [node, label] : wanted) merge(*node, label);
    return !wanted.empty();
  }

 private:
  template <class F>
  static void for_each_labelled(const ir::Body& body, F&& f) {
    for (const ir::Item& item : body) {
      if (const auto* s = std::get_if<ir::Statement>(&item.node)) f(s->label);
      if (const auto* g = std::get_if<ir::Group>(&item.node)) f(g->label);
      ir::for_each_body(item, [&](const ir::Body& inner) { for_each_labelled(inner, f); });
    }
  }

  static Diagnostic refusal(const Node& node, Symbol old, const std::string& reason) {
    std::string message = quoted(node.name);
    message += " cannot work in place of " + quoted(old) + ": " + reason;
    return {Severity::Error, std::move(message), node.span, {}, {}};
  }
  [[noreturn]] static void refuse(const Node& node, Symbol old, const std::string& reason,
                                  Span first = {}, Span second = {}) {
    Diagnostic d = refusal(node, old, reason);
    if (first.known()) d.note("it is here", first);
    if (second.known()) d.note("the other one is here", second);
    throw UserError(d);
  }
  [[noreturn]] static void refuse_array(const Node& node, Symbol old, const std::string& reason,
                                        const ir::Array& array) {
    Diagnostic d = refusal(node, old, reason);
    d.note("declared here", array.span);
    throw UserError(d);
  }

  void merge(const Node& node, Symbol label) {
    const Symbol old = node.place.over;
    const ir::Statement* s = nullptr;
    ir::for_each_statement(program_.body, [&](const ir::Statement& x) {
      if (x.label == label) s = &x;
    });
    if (!s) refuse(node, old, "it is a group, not a single statement");
    check_arrays(node, *s, old);
    check_places(node, *s, old);
    if (const auto why = in_place_refusal(program_, *s, old))
      refuse(node, old, why->reason, why->first, why->second);
    rename(old, s->targets[0].array);
  }

  void check_arrays(const Node& node, const ir::Statement& s, Symbol old) const {
    const Symbol now = s.targets[0].array;
    const ir::Array *a = program_.find_array(old), *b = program_.find_array(now);
    if (!a) refuse(node, old, quoted(old) + " lives nowhere, or was taken over before");
    if (a == b) refuse(node, old, "it writes " + quoted(old) + " anyway", s.span);
    if (a->role != ir::Role::Temp) refuse_array(node, old, quoted(old) + " is no temporary", *a);
    bool same = a->dtype == b->dtype && a->axes.size() == b->axes.size();
    for (std::size_t x = 0; same && x < a->axes.size(); ++x)
      same = a->axes[x].lo == b->axes[x].lo && a->axes[x].hi == b->axes[x].hi;
    if (!same)
      refuse_array(node, old, "it has another dtype or other extents than " + quoted(now), *a);
    for (const ir::Array& other : program_.arrays)
      for (const ir::Axis& axis : other.axes)
        for (Expr e : {axis.lo, axis.hi})
          for (Symbol used : ir::arrays_read(e))
            if (used == old || used == now)
              refuse_array(node, old, "an extent is computed from it", other);
    check_caps(node, program_.body, old, now);
  }

  // The mask of a while is read once more when it ran out of rounds.
  static void check_caps(const Node& node, const ir::Body& body, Symbol old, Symbol now) {
    for (const ir::Item& item : body) {
      if (const auto* r = std::get_if<ir::Repeat>(&item.node); r && r->capped)
        if (r->capped == old || r->capped == now)
          refuse(node, old, quoted(r->label) + " looks at " + quoted(r->capped), r->span);
      ir::for_each_body(item, [&](const ir::Body& inner) { check_caps(node, inner, old, now); });
    }
  }

  // Both live whole.
  void check_places(const Node& node, const ir::Statement& own, Symbol old) const {
    const auto check_line = [&](Symbol label, const ir::Statement& s) {
      for (const ir::Target& t : s.targets)
        for (const Node* n : computes_) {
          if (n->name != label || (t.array != old && t.array != own.targets[0].array)) continue;
          const PlaceKind kind = n->place.kind;
          if (kind != PlaceKind::Whole && kind != PlaceKind::Stream && kind != PlaceKind::InPlace)
            refuse(node, old, quoted(t.array) + " does not live whole", own.span, s.span);
        }
    };
    each_line(program_.body, check_line);
  }
  template <class F>
  static void each_line(const ir::Body& body, F&& f) {
    for (const ir::Item& item : body) {
      if (const auto* s = std::get_if<ir::Statement>(&item.node)) f(s->label, *s);
      if (const auto* g = std::get_if<ir::Group>(&item.node))
        for (const ir::Statement& s : g->statements) f(g->label, s);
      ir::for_each_body(item, [&](const ir::Body& inner) { each_line(inner, f); });
    }
  }

  // ---- The new program.

  Expr renamed(Expr root, Symbol old, Symbol now) {
    ir::Graph& graph = *program_.graph;
    for (Expr e : ir::post_order(root)) {
      if (done_.count(e)) continue;
      std::vector<Expr> args;
      for (Expr a : e->args()) args.push_back(done_.at(a));
      Expr same = graph.with_args(e, args);
      if ((e->op == ir::Op::Read || e->op == ir::Op::Inside) && e->name == old) {
        const ir::view::Read r(same);
        same = e->op == ir::Op::Inside ? graph.inside(now, r.indices)
                                       : graph.read(now, e->dtype, r.indices, r.policy, r.fill);
      }
      done_[e] = same;
    }
    return done_.at(root);
  }

  void rename(Symbol old, Symbol now) {
    done_.clear();
    std::map<std::pair<Symbol, Expr>, Symbol> former;
    for (const auto& [use, name] : nest_.former)
      former[{use.first, use.second ? renamed(use.second, old, now) : nullptr}] = name;
    ir::for_each_statement(program_.body, [&](const ir::Statement& s) {
      for (const ir::Target& t : s.targets)
        if (t.array == old) former.insert({{s.label, nullptr}, old});
    });
    // Each use of a name is met here once, bounds and guards of groups included.
    program_ = passes::map_expressions(program_, [&](Symbol label, Expr e) {
      for (Expr read : ir::reads(e))
        if (read->name == old) former.insert({{label, renamed(read, old, now)}, old});
      return renamed(e, old, now);
    });
    nest_.former = std::move(former);
    program_.body = passes::map_items(program_.body, [&](ir::Item item, ir::Body& out) {
      const auto retarget = [&](ir::Statement& s) {
        for (ir::Target& t : s.targets)
          if (t.array == old) t.array = now;
      };
      if (auto* s = std::get_if<ir::Statement>(&item.node)) retarget(*s);
      if (auto* g = std::get_if<ir::Group>(&item.node))
        for (ir::Statement& s : g->statements) retarget(s);
      out.push_back(std::move(item));
    });
    std::erase_if(program_.arrays, [&](const ir::Array& a) { return a.name == old; });
    if (program_.spans) {
      ir::SpanTable spans = *program_.spans;
      for (auto& use : spans.uses) use.first.second = renamed(use.first.second, old, now);
      program_.spans = std::make_shared<const ir::SpanTable>(std::move(spans));
    }
    rename_data(nest_.body, old, now);
  }

  static void rename_data(std::vector<Node>& body, Symbol old, Symbol now) {
    for (Node& n : body) {
      if ((n.kind == NodeKind::Copy || n.kind == NodeKind::Prefetch) && n.name == old) n.name = now;
      rename_data(n.body, old, now);
      rename_data(n.otherwise, old, now);
    }
  }

  Nest& nest_;
  ir::Program& program_;
  std::vector<Node*> computes_;
  std::unordered_map<Expr, Expr> done_;
};

}  // namespace

bool take_over_storage(Nest& nest) { return TakeOver(nest).run(); }

}  // namespace lathe::schedule
