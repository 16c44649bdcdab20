// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/bound_names.h"

#include <vector>

namespace lathe::stencil {
namespace {

using python::Expr;
using python::ExprKind;

void note_target(const Expr* e, NameSet& out) {
  if (e == nullptr) return;
  const auto each = [&](python::ExprList elements) {
    for (const Expr* part : elements) note_target(part, out);
  };
  switch (e->kind) {
    case ExprKind::Tuple: return each(e->as<python::Tuple>().elements);
    case ExprKind::List: return each(e->as<python::List>().elements);
    case ExprKind::Starred: return note_target(e->as<python::Starred>().value, out);
    default:
      if (const std::string_view name = root_name(*e); !name.empty()) out.insert(name);
  }
}

void note_pattern(const python::Pattern* p, NameSet& out) {
  if (p == nullptr) return;
  const auto name = [&](std::string_view n) {
    if (!n.empty()) out.insert(n);
  };
  const auto each = [&](python::PatternList patterns) {
    for (const python::Pattern* inner : patterns) note_pattern(inner, out);
  };
  switch (p->kind) {
    case python::PatternKind::Value:
    case python::PatternKind::Singleton: return;
    case python::PatternKind::Sequence: return each(p->as<python::MatchSequence>().patterns);
    case python::PatternKind::Mapping:
      name(p->as<python::MatchMapping>().rest);
      return each(p->as<python::MatchMapping>().patterns);
    case python::PatternKind::Class:
      each(p->as<python::MatchClass>().patterns);
      return each(p->as<python::MatchClass>().named_patterns);
    case python::PatternKind::Star: return name(p->as<python::MatchStar>().name);
    case python::PatternKind::As:
      name(p->as<python::MatchAs>().name);
      return note_pattern(p->as<python::MatchAs>().pattern, out);
    case python::PatternKind::Or: return each(p->as<python::MatchOr>().patterns);
  }
}

void note(python::StmtList body, NameSet& out);

// What a statement binds, but for the statements in it.
void note_own(const python::Stmt& s, NameSet& out) {
  if (const auto* a = s.try_as<python::Assign>())
    for (const Expr* target : a->targets) note_target(target, out);
  if (const auto* a = s.try_as<python::AnnAssign>(); a && a->value) note_target(a->target, out);
  if (const auto* a = s.try_as<python::AugAssign>()) note_target(a->target, out);
  if (const auto* d = s.try_as<python::Delete>())
    for (const Expr* target : d->targets) note_target(target, out);
  if (const auto* f = s.try_as<python::FunctionDef>()) out.insert(f->name);
  if (const auto* c = s.try_as<python::ClassDef>()) out.insert(c->name);
  if (const auto* t = s.try_as<python::TypeAlias>()) note_target(t->name, out);
  if (const auto* l = s.try_as<python::For>()) note_target(l->target, out);
  if (const auto* w = s.try_as<python::With>())
    for (const python::WithItem& item : w->items) note_target(item.target, out);
  if (const auto* i = s.try_as<python::Import>())
    for (const python::Alias& alias : i->names)
      out.insert(alias.as_name.empty() ? alias.name.substr(0, alias.name.find('.'))
                                       : alias.as_name);
  if (const auto* i = s.try_as<python::ImportFrom>())
    for (const python::Alias& alias : i->names)
      out.insert(alias.as_name.empty() ? alias.name : alias.as_name);
  for_each_expression(s, [&](const Expr& e) {
    if (const auto* named = e.try_as<python::NamedExpr>()) note_target(named->target, out);
  });
}

void note(const python::Stmt& s, NameSet& out) {
  note_own(s, out);
  if (const auto* i = s.try_as<python::If>()) note(i->body, out), note(i->otherwise, out);
  if (const auto* l = s.try_as<python::For>()) note(l->body, out), note(l->otherwise, out);
  if (const auto* l = s.try_as<python::While>()) note(l->body, out), note(l->otherwise, out);
  if (const auto* w = s.try_as<python::With>()) note(w->body, out);
  if (const auto* m = s.try_as<python::Match>())
    for (const python::MatchCase& c : m->cases) {
      note_pattern(c.pattern, out);
      note(c.body, out);
    }
  if (const auto* t = s.try_as<python::Try>()) {
    note(t->body, out);
    for (const python::ExceptHandler& h : t->handlers) {
      if (!h.name.empty()) out.insert(h.name);
      note(h.body, out);
    }
    note(t->otherwise, out);
    note(t->finally, out);
  }
}

void note(python::StmtList body, NameSet& out) {
  for (const python::Stmt* s : body) note(*s, out);
}

using Children = std::vector<const Expr*>;

void add(Children& out, python::ExprList list) { out.insert(out.end(), list.begin(), list.end()); }

void add_defaults(const python::Parameters& parameters, Children& out) {
  for (const auto* list :
       {&parameters.positional_only, &parameters.positional, &parameters.keyword_only})
    for (const python::Parameter& p : *list) out.push_back(p.default_value);
}

void add_children(const Expr& e, Children& out) {
  switch (e.kind) {
    case ExprKind::BoolOp: return add(out, e.as<python::BoolOp>().values);
    case ExprKind::NamedExpr: return out.push_back(e.as<python::NamedExpr>().value);
    case ExprKind::BinOp:
      out.push_back(e.as<python::BinOp>().left);
      return out.push_back(e.as<python::BinOp>().right);
    case ExprKind::UnaryOp: return out.push_back(e.as<python::UnaryOp>().operand);
    case ExprKind::IfExp: {
      const auto& i = e.as<python::IfExp>();
      out.insert(out.end(), {i.condition, i.yes, i.no});
      return;
    }
    case ExprKind::Dict:
      add(out, e.as<python::Dict>().keys);
      return add(out, e.as<python::Dict>().values);
    case ExprKind::Set: return add(out, e.as<python::Set>().elements);
    case ExprKind::Comprehension: {
      const auto& c = e.as<python::Comprehension>();
      out.insert(out.end(), {c.element, c.value});
      for (const python::ForClause& clause : c.clauses) {
        out.push_back(clause.iterable);
        add(out, clause.conditions);
      }
      return;
    }
    case ExprKind::Await: return out.push_back(e.as<python::Await>().value);
    case ExprKind::Compare:
      out.push_back(e.as<python::Compare>().left);
      return add(out, e.as<python::Compare>().comparators);
    case ExprKind::Call: {
      const auto& c = e.as<python::Call>();
      out.push_back(c.function);
      add(out, c.arguments);
      for (const python::Keyword& k : c.keywords) out.push_back(k.value);
      return;
    }
    case ExprKind::Attribute: return out.push_back(e.as<python::Attribute>().value);
    case ExprKind::Subscript:
      out.push_back(e.as<python::Subscript>().value);
      return out.push_back(e.as<python::Subscript>().index);
    case ExprKind::Starred: return out.push_back(e.as<python::Starred>().value);
    case ExprKind::List: return add(out, e.as<python::List>().elements);
    case ExprKind::Tuple: return add(out, e.as<python::Tuple>().elements);
    case ExprKind::FormattedValue:
      out.push_back(e.as<python::FormattedValue>().format);
      return out.push_back(e.as<python::FormattedValue>().value);
    case ExprKind::JoinedStr: return add(out, e.as<python::JoinedStr>().values);
    case ExprKind::Yield: return out.push_back(e.as<python::Yield>().value);
    case ExprKind::YieldFrom: return out.push_back(e.as<python::YieldFrom>().value);
    case ExprKind::Lambda: return add_defaults(*e.as<python::Lambda>().parameters, out);
    case ExprKind::Constant:
    case ExprKind::Name: return;
    case ExprKind::Slice: {
      const auto& slice = e.as<python::Slice>();
      out.insert(out.end(), {slice.lower, slice.upper, slice.step});
      return;
    }
  }
}

}  // namespace

NameSet bound_names(python::StmtList body) {
  NameSet names;
  note(body, names);
  return names;
}

NameSet bound_names(const python::Stmt& statement) {
  NameSet names;
  note(statement, names);
  return names;
}

NameSet target_names(const Expr& target) {
  NameSet names;
  note_target(&target, names);
  return names;
}

std::string_view root_name(const Expr& e) {
  const Expr* at = &e;
  while (true) {
    if (const auto* s = at->try_as<python::Subscript>())
      at = s->value;
    else if (const auto* a = at->try_as<python::Attribute>())
      at = a->value;
    else
      break;
  }
  const auto* name = at->try_as<python::Name>();
  return name ? name->name : std::string_view();
}

void for_each_expression(const Expr& e, FunctionRef<void(const Expr&)> f) {
  Children open = {&e};
  while (!open.empty()) {
    const Expr* at = open.back();
    open.pop_back();
    if (at == nullptr) continue;
    f(*at);
    add_children(*at, open);
  }
}

Children children(const Expr& e) {
  Children found;
  add_children(e, found);
  return found;
}

Children computed(const python::Stmt& s) {
  Children found;
  const auto each = [&](const Expr* e) { found.push_back(e); };
  const auto all = [&](python::ExprList list) { add(found, list); };
  if (const auto* a = s.try_as<python::Assign>()) each(a->value);
  if (const auto* a = s.try_as<python::AnnAssign>()) each(a->value);
  if (const auto* a = s.try_as<python::AugAssign>()) each(a->value);
  if (const auto* e = s.try_as<python::ExprStmt>()) each(e->value);
  if (const auto* i = s.try_as<python::If>()) each(i->condition);
  if (const auto* l = s.try_as<python::For>()) each(l->iterable);
  if (const auto* l = s.try_as<python::While>()) each(l->condition);
  if (const auto* r = s.try_as<python::Return>()) each(r->value);
  if (const auto* r = s.try_as<python::Raise>()) each(r->exception), each(r->cause);
  if (const auto* a = s.try_as<python::Assert>()) each(a->condition), each(a->message);
  if (const auto* m = s.try_as<python::Match>()) {
    each(m->subject);
    for (const python::MatchCase& c : m->cases) each(c.guard);
  }
  if (const auto* t = s.try_as<python::Try>())
    for (const python::ExceptHandler& h : t->handlers) each(h.type);
  if (const auto* w = s.try_as<python::With>())
    for (const python::WithItem& item : w->items) each(item.context);
  if (const auto* c = s.try_as<python::ClassDef>()) {
    all(c->decorators), all(c->bases);
    for (const python::Keyword& k : c->keywords) each(k.value);
  }
  if (const auto* f = s.try_as<python::FunctionDef>()) {
    add_defaults(*f->parameters, found);
    all(f->decorators);
  }
  std::erase(found, nullptr);
  return found;
}

Children targets(const python::Stmt& s) {
  Children found;
  if (const auto* a = s.try_as<python::Assign>()) add(found, a->targets);
  if (const auto* a = s.try_as<python::AnnAssign>()) found.push_back(a->target);
  if (const auto* a = s.try_as<python::AugAssign>()) found.push_back(a->target);
  if (const auto* d = s.try_as<python::Delete>()) add(found, d->targets);
  if (const auto* l = s.try_as<python::For>()) found.push_back(l->target);
  if (const auto* w = s.try_as<python::With>())
    for (const python::WithItem& item : w->items) found.push_back(item.target);
  std::erase(found, nullptr);
  return found;
}

void for_each_expression(const python::Stmt& s, FunctionRef<void(const Expr&)> f) {
  for (const Expr* e : computed(s)) for_each_expression(*e, f);
  for (const Expr* e : targets(s)) for_each_expression(*e, f);
}

}  // namespace lathe::stencil
