// SPDX-License-Identifier: Apache-2.0
// Greedy reduction: rounds of edits, coarse ones first, until a whole round changes nothing. Every
// edit that is kept makes the program smaller, so rounds end.

#include "reduce.h"

#include <algorithm>

#include "ir/text.h"
#include "ir/traverse.h"
#include "ir/verify.h"
#include "program_slots.h"

namespace lathe::testing {

using namespace ir;

namespace {

class Reducer {
 public:
  Reducer(const Case& start, const Fails& fails, int max_tries)
      : result_{start, 0, 0}, fails_(fails), max_tries_(max_tries) {}

  Reduction run() {
    while (round()) {
    }
    return std::move(result_);
  }

 private:
  // One try: a copy, the edit, and back to the old one unless the new one is a good failure.
  bool attempt(const std::function<bool(Case&)>& edit) {
    if (result_.tried >= max_tries_) return false;
    Case c = result_.smallest;
    if (!edit(c)) return false;
    ++result_.tried;
    if (!still_fails(c)) return false;
    result_.smallest = std::move(c);
    ++result_.accepted;
    return true;
  }

  bool still_fails(const Case& c) {
    try {
      if (!refusal(c.program).empty() || !survives_text(c.program).empty()) return false;
      if (!lathe::testing::run(c.program, state_of(c), true).error.empty()) return false;
      return fails_(c);
    } catch (...) {
      return false;
    }
  }

  bool round() {
    bool any = drop_items();
    any |= unwrap_items();
    any |= drop_parts();
    any |= drop_ranges();
    any |= shrink_expressions();
    any |= drop_axes();
    any |= drop_declarations();
    any |= shrink_sizes();
    return any;
  }

  bool drop_items();
  bool unwrap_items();
  bool drop_parts();
  bool drop_ranges();
  bool shrink_expressions();
  bool drop_axes();
  bool drop_declarations();
  bool shrink_sizes();

  Reduction result_;
  const Fails& fails_;
  int max_tries_;
};

// Every slot, with one variable replaced.
void substitute(Program& p, Symbol variable, Expr by) {
  RawMaker maker(*p.graph);
  for (Expr* slot : all_slots(p)) *slot = rename(maker, *slot, {{variable, by}});
}

// Halves, quarters ... single items of each body, from the end: later items are read by nobody.
bool Reducer::drop_items() {
  bool any = false;
  for (std::size_t b = 0; b < all_bodies(result_.smallest.program).size(); ++b) {
    for (std::size_t n = all_bodies(result_.smallest.program)[b]->size(); n > 0; n /= 2) {
      std::size_t end = all_bodies(result_.smallest.program)[b]->size();
      while (end > 0) {
        const std::size_t begin = end > n ? end - n : 0;
        any |= attempt([&](Case& c) {
          Body& body = *all_bodies(c.program)[b];
          body.erase(body.begin() + static_cast<std::ptrdiff_t>(begin),
                     body.begin() + static_cast<std::ptrdiff_t>(end));
          return true;
        });
        end = begin;
        if (b >= all_bodies(result_.smallest.program).size()) return any;
      }
    }
  }
  return any;
}

// What an item holds in its place; a group's lines one by one; a scan as a statement.
bool unwrap(Program& p, Body& body, std::size_t at, int which) {
  Item item = body[at];
  Body inside;
  std::optional<std::pair<Symbol, Expr>> bound;
  if (auto* b = std::get_if<Branch>(&item.node)) inside = which == 0 ? b->then_body : b->else_body;
  if (auto* w = std::get_if<When>(&item.node)) inside = which == 0 ? w->then_body : w->else_body;
  if (auto* w = std::get_if<While>(&item.node)) inside = w->body;
  if (auto* s = std::get_if<Sweep>(&item.node)) {
    inside = s->body;
    bound.emplace(s->range.variable, s->range.lo);
  }
  if (auto* r = std::get_if<Repeat>(&item.node)) {
    inside = r->body;
    bound.emplace(r->range.variable, r->range.lo);
  }
  if (auto* g = std::get_if<Group>(&item.node)) {
    if (static_cast<std::size_t>(which) >= g->statements.size()) return false;
    Group rest = *g;
    rest.statements.erase(rest.statements.begin() + which);
    if (rest.statements.empty()) return false;
    if (rest.statements.size() == 1 && rest.locals.empty()) {
      Statement s = rest.statements[0];
      const Expr guard = s.domain.guard;
      s.domain = rest.domain;
      if (!s.domain.guard) s.domain.guard = guard;
      inside.push_back({std::move(s)});
    } else {
      inside.push_back({std::move(rest)});
    }
  }
  if (inside.empty()) return false;
  body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), inside.begin(), inside.end());
  if (bound) substitute(p, bound->first, bound->second);
  return true;
}

