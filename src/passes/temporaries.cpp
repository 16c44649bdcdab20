// SPDX-License-Identifier: Apache-2.0
#include "passes/temporaries.h"

#include <algorithm>

namespace lathe::passes {
namespace {

void note_counters(const Body& body, std::set<Symbol>& taken) {
  for (const Item& item : body) {
    if (auto* s = std::get_if<ir::Sweep>(&item.node)) taken.insert(s->range.variable);
    if (auto* r = std::get_if<ir::Repeat>(&item.node)) taken.insert(r->range.variable);
    ir::for_each_body(item, [&](const Body& inner) { note_counters(inner, taken); });
  }
}

}  // namespace

Temporaries::Temporaries(ir::Program& p)
    : program(p), graph(*p.graph), raw(graph), build(raw), known_(p) {
  for (const ir::Parameter& x : p.parameters) taken_.insert(x.name);
  for (const ir::Array& a : p.arrays) taken_.insert(a.name);
  note_counters(p.body, taken_);
}

Symbol Temporaries::name(std::string_view stem, std::string_view suffix) const {
  return graph.fresh_symbol(std::string(stem) + "." + std::string(suffix));
}

Symbol Temporaries::declare(Symbol name, ir::DType t, std::vector<ir::Axis> axes, Span span) {
  ir::Array a;
  a.name = name;
  a.dtype = t;
  a.axes = std::move(axes);
  a.span = span;
  program.arrays.push_back(std::move(a));
  return name;
}

Symbol Temporaries::declare_over(Symbol name, ir::DType t, const std::vector<ir::Range>& ranges,
                                 Span span) {
  std::vector<ir::Axis> axes;
  for (const ir::Range& r : ranges) axes.push_back({r.variable, r.lo, r.hi});
  return declare(name, t, std::move(axes), span);
}

Symbol Temporaries::declare_like(Symbol name, Symbol like, ir::DType t, Span span) {
  return declare(name, t, array(like).axes, span);
}

const ir::Array& Temporaries::array(Symbol name) const {
  const ir::Array* a = program.find_array(name);
  check(a != nullptr, "an array of the program");
  return *a;
}

std::vector<ir::Range> Temporaries::region(Symbol name) const {
  std::vector<ir::Range> ranges;
  for (const ir::Axis& x : array(name).axes)
    ranges.push_back(
        {taken_.contains(x.name) ? graph.fresh_symbol(x.name.text()) : x.name, x.lo, x.hi});
  return ranges;
}

std::vector<Expr> Temporaries::point(const std::vector<ir::Range>& ranges) const {
  std::vector<Expr> indices;
  for (const ir::Range& r : ranges) indices.push_back(graph.index(r.variable));
  return indices;
}

Expr Temporaries::read(Symbol name, const std::vector<ir::Range>& ranges) const {
  return graph.read(name, array(name).dtype, point(ranges));
}

ir::Statement Temporaries::set(Symbol label, ir::Domain domain, ir::Target target, Expr value,
                               Span span) const {
  ir::Statement s;
  s.label = label;
  s.domain = std::move(domain);
  s.targets = {std::move(target)};
  s.values = {value};
  s.span = span;
  return s;
}

ir::Statement Temporaries::fill(Symbol label, Symbol to, Expr value, Span span) const {
  const std::vector<ir::Range> ranges = region(to);
  return set(label, {ranges, nullptr}, {to, point(ranges)}, value, span);
}

ir::Statement Temporaries::copy(Symbol label, Symbol to, Symbol from, Span span) const {
  const std::vector<ir::Range> ranges = region(to);
  const Expr value = build.cast(array(to).dtype, read(from, ranges));
  return set(label, {ranges, nullptr}, {to, point(ranges)}, value, span);
}

Symbol Temporaries::snapshot(Symbol of, Span span, Body& out) {
  const Symbol before = declare_like(name(of.text(), "before"), of, array(of).dtype, span);
  out.push_back({copy(before, before, of, span)});
  return before;
}

Expr Temporaries::redirect(Expr root, const Names& names) const {
  if (names.empty() || !root) return root;
  // Bottom-up, so that an index that reads one of the arrays is redirected too.
  std::unordered_map<Expr, Expr> done;
  for (Expr n : ir::post_order(root)) {
    std::vector<Expr> args;
    for (Expr a : n->args()) args.push_back(done.at(a));
    const auto to = n->op == ir::Op::Read ? names.find(n->name) : names.end();
    if (to == names.end()) {
      done[n] = args.empty() ? n : graph.with_args(n, args);
      continue;
    }
    const ir::view::Read r(n);
    const std::span<const Expr> indices(args.data(), r.indices.size());
    done[n] = graph.read(to->second, n->dtype, indices, r.policy, r.fill ? args.back() : nullptr);
  }
  return done.at(root);
}

void Temporaries::redirect(ir::Statement& s, const Names& names) const {
  if (names.empty()) return;
  map_statement_expressions(s, [&](Symbol, Expr e) { return redirect(e, names); });
}

namespace {

Body map_body(const Body& body, std::vector<ir::Range>& around, Temporaries* top, MapUnmasked f) {
  Body out;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (top) top->position = at;
    Item item = body[at];
    const auto inside = [&](const Body& inner, const ir::Range* range) {
      if (range) around.push_back(*range);
      Body mapped = map_body(inner, around, nullptr, f);
      if (range) around.pop_back();
      return mapped;
    };
    if (auto* w = std::get_if<ir::When>(&item.node)) {
      w->then_body = inside(w->then_body, nullptr);
      w->else_body = inside(w->else_body, nullptr);
    } else if (auto* s = std::get_if<ir::Sweep>(&item.node)) {
      s->body = inside(s->body, &s->range);
    } else if (auto* r = std::get_if<ir::Repeat>(&item.node)) {
      r->body = inside(r->body, &r->range);
    } else if (std::holds_alternative<ir::Branch>(item.node) ||
               std::holds_alternative<ir::While>(item.node)) {
      out.push_back(std::move(item));
      continue;
    }
    f(std::move(item), around, out);
  }
  return out;
}

}  // namespace

Body map_unmasked(Temporaries& from, MapUnmasked f) {
  std::vector<ir::Range> around;
  return map_body(from.program.body, around, &from, f);
}

bool binds(Expr e, Symbol variable) {
  const std::vector<Expr> nodes = ir::post_order(e);
  return std::any_of(nodes.begin(), nodes.end(), [&](Expr n) {
    if (n->op != ir::Op::Reduce) return false;
    const auto& bound = n->reduce().variables;
    return std::find(bound.begin(), bound.end(), variable) != bound.end();
  });
}

bool mentions_any(Expr e, const std::vector<Symbol>& variables) {
  return std::any_of(variables.begin(), variables.end(),
                     [&](Symbol v) { return ir::mentions(e, v); });
}

Expr leading_part(ir::Maker& maker, Expr guard, const std::vector<Symbol>& without, bool* whole) {
  std::vector<Expr> parts = conjuncts(guard);
  const auto end =
      std::find_if(parts.begin(), parts.end(), [&](Expr e) { return mentions_any(e, without); });
  *whole = end == parts.end();
  parts.erase(end, parts.end());
  return conjunction(maker, parts);
}

}  // namespace lathe::passes
