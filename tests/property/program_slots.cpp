// SPDX-License-Identifier: Apache-2.0
#include "program_slots.h"

namespace lathe::testing {

using namespace ir;

namespace {

template <class F>
void visit_items(Body& body, F&& f) {
  for (Item& item : body) {
    f(item);
    std::visit(
        [&](auto& n) {
          using T = std::decay_t<decltype(n)>;
          if constexpr (std::is_same_v<T, Branch> || std::is_same_v<T, When>) {
            visit_items(n.then_body, f);
            visit_items(n.else_body, f);
          } else if constexpr (std::is_same_v<T, While> || std::is_same_v<T, Sweep> ||
                               std::is_same_v<T, Repeat>) {
            visit_items(n.body, f);
          }
        },
        item.node);
  }
}

}  // namespace

std::vector<Body*> all_bodies(Program& program) {
  std::vector<Body*> bodies = {&program.body};
  visit_items(program.body, [&](Item& item) {
    for_each_body(item, [&](const Body& b) { bodies.push_back(const_cast<Body*>(&b)); });
  });
  return bodies;
}

std::vector<Statement*> all_statements(Program& program) {
  std::vector<Statement*> all;
  visit_items(program.body, [&](Item& item) {
    if (auto* s = std::get_if<Statement>(&item.node)) all.push_back(s);
    if (auto* s = std::get_if<Scan>(&item.node)) all.push_back(&s->statement);
    if (auto* g = std::get_if<Group>(&item.node))
      for (Statement& s : g->statements) all.push_back(&s);
  });
  return all;
}

std::vector<Domain*> all_domains(Program& program) {
  std::vector<Domain*> domains;
  for (Statement* s : all_statements(program)) domains.push_back(&s->domain);
  visit_items(program.body, [&](Item& item) {
    if (auto* g = std::get_if<Group>(&item.node)) domains.push_back(&g->domain);
    if (auto* b = std::get_if<Branch>(&item.node)) domains.push_back(&b->domain);
    if (auto* w = std::get_if<While>(&item.node)) domains.push_back(&w->domain);
  });
  return domains;
}

std::vector<Expr*> all_slots(Program& program) {
  std::vector<Expr*> slots;
  const auto range = [&](Range& r) {
    slots.push_back(&r.lo);
    slots.push_back(&r.hi);
  };
  for (Statement* s : all_statements(program)) {
    for (Expr& e : s->values) slots.push_back(&e);
    for (Target& t : s->targets)
      for (Expr& e : t.indices) slots.push_back(&e);
  }
  for (Domain* d : all_domains(program)) {
    for (Range& r : d->ranges) range(r);
    if (d->guard) slots.push_back(&d->guard);
  }
  visit_items(program.body, [&](Item& item) {
    if (auto* b = std::get_if<Branch>(&item.node)) slots.push_back(&b->condition);
    if (auto* w = std::get_if<While>(&item.node)) slots.push_back(&w->condition);
    if (auto* w = std::get_if<When>(&item.node)) slots.push_back(&w->condition);
    if (auto* s = std::get_if<Sweep>(&item.node)) range(s->range);
    if (auto* s = std::get_if<Scan>(&item.node)) range(s->range);
    if (auto* r = std::get_if<Repeat>(&item.node)) {
      range(r->range);
      if (r->until) slots.push_back(&r->until);
    }
  });
  return slots;
}

}  // namespace lathe::testing
