// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/environment.h"

#include <algorithm>

#include "frontend/stencil/constant.h"
#include "frontend/stencil/scan.h"

namespace lathe::stencil {
namespace {

using Kind = Value::Kind;

bool is_stencil_call(const python::Expr& e) {
  const std::string_view name = last_name(e);
  return name == "stencil" || name == "lazy_stencil";
}

// Where it has been decorated, and its own name is bound.
std::uint32_t place_of(const python::FunctionDef& f) { return f.name_span.begin; }

}  // namespace

bool has_computation(const python::FunctionDef& f) {
  return std::any_of(f.body.begin(), f.body.end(), [](const python::Stmt* s) {
    const auto* with = s->try_as<python::With>();
    return with && std::any_of(with->items.begin(), with->items.end(), [](const auto& item) {
             const auto* call = item.context->template try_as<python::Call>();
             return call && last_name(*call->function) == "computation";
           });
  });
}

bool is_gtscript_function(const python::FunctionDef& f) {
  return std::any_of(f.decorators.begin(), f.decorators.end(), [](const python::Expr* d) {
    const auto* call = d->try_as<python::Call>();
    const std::string_view name = last_name(call ? *call->function : *d);
    return name == "function" || name == "lazy_function";
  });
}

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
  functions_.add(module.body);
  Scan scan(module_, functions_);
  scan.body(module.body);
  rebindings_ = scan.rebindings();
  std::vector<const python::FunctionDef*> around;
  find_definitions(module.body, around);
  find_calls(module.body, true);
  settle_functions();
}

// A function that is decorated has its names from there, when some are bound again later.
void Environment::settle_functions() {
  if (rebindings_.empty()) return;
  std::vector<const python::FunctionDef*> functions;  // beside their scopes
  const auto settle = [&](Value& v) {
    if (!v.is(Kind::Function) || v.function == nullptr) return;
    if (v.function->decorators.empty() || rebindings_.back().place <= place_of(*v.function)) return;
    auto at = std::find(functions.begin(), functions.end(), v.function);
    if (at == functions.end()) {
      function_scopes_.emplace_back();
      at = functions.insert(at, v.function);
    }
    v.sees = &function_scopes_[static_cast<std::size_t>(at - functions.begin())];
  };
  for (auto& [name, value] : module_.values) settle(value);
  for (Rebinding& r : rebindings_) settle(r.before);
  for (std::size_t n = 0; n < functions.size(); ++n) see(*functions[n], function_scopes_[n]);
}

void Environment::see(const python::FunctionDef& function, Scope& scope) const {
  scope = module_;
  undo(scope, rebindings_, place_of(function));
  scope.is_function = is_gtscript_function(function);
  const auto note_default = [&](const python::Parameter& p) {
    if (p.default_value == nullptr) return;
    const Value v =
        evaluate(*p.default_value, [&](std::string_view name) { return scope.find(name); });
    if (!v.is(Kind::Unknown)) scope.defaults.emplace(std::string(p.name), v);
  };
  for (const python::Parameter& p : function.parameters->positional_only) note_default(p);
  for (const python::Parameter& p : function.parameters->positional) note_default(p);
  for (const python::Parameter& p : function.parameters->keyword_only) note_default(p);
}

void Environment::find_definitions(python::StmtList body,
                                   std::vector<const python::FunctionDef*>& around) {
  for (const python::Stmt* s : body) {
    if (const auto* f = s->try_as<python::FunctionDef>()) {
      Definition d{f, nullptr, around};
      bool is_stencil = has_computation(*f);
      for (const python::Expr* decorator : f->decorators) {
        const auto* call = decorator->try_as<python::Call>();
        const python::Expr& name = call ? *call->function : *decorator;
        if (is_stencil_call(name)) {
          is_stencil = true;
          d.call = call;
          d.place = place_of(*f);
        }
      }
      if (is_stencil && !is_gtscript_function(*f)) definitions_.push_back(std::move(d));
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

void Environment::note_call(const python::Expr* e, bool at_once) {
  const auto* call = e ? e->try_as<python::Call>() : nullptr;
  if (!call || !is_stencil_call(*call->function)) return;
  const python::Expr* definition = keyword(*call, "definition");
  if (!definition && call->arguments.size() > 1) definition = call->arguments[1];
  if (!definition) return;
  for (Definition& d : definitions_)
    if (d.call == nullptr && d.function->name == last_name(*definition)) {
      d.call = call;
      if (at_once && d.place == Definition::kEnd) d.place = call->span.begin;
    }
}

// `at_once`: not in a function, which runs another time.
void Environment::find_calls(python::StmtList body, bool at_once) {
  for (const python::Stmt* s : body) {
    if (const auto* a = s->try_as<python::Assign>()) note_call(a->value, at_once);
    if (const auto* a = s->try_as<python::AnnAssign>()) note_call(a->value, at_once);
    if (const auto* e = s->try_as<python::ExprStmt>()) note_call(e->value, at_once);
    if (const auto* r = s->try_as<python::Return>()) note_call(r->value, at_once);
    if (const auto* f = s->try_as<python::FunctionDef>()) find_calls(f->body, false);
    if (const auto* c = s->try_as<python::ClassDef>()) find_calls(c->body, at_once);
    if (const auto* i = s->try_as<python::If>()) {
      find_calls(i->body, at_once);
      find_calls(i->otherwise, at_once);
    }
    if (const auto* w = s->try_as<python::With>()) find_calls(w->body, at_once);
    if (const auto* l = s->try_as<python::For>()) {
      find_calls(l->body, at_once);
      find_calls(l->otherwise, at_once);
    }
    if (const auto* l = s->try_as<python::While>()) {
      find_calls(l->body, at_once);
      find_calls(l->otherwise, at_once);
    }
    if (const auto* t = s->try_as<python::Try>()) {
      find_calls(t->body, at_once);
      for (const python::ExceptHandler& h : t->handlers) find_calls(h.body, at_once);
      find_calls(t->otherwise, at_once);
      find_calls(t->finally, at_once);
    }
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
  if (definition.around.empty()) undo(scope, rebindings_, definition.place);
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
    Scan scan(scope, functions_);
    scan.body(f->body);
    if (f == definition.around.back()) undo(scope, scan.rebindings(), definition.place);
  }
  return scope;
}

}  // namespace lathe::stencil
