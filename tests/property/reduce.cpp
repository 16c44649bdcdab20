// SPDX-License-Identifier: Apache-2.0
// The coarse edits of a reduction - items, bodies, guards - and how a reduced case is shown.

#include "reduce.h"

#include <algorithm>

#include "ir/text.h"
#include "ir/traverse.h"
#include "program_slots.h"
#include "reducer.h"

namespace lathe::testing {

using namespace ir;

namespace {

// Takes away the statements, lines, scans and calls that write the array; a read of it is 1.
void forget(Program& p, Symbol array) {
  const auto writes = [&](const Statement& s) {
    return std::any_of(s.targets.begin(), s.targets.end(),
                       [&](const Target& t) { return t.array == array; });
  };
  for (Body* body : all_bodies(p))  // outermost first: what goes away is not visited again
    for (Item& item : *body)
      if (auto* g = std::get_if<Group>(&item.node)) std::erase_if(g->statements, writes);
  std::erase_if(p.arrays, [&](const Array& a) { return a.name == array; });
  const auto gone = [&](const Item& item) {
    if (auto* s = std::get_if<Statement>(&item.node)) return writes(*s);
    if (auto* s = std::get_if<Scan>(&item.node)) return writes(s->statement);
    if (auto* g = std::get_if<Group>(&item.node)) return g->statements.empty();
    if (auto* c = std::get_if<Call>(&item.node))
      return std::find(c->outputs.begin(), c->outputs.end(), array) != c->outputs.end();
    return false;
  };
  for (std::size_t b = 0; b < all_bodies(p).size(); ++b) std::erase_if(*all_bodies(p)[b], gone);
  RawMaker maker(*p.graph);
  for (Expr* slot : all_slots(p))
    *slot = rewrite(maker, *slot, [&](Expr e) -> Expr {
      if (e->op != Op::Read || e->name != array) return nullptr;
      return p.graph->constant(Scalar::of_int(e->dtype, 1));
    });
}

}  // namespace

bool Reducer::drop_arrays() {
  bool any = false;
  for (std::size_t a = result_.smallest.program.arrays.size(); a-- > 0;) {
    if (a >= result_.smallest.program.arrays.size()) continue;
    const Symbol name = result_.smallest.program.arrays[a].name;
    any |= attempt([&](Case& c) {
      forget(c.program, name);
      return true;
    });
  }
  return any;
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

namespace {

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

}  // namespace

bool Reducer::unwrap_items() {
  bool any = false;
  for (std::size_t b = 0; b < all_bodies(result_.smallest.program).size(); ++b) {
    for (std::size_t i = 0; i < all_bodies(result_.smallest.program)[b]->size(); ++i)
      for (int which = 0; which < 4; ++which) {
        any |= attempt(
            [&](Case& c) { return unwrap(c.program, *all_bodies(c.program)[b], i, which); });
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

Reduction reduce(const Case& failing, const Fails& fails, int max_tries) {
  return Reducer(failing, fails, max_tries).run();
}

namespace {

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

}  // namespace

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
  for (const auto& [name, value] : state_of(c).parameters)
    text += " " + name + "=" + to_text(value);
  return text + "\n" + print(c.program);
}

}  // namespace lathe::testing
