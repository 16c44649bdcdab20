// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/environment.h"

#include <algorithm>

#include "frontend/stencil/constant.h"

namespace lathe::stencil {
namespace {

using python::StmtKind;
using Kind = Value::Kind;

bool is_stencil_call(const python::Expr& e) {
  const std::string_view name = last_name(e);
  return name == "stencil" || name == "lazy_stencil";
}

bool has_computation(const python::FunctionDef& f) {
  return std::any_of(f.body.begin(), f.body.end(), [](const python::Stmt* s) {
    const auto* with = s->try_as<python::With>();
    if (!with || with->items.empty()) return false;
    const auto* call = with->items[0].context->try_as<python::Call>();
    return call && last_name(*call->function) == "computation";
  });
}

// Fills a scope from statements, top to bottom.
class Scan {
 public:
  explicit Scan(Scope& scope, const Scope* outer = nullptr) : scope_(scope), outer_(outer) {}

  void body(python::StmtList statements) {
    for (const python::Stmt* s : statements) statement(*s);
  }

 private:
  void bind(std::string_view name, Value value) {
    scope_.values.insert_or_assign(std::string(name), std::move(value));
  }

  Value value_of(const python::Expr& e) const {
    return evaluate(e, [&](std::string_view name) -> const Value* {
      const auto at = scope_.values.find(name);
      if (at != scope_.values.end()) return &at->second;
      return outer_ ? outer_->find(name) : gtscript_name(name);
    });
  }

  void assign(const python::Expr& target, const python::Expr& value) {
    if (const auto* name = target.try_as<python::Name>()) {
      scope_.assigned.insert_or_assign(std::string(name->name), &value);
      bind(name->name, value_of(value));
    }
    const auto* names = target.try_as<python::Tuple>();
    const auto* values = value.try_as<python::Tuple>();
    if (names && values && names->elements.size() == values->elements.size())
      for (std::size_t i = 0; i < names->elements.size(); ++i)
        assign(*names->elements[i], *values->elements[i]);
  }

  void import_names(const python::ImportFrom& from) {
    const std::string module(from.module);
    for (const python::Alias& alias : from.names) {
      const std::string_view as = alias.as_name.empty() ? alias.name : alias.as_name;
      if (const Value* known = known_module(module)) {
        if (alias.name == "*") {
          for (const auto& [name, value] : *known->members) bind(name, value);
          continue;
        }
        if (const auto at = known->members->find(alias.name); at != known->members->end()) {
          bind(as, at->second);
          continue;
        }
      }
      if (const Value* inner = known_module(
              module.empty() ? std::string(alias.name) : module + "." + std::string(alias.name))) {
        bind(as, *inner);
      } else if (const Value* word = gtscript_name(alias.name)) {
        bind(as, *word);  // other packages pass GTScript's names on
      } else {
        bind(as, Value::unknown("'" + std::string(alias.name) + "', which is imported from '" +
                                module + "'"));
      }
    }
  }

  void import_module(const python::Import& import) {
    for (const python::Alias& alias : import.names) {
      const Value* known = known_module(alias.name);
      if (!alias.as_name.empty()) {
        bind(alias.as_name,
             known ? *known : Value::unknown("the module '" + std::string(alias.name) + "'"));
        continue;
      }
      // import a.b.c binds a, in which b holds c.
      std::string_view rest = alias.name;
      Value value = known ? *known : Value::unknown("the module '" + std::string(rest) + "'");
      for (std::size_t dot; (dot = rest.rfind('.')) != rest.npos; rest = rest.substr(0, dot)) {
        Members around;
        around.emplace(std::string(rest.substr(dot + 1)), std::move(value));
        value = Value::scope(Kind::Namespace, std::move(around));
      }
      bind(rest, std::move(value));
    }
  }

  void class_def(const python::ClassDef& c) {
    const bool is_enum = std::any_of(c.bases.begin(), c.bases.end(), [](const python::Expr* b) {
      return last_name(*b) == "IntEnum";
    });
    Scope inner;
    Scan(inner, &scope_).body(c.body);
    Members members;
    for (auto& [name, value] : inner.values)
      if (value.is_constant() || !is_enum) members.emplace(name, value);
    bind(c.name, Value::scope(is_enum ? Kind::Enum : Kind::Namespace, std::move(members)));
  }

