// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/changes.h"

#include <algorithm>

#include "frontend/stencil/environment.h"

namespace lathe::stencil {
namespace {

using python::Expr;
using python::ExprKind;

template <std::size_t n>
bool is_in(std::string_view name, const std::string_view (&list)[n]) {
  return std::find(list, list + n, name) != list + n;
}

// Calls that leave their arguments alone; those of the second list hand parts of them on.
bool leaves_alone(const Expr& function) {
  static constexpr std::string_view kNames[] = {
      "stencil", "lazy_stencil", "function", "Field", "print", "len",   "range",     "sum",
      "int",     "float",        "bool",     "str",   "repr",  "round", "isinstance"};
  const std::string_view root = root_name(function);
  return is_in(last_name(function), kNames) || root == "np" || root == "numpy" || root == "math";
}
bool hands_on(const Expr& function) {
  static constexpr std::string_view kNames[] = {"list", "tuple", "dict", "set",       "sorted",
                                                "zip",  "min",   "max",  "enumerate", "reversed"};
  static constexpr std::string_view kMethods[] = {"items", "keys",  "values", "get",
                                                  "copy",  "index", "count"};
  return function.kind == ExprKind::Name ? is_in(last_name(function), kNames)
                                         : is_in(last_name(function), kMethods);
}

void read_only(const Expr& e, Changes& out) {
  Changes inner;
  note_uses(e, inner);
  out.read.merge(inner.changed);
  out.read.merge(inner.read);
}

void note_targets(const Expr& e, Changes& out) {
  if (e.kind == ExprKind::Name) return;
  for (const std::string_view name : target_names(e)) out.changed.insert(name);
}

bool runs_as_stencil(const python::FunctionDef& f) {
  const auto decorates = [](const Expr* d) {
    const auto* call = d->try_as<python::Call>();
    const std::string_view name = last_name(call ? *call->function : *d);
    return name == "stencil" || name == "lazy_stencil";
  };
  return is_gtscript_function(f) || has_computation(f) ||
         std::any_of(f.decorators.begin(), f.decorators.end(), decorates);
}

// Statements right below one.
std::vector<python::StmtList> blocks(const python::Stmt& s) {
  if (const auto* i = s.try_as<python::If>()) return {i->body, i->otherwise};
  if (const auto* l = s.try_as<python::For>()) return {l->body, l->otherwise};
  if (const auto* l = s.try_as<python::While>()) return {l->body, l->otherwise};
  if (const auto* w = s.try_as<python::With>()) return {w->body};
  if (const auto* c = s.try_as<python::ClassDef>()) return {c->body};
  std::vector<python::StmtList> found;
  if (const auto* m = s.try_as<python::Match>())
    for (const python::MatchCase& c : m->cases) found.push_back(c.body);
  if (const auto* t = s.try_as<python::Try>()) {
    found = {t->body, t->otherwise, t->finally};
    for (const python::ExceptHandler& h : t->handlers) found.push_back(h.body);
  }
  return found;
}

}  // namespace

void note_uses(const Expr& e, Changes& out) {
  const auto inside = [&] {
    for (const Expr* part : children(e))
      if (part != nullptr) note_uses(*part, out);
  };
  switch (e.kind) {
    case ExprKind::Name: out.changed.insert(e.as<python::Name>().name); return;
    case ExprKind::Attribute:
    case ExprKind::Subscript:
    case ExprKind::BinOp:
    case ExprKind::UnaryOp:
    case ExprKind::Compare:
    case ExprKind::JoinedStr:
    case ExprKind::Starred:
      for (const Expr* part : children(e))
        if (part != nullptr) read_only(*part, out);
      return;
    case ExprKind::Lambda: return note_uses(*e.as<python::Lambda>().body, out), inside();
    case ExprKind::Call: {
      const auto& c = e.as<python::Call>();
      Changes arguments;
      for (const Expr* part : children(e))
        if (part != nullptr && part != c.function) note_uses(*part, arguments);
      if (leaves_alone(*c.function)) return;
      const bool gently = hands_on(*c.function);
      out.read.merge(arguments.read);
      (gently ? out.read : out.changed).merge(arguments.changed);
      if (c.function->kind == ExprKind::Name) return;
      if (const std::string_view root = root_name(*c.function); !root.empty())
        (gently ? out.read : out.changed).insert(root);
      else
        note_uses(*c.function, out);
      return;
    }
    default: inside();
  }
}

void note_changes(python::StmtList body, Changes& out) {
  for (const python::Stmt* s : body) {
    if (const auto* g = s->try_as<python::Global>())
      out.bound.insert(g->names.begin(), g->names.end());
    if (const auto* n = s->try_as<python::Nonlocal>())
      out.bound.insert(n->names.begin(), n->names.end());
    for (const Expr* e : computed(*s))
      s->kind == python::StmtKind::For ? read_only(*e, out) : note_uses(*e, out);
    for (const Expr* e : targets(*s)) note_targets(*e, out);
    if (const auto* a = s->try_as<python::AugAssign>())
      out.changed.insert(root_name(*a->target));  // L += [1]
    for_each_expression(*s, [&](const Expr& e) {
      if (const std::string_view name = last_name(e); !name.empty()) out.mentioned.insert(name);
      if (const auto* l = e.try_as<python::Lambda>())
        for_each_expression(*l->body, [&](const Expr& inner) {
          if (const std::string_view n = last_name(inner); !n.empty()) out.mentioned.insert(n);
        });
    });
    for (const python::StmtList block : blocks(*s)) note_changes(block, out);
  }
}

void FunctionTable::add(python::StmtList body) {
  for (const python::Stmt* s : body) {
    if (const auto* f = s->try_as<python::FunctionDef>()) {
      if (runs_as_stencil(*f)) continue;
      bodies_[f->name].push_back(f->body);
      add(f->body);
      continue;
    }
    if (const auto* c = s->try_as<python::ClassDef>()) {
      classes_.insert(c->name);
      // Calling a class runs methods of it.
      for (const python::Stmt* inner : c->body)
        if (const auto* f = inner->try_as<python::FunctionDef>())
          bodies_[c->name].push_back(f->body);
    }
    for (const python::StmtList block : blocks(*s)) add(block);
  }
}

Changes FunctionTable::changes(const NameSet& names) const {
  Changes all;
  NameSet seen;
  std::vector<std::string_view> open(names.begin(), names.end());
  while (!open.empty()) {
    const std::string_view name = open.back();
    open.pop_back();
    const auto at = bodies_.find(name);
    if (at == bodies_.end() || !seen.insert(name).second) continue;
    Changes here;
    for (const python::StmtList body : at->second) {
      note_changes(body, here);
      // Functions inside are called under their names, or handed on.
      for (const python::Stmt* s : body)
        if (const auto* f = s->try_as<python::FunctionDef>()) here.mentioned.insert(f->name);
    }
    // Methods change their class by names that it has only there.
    for (const std::string_view word : {"cls", "type", "__class__"})
      if (here.mentioned.count(word) != 0) all.changed.insert(classes_.begin(), classes_.end());
    open.insert(open.end(), here.mentioned.begin(), here.mentioned.end());
    all.bound.merge(here.bound);
    all.changed.merge(here.changed);
    all.read.merge(here.read);
    all.mentioned.merge(here.mentioned);
  }
  return all;
}

Changes FunctionTable::changes_of_all() const {
  NameSet names;
  for (const auto& [name, bodies] : bodies_) names.insert(name);
  return changes(names);
}

}  // namespace lathe::stencil