bool Reducer::unwrap_items() {
  bool any = false;
  for (std::size_t b = 0; b < all_bodies(result_.smallest.program).size(); ++b) {
    for (std::size_t i = 0; i < all_bodies(result_.smallest.program)[b]->size(); ++i)
      for (int which = 0; which < 4; ++which) {
        any |= attempt([&](Case& c) { return unwrap(c.program, *all_bodies(c.program)[b], i, which); });
        if (b >= all_bodies(result_.smallest.program).size() ||
            i >= all_bodies(result_.smallest.program)[b]->size())
          return any;
      }
  }
  return any;
}

// Guards, accumulations, locals, rotations, `until`, `extended`.
bool Reducer::drop_parts() {
  bool any = false;
  for (std::size_t d = 0; d < all_domains(result_.smallest.program).size(); ++d)
    any |= attempt([&](Case& c) {
      Domain& domain = *all_domains(c.program)[d];
      if (!domain.guard) return false;
      domain.guard = nullptr;
      return true;
    });
  for (std::size_t s = 0; s < all_statements(result_.smallest.program).size(); ++s) {
    any |= attempt([&](Case& c) {
      Statement& st = *all_statements(c.program)[s];
      if (!st.accumulate || st.targets.size() > 1) return false;
      st.accumulate.reset();
      st.values.resize(1);
      return true;
    });
    any |= attempt([&](Case& c) {
      Statement& st = *all_statements(c.program)[s];
      if (!st.accumulate || !st.accumulate->fresh) return false;
      st.accumulate->fresh = false;
      return true;
    });
  }
  for (std::size_t a = 0; a < result_.smallest.program.arrays.size(); ++a)
    any |= attempt([&](Case& c) { return std::exchange(c.program.arrays[a].extended, false); });
  for (std::size_t b = 0; b < all_bodies(result_.smallest.program).size(); ++b)
    for (std::size_t i = 0; i < all_bodies(result_.smallest.program)[b]->size(); ++i) {
      any |= attempt([&](Case& c) {
        auto* r = std::get_if<Repeat>(&(*all_bodies(c.program)[b])[i].node);
        return r && std::exchange(r->until, nullptr);
      });
      any |= attempt([&](Case& c) {
        auto* r = std::get_if<Repeat>(&(*all_bodies(c.program)[b])[i].node);
        return r && !std::exchange(r->rotate, {}).empty();
      });
      any |= attempt([&](Case& c) {
        auto* g = std::get_if<Group>(&(*all_bodies(c.program)[b])[i].node);
        return g && !std::exchange(g->locals, {}).empty();
      });
    }
  return any;
}

// A variable becomes its lower bound, or 0.
bool Reducer::drop_ranges() {
  bool any = false;
  std::vector<Symbol> variables;
  for (Domain* d : all_domains(result_.smallest.program))
    for (const Range& r : d->ranges) variables.push_back(r.variable);
  for (Symbol v : variables)
    any |= attempt([&](Case& c) {
      Expr lo = nullptr;
      for (Domain* d : all_domains(c.program))
        for (const Range& r : d->ranges)
          if (r.variable == v && !lo) lo = r.lo;
      if (!lo) return false;
      for (Domain* d : all_domains(c.program))
        std::erase_if(d->ranges, [&](const Range& r) { return r.variable == v; });
      substitute(c.program, v, lo);
      return true;
    });
  return any;
}

// Smaller stand-ins for one node: constants, then its operands of the same dtype.
std::vector<Expr> stand_ins(Graph& graph, Expr e) {
  std::vector<Expr> candidates;
  if (is_const(e)) return candidates;
  candidates.push_back(graph.constant(Scalar::of_int(e->dtype, 1)));
  candidates.push_back(graph.constant(Scalar::of_int(e->dtype, 0)));
  if (e->dtype == DType::I64 && e->arg_count == 0) candidates.clear();
  if (e->op == Op::Param || e->op == Op::Index)
    candidates = {graph.constant(Scalar::of_int(e->dtype, 2))};
  if (e->op == Op::Read && e->policy != Policy::Error) {
    const view::Read r(e);
    candidates.push_back(graph.read(e->name, e->dtype, r.indices));
  }
  if (e->op == Op::Reduce) return candidates;  // its operands stand under its variables
  for (Expr a : e->args())
    if (a->dtype == e->dtype) candidates.push_back(a);
  return candidates;
}

bool Reducer::shrink_expressions() {
  bool any = false;
  for (std::size_t s = 0; s < all_slots(result_.smallest.program).size(); ++s) {
    bool again = true;
    while (again) {
      again = false;
      const Expr root = *all_slots(result_.smallest.program)[s];
      std::vector<Expr> nodes = post_order(root);
      std::reverse(nodes.begin(), nodes.end());  // big ones first
      for (Expr node : nodes) {
        for (Expr by : stand_ins(*result_.smallest.program.graph, node)) {
          again = attempt([&](Case& c) {
            RawMaker maker(*c.program.graph);
            Expr& slot = *all_slots(c.program)[s];
            slot = rewrite(maker, slot, [&](Expr e) { return e == node ? by : nullptr; });
            return true;
          });
          if (again) break;
        }
        if (again) break;
      }
      any |= again;
    }
  }
  return any;
}