  void statement(const python::Stmt& s) {
    switch (s.kind) {
      case StmtKind::Assign: {
        const auto& a = s.as<python::Assign>();
        for (const python::Expr* target : a.targets) assign(*target, *a.value);
        break;
      }
      case StmtKind::AnnAssign: {
        const auto& a = s.as<python::AnnAssign>();
        if (a.value) assign(*a.target, *a.value);
        break;
      }
      case StmtKind::AugAssign: {
        const auto& a = s.as<python::AugAssign>();
        if (const auto* name = a.target->try_as<python::Name>())
          bind(name->name, Value::unknown("'" + std::string(name->name) + "', which changes"));
        break;
      }
      case StmtKind::FunctionDef: {
        const auto& f = s.as<python::FunctionDef>();
        Value v;
        v.kind = Kind::Function;
        v.text = f.name;
        v.function = &f;
        bind(f.name, std::move(v));
        break;
      }
      case StmtKind::ClassDef: class_def(s.as<python::ClassDef>()); break;
      case StmtKind::Import: import_module(s.as<python::Import>()); break;
      case StmtKind::ImportFrom: import_names(s.as<python::ImportFrom>()); break;
      case StmtKind::If: {
        const auto& i = s.as<python::If>();
        const Value c = value_of(*i.condition);
        if (c.is(Kind::Unknown) || truth(c)) body(i.body);
        if (c.is(Kind::Unknown) || !truth(c)) body(i.otherwise);
        break;
      }
      case StmtKind::Try: {
        const auto& t = s.as<python::Try>();
        for (const python::ExceptHandler& h : t.handlers) body(h.body);
        body(t.body);
        body(t.otherwise);
        body(t.finally);
        break;
      }
      case StmtKind::With: body(s.as<python::With>().body); break;
      default: break;
    }
  }

  Scope& scope_;
  const Scope* outer_;  // a class body sees the names around it
};

}  // namespace

std::string_view last_name(const python::Expr& e) {
  if (const auto* name = e.try_as<python::Name>()) return name->name;
  if (const auto* attribute = e.try_as<python::Attribute>()) return attribute->name;
  return {};
}

const python::Expr* keyword(const python::Call& call, std::string_view name) {
  for (const python::Keyword& k : call.keywords)
    if (k.name == name) return k.value;
  return nullptr;
}

const Value* Scope::find(std::string_view name) const {
  const auto at = values.find(name);
  return at == values.end() ? gtscript_name(name) : &at->second;
}

Environment::Environment(const python::Module& module) {
  Scan(module_).body(module.body);
  std::vector<const python::FunctionDef*> around;
  find_definitions(module.body, around);
  find_calls(module.body);
}

void Environment::find_definitions(python::StmtList body,
                                   std::vector<const python::FunctionDef*>& around) {
  for (const python::Stmt* s : body) {
    if (const auto* f = s->try_as<python::FunctionDef>()) {
      Definition d{f, nullptr, around};
      bool is_stencil = has_computation(*f);
      bool is_function = false;
      for (const python::Expr* decorator : f->decorators) {
        const auto* call = decorator->try_as<python::Call>();
        const python::Expr& name = call ? *call->function : *decorator;
        if (is_stencil_call(name)) is_stencil = true, d.call = call;
        if (last_name(name) == "function" || last_name(name) == "lazy_function") is_function = true;
      }
      if (is_stencil && !is_function) definitions_.push_back(std::move(d));
      around.push_back(f);
      find_definitions(f->body, around);
      around.pop_back();
    } else if (const auto* c = s->try_as<python::ClassDef>()) {
      find_definitions(c->body, around);
    } else if (const auto* i = s->try_as<python::If>()) {
      find_definitions(i->body, around);
      find_definitions(i->otherwise, around);
    } else if (const auto* t = s->try_as<python::Try>()) {
      find_definitions(t->body, around);
    }
  }
}

void Environment::note_call(const python::Expr* e) {
  const auto* call = e ? e->try_as<python::Call>() : nullptr;
  if (!call || !is_stencil_call(*call->function)) return;
  const python::Expr* definition = keyword(*call, "definition");
  if (!definition && call->arguments.size() > 1) definition = call->arguments[1];
  if (!definition) return;
  for (Definition& d : definitions_)
    if (d.call == nullptr && d.function->name == last_name(*definition)) d.call = call;
}

void Environment::find_calls(python::StmtList body) {
  for (const python::Stmt* s : body) {
    if (const auto* a = s->try_as<python::Assign>()) note_call(a->value);
    if (const auto* a = s->try_as<python::AnnAssign>()) note_call(a->value);
    if (const auto* e = s->try_as<python::ExprStmt>()) note_call(e->value);
    if (const auto* r = s->try_as<python::Return>()) note_call(r->value);
    if (const auto* f = s->try_as<python::FunctionDef>()) find_calls(f->body);
    if (const auto* c = s->try_as<python::ClassDef>()) find_calls(c->body);
    if (const auto* i = s->try_as<python::If>()) find_calls(i->body), find_calls(i->otherwise);
  }
}

const Definition* Environment::find(std::string_view name) const {
  const Definition* found = nullptr;
  for (const Definition& d : definitions_)
    if (d.function->name == name) found = &d;
  return found;
}

Scope Environment::scope_of(const Definition& definition) const {
  Scope scope = module_;
  for (const python::FunctionDef* f : definition.around) {
    // Parameters of a function around hide the file's names; their values come at run time.
    const auto hide = [&](const python::Parameter& p) {
      scope.values.insert_or_assign(
          std::string(p.name), Value::unknown("the parameter '" + std::string(p.name) + "' of '" +
                                              std::string(f->name) + "'"));
    };
    for (const python::Parameter& p : f->parameters->positional_only) hide(p);
    for (const python::Parameter& p : f->parameters->positional) hide(p);
    for (const python::Parameter& p : f->parameters->keyword_only) hide(p);
    Scan(scope).body(f->body);
  }
  return scope;
}

}  // namespace lathe::stencil