// Takes axis `k` of an array away, with its index everywhere.
bool Reducer::drop_axes() {
  bool any = false;
  for (std::size_t a = 0; a < result_.smallest.program.arrays.size(); ++a)
    for (std::size_t k = result_.smallest.program.arrays[a].axes.size(); k-- > 0;)
      any |= attempt([&](Case& c) {
        Array& array = c.program.arrays[a];
        if (array.role == Role::Const) return false;
        const auto at = static_cast<std::ptrdiff_t>(k);
        array.axes.erase(array.axes.begin() + at);
        for (Statement* s : all_statements(c.program))
          for (Target& t : s->targets)
            if (t.array == array.name) t.indices.erase(t.indices.begin() + at);
        RawMaker maker(*c.program.graph);
        // Bottom-up, because reads stand in indices of reads.
        for (Expr* slot : all_slots(c.program)) {
          std::unordered_map<Expr, Expr> done;
          for (Expr e : post_order(*slot)) {
            std::vector<Expr> args;
            for (Expr x : e->args()) args.push_back(done.at(x));
            if ((e->op == Op::Read || e->op == Op::Inside) && e->name == array.name)
              args.erase(args.begin() + at);
            done[e] = e->arg_count == 0 ? e : maker.remake(e, args);
          }
          *slot = done.at(*slot);
        }
        return true;
      });
  return any;
}

bool Reducer::drop_declarations() {
  bool any = false;
  for (std::size_t a = result_.smallest.program.arrays.size(); a-- > 0;)
    any |= attempt([&](Case& c) {
      c.program.arrays.erase(c.program.arrays.begin() + static_cast<std::ptrdiff_t>(a));
      return true;
    });
  for (std::size_t k = result_.smallest.program.combiners.size(); k-- > 0;)
    any |= attempt([&](Case& c) {
      c.program.combiners.erase(c.program.combiners.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    });
  for (std::size_t k = result_.smallest.program.parameters.size(); k-- > 0;)
    any |= attempt([&](Case& c) {
      c.program.parameters.erase(c.program.parameters.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    });
  // Extents: a number instead of a formula, no halo.
  for (std::size_t a = 0; a < result_.smallest.program.arrays.size(); ++a)
    for (std::size_t k = 0; k < result_.smallest.program.arrays[a].axes.size(); ++k) {
      any |= attempt([&](Case& c) {
        if (c.program.arrays[a].role == Role::Const) return false;
        Expr& lo = c.program.arrays[a].axes[k].lo;
        const Expr zero = c.program.graph->constant(Scalar::of_int(DType::I64, 0));
        return std::exchange(lo, zero) != zero;
      });
      any |= attempt([&](Case& c) {
        if (c.program.arrays[a].role == Role::Const) return false;
        Expr& hi = c.program.arrays[a].axes[k].hi;
        if (hi->arg_count == 0) return false;
        for (Expr e : post_order(hi))
          if (e->op == Op::Param) {
            hi = e;
            return true;
          }
        return false;
      });
    }
  return any;
}

bool Reducer::shrink_sizes() {
  bool any = false;
  for (const Parameter& p : std::vector(result_.smallest.program.parameters)) {
    if (!p.is_size) continue;
    const std::string name(p.name.text());
    for (std::int64_t n = 0; n < 4; ++n) {
      const std::int64_t now =
          state_of(result_.smallest).parameters.at(name).as_int();
      if (n >= now) break;
      if (attempt([&](Case& c) {
            c.sizes[name] = n;
            return true;
          })) {
        any = true;
        break;
      }
    }
  }
  return any;
}

}  // namespace

Reduction reduce(const Case& failing, const Fails& fails, int max_tries) {
  return Reducer(failing, fails, max_tries).run();
}

// A message without names and numbers: what stays the same while a program shrinks. Of a
// difference only the kind: which element differs does not matter.
std::string skeleton(const std::string& message) {
  if (message.starts_with("difference: after")) return "difference: after";
  std::string text;
  bool quoted = false;
  for (char c : message) {
    if (c == '\'') quoted = !quoted;
    if (c == '\n') break;
    if (!quoted && !(c >= '0' && c <= '9')) text += c;
  }
  return text;
}

Fails fails_like(const Check& check, const std::string& message) {
  const std::string wanted = skeleton(message);
  return [check, wanted](const Case& c) {
    const std::string now = run_check(check, c);
    return !now.empty() && skeleton(now) == wanted;
  };
}

std::size_t line_count(const Program& program) {
  const std::string text = print(program);
  std::size_t lines = 0, begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') {
      lines += i > begin;
      begin = i + 1;
    }
  return lines + (begin < text.size());
}

std::string describe(const Case& c, const std::string& check, const std::string& message) {
  std::string text = "# check " + check + ", seed " + std::to_string(c.seed) + "\n# ";
  for (char ch : message) text += ch == '\n' ? std::string("\n# ") : std::string(1, ch);
  text += "\n# on";
  for (const auto& [name, value] : state_of(c).parameters) text += " " + name + "=" + to_text(value);
  return text + "\n" + print(c.program);
}

}  // namespace lathe::testing
