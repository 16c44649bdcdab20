// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/scan.h"

#include <algorithm>
#include <utility>

#include "base/quoted.h"
#include "frontend/stencil/constant.h"

namespace lathe::stencil {
namespace {

using python::StmtKind;
using Kind = Value::Kind;

constexpr std::string_view kUnknownIf = "depends on a condition that only Python can evaluate";
constexpr std::string_view kUnknownTry = "depends on what a 'try' comes to";

// if TYPE_CHECKING:    if __name__ == "__main__":
// Not run by who imports the file.
bool never_runs(const python::Expr& condition) {
  if (last_name(condition) == "TYPE_CHECKING") return true;
  const auto* c = condition.try_as<python::Compare>();
  return c && last_name(*c->left) == "__name__" && c->ops.size() == 1 &&
         c->ops[0] == python::CompareOperator::Eq;
}

bool raises(python::StmtList body) { return !body.empty() && body.back()->kind == StmtKind::Raise; }

// What changes without being bound.
bool is_container(const Value& v) {
  return v.is(Kind::Tuple) || v.is(Kind::Dict) || v.is(Kind::Namespace);
}

constexpr std::size_t kMostKept = 100000;

std::size_t weight(const Value& v) {
  std::size_t n = 1;
  for (const Value& e : v.elements) n += weight(e);
  if (v.members)
    for (const auto& [name, inner] : *v.members) n += weight(inner);
  return n;
}

// Is it the container, or does it hold it? Lists that are equal may be the same one.
bool holds(const Value& v, const Value& container) {
  if (!is_container(v)) return false;
  if (v.members ? v.members == container.members : same_value(v, container)) return true;
  const auto in = [&](const Value& inner) { return holds(inner, container); };
  if (v.members)
    return std::any_of(v.members->begin(), v.members->end(),
                       [&](const auto& m) { return in(m.second); });
  return std::any_of(v.elements.begin(), v.elements.end(), in);
}

bool holds_containers(const Value& v) {
  if (v.members)
    return std::any_of(v.members->begin(), v.members->end(),
                       [](const auto& m) { return is_container(m.second); });
  return std::any_of(v.elements.begin(), v.elements.end(), is_container);
}

// What imports make; the file is believed not to change it.
bool is_module(const Value& v) {
  for (const std::string_view name : {"gtscript", "numpy", "math", "types"})
    if (v.members && v.members == known_module(name)->members) return true;
  if (!v.is(Kind::Namespace) || v.members->size() != 1) return false;
  const Value& inner = v.members->begin()->second;  // import a.b
  return inner.imported || is_module(inner);
}

// A list or a dict in which an element is another one.
std::optional<Value> with_element(Value whole, const Value& index, const Value& element) {
  if (whole.is(Kind::Tuple) && index.is(Kind::Int)) {
    const auto n = static_cast<std::int64_t>(whole.elements.size());
    const std::int64_t at = index.integer < 0 ? index.integer + n : index.integer;
    if (at < 0 || at >= n) return std::nullopt;
    whole.elements[static_cast<std::size_t>(at)] = element;
    return whole;
  }
  if (!whole.is(Kind::Dict) || !index.is(Kind::String)) return std::nullopt;
  Members members = *whole.members;
  members.insert_or_assign(index.text, element);
  return Value::scope(Kind::Dict, std::move(members));
}

// Those of a tuple or list.
std::optional<python::ExprList> elements_of(const python::Expr& e) {
  if (const auto* t = e.try_as<python::Tuple>()) return t->elements;
  if (const auto* l = e.try_as<python::List>()) return l->elements;
  return std::nullopt;
}

bool is_auto(const python::Expr& e) {
  const auto* call = e.try_as<python::Call>();
  return call && last_name(*call->function) == "auto";
}

}  // namespace

void Scan::body(python::StmtList statements) {
  for (const python::Stmt* s : statements) {
    place_ = std::max(place_, s->span.begin);
    effects(*s);
    statement(*s);
    place_ = std::max(place_, s->span.end);
  }
}

Scan::Binding Scan::binding(std::string_view name) const {
  Binding b;
  if (const auto at = scope_.values.find(name); at != scope_.values.end()) b.value = at->second;
  if (const auto at = scope_.assigned.find(name); at != scope_.assigned.end())
    b.assigned = at->second;
  return b;
}

void Scan::bind(std::string_view name, Value value, const python::Expr* assigned) {
  restore(name, {std::move(value), assigned});
}

void Scan::restore(std::string_view name, const Binding& now) {
  Binding before = binding(name);
  // A long file that fills a dict line by line would keep as many dicts.
  const bool grows = before.value && now.value && is_container(*now.value);
  if (kept_ > kMostKept && grows && !is_module(*now.value))
    return restore(name, {Value::unknown(quoted(name) + ", which changes too often"), nullptr});
  if (before.value) {
    kept_ += is_container(*before.value) ? weight(*before.value) : 0;
    rebindings_.push_back({place_, std::string(name), std::move(*before.value), before.assigned});
  }
  if (const auto at = scope_.values.find(name); at != scope_.values.end()) scope_.values.erase(at);
  if (const auto at = scope_.assigned.find(name); at != scope_.assigned.end())
    scope_.assigned.erase(at);
  if (now.value) scope_.values.emplace(std::string(name), *now.value);
  if (now.assigned) scope_.assigned.emplace(std::string(name), now.assigned);
}

void Scan::forget(const NameSet& names, std::string_view why) {
  for (const std::string_view name : names)
    bind(name, Value::unknown(quoted(name) + ", which " + std::string(why)));
}

Value Scan::value_of(const python::Expr& e) const {
  return evaluate(e, [&](std::string_view name) -> const Value* {
    const auto at = scope_.values.find(name);
    if (at != scope_.values.end()) return &at->second;
    return outer_ ? outer_->find(name) : gtscript_name(name);
  });
}

// --- What may or may not run.

Scan::Bindings Scan::outcome(const NameSet& names, FunctionRef<void()> run) {
  Bindings before, after;
  for (const std::string_view name : names) before.emplace(name, binding(name));
  run();
  for (const std::string_view name : names) after.emplace(name, binding(name));
  for (const auto& [name, binding] : before) restore(name, binding);
  return after;
}

// A name that only some of the sides bind is what those make of it: without them it is nothing.
void Scan::join(const NameSet& names, const std::vector<Bindings>& sides, std::string_view why) {
  for (const std::string_view name : names) {
    const Binding* first = nullptr;
    bool same = true;
    for (const Bindings& side : sides) {
      const Binding& b = side.at(name);
      if (!b.value) continue;
      if (first == nullptr) first = &b;
      same = same && same_value(*first->value, *b.value) &&
             (first->assigned == b.assigned || !b.value->is(Kind::Unknown));
    }
    if (!same)
      forget({name}, why);
    else if (first != nullptr)
      restore(name, Binding(*first));
  }
}

void Scan::conditional(const python::If& i) {
  if (never_runs(*i.condition)) {
    const NameSet names = bound_names(i.body);
    const bool runs = std::exchange(runs_, false);
    const Bindings inside = outcome(names, [&] { body(i.body); });
    runs_ = runs;
    body(i.otherwise);
    for (const auto& [name, b] : inside)
      if (b.value && !binding(name).value) restore(name, b);
    return;
  }
  const Value c = value_of(*i.condition);
  if (!c.is(Kind::Unknown)) return body(truth(c) ? i.body : i.otherwise);
  effects_inside(i.body);
  effects_inside(i.otherwise);
  NameSet names = bound_names(i.body);
  names.merge(bound_names(i.otherwise));
  const Bindings then_side = outcome(names, [&] { body(i.body); });
  const Bindings else_side = outcome(names, [&] { body(i.otherwise); });
  join(names, {then_side, else_side}, kUnknownIf);
}

// try: import numpy as np    except ImportError: np = None
// An import of what stencils know is believed; otherwise it depends.
void Scan::attempt(const python::Try& t) {
  effects_inside(t.body);
  effects_inside(t.otherwise);
  for (const python::ExceptHandler& h : t.handlers) effects_inside(h.body);
  NameSet names = bound_names(t.body);
  names.merge(bound_names(t.otherwise));
  for (const python::ExceptHandler& h : t.handlers) names.merge(bound_names(h.body));
  std::vector<Bindings> sides;
  sides.push_back(outcome(names, [&] {
    body(t.body);
    body(t.otherwise);
  }));
  for (const python::ExceptHandler& h : t.handlers) {
    if (raises(h.body)) continue;
    Bindings handled = outcome(names, [&] { body(h.body); });
    for (auto& [name, b] : handled) {
      const Binding& tried = sides[0].at(name);
      if (b.value && b.value->is(Kind::None) && tried.value && !tried.value->is_constant())
        b = tried;
    }
    sides.push_back(std::move(handled));
  }
  join(names, sides, kUnknownTry);
  body(t.finally);
}

// --- Statements.

// Names that change inside of expressions: n := 3, what called functions change, lists and dicts
// that somebody else gets hold of.
void Scan::effects(const python::Stmt& s) {
  if (!runs_) return;
  for_each_expression(s, [&](const python::Expr& e) {
    if (const auto* named = e.try_as<python::NamedExpr>())
      forget({root_name(*named->target)}, "':=' assigns");
  });
  calls(s);
  for (const python::Expr* e : computed(s)) escape(*e);
}

// Of statements that may run, at times that are not known.
void Scan::effects_inside(python::StmtList body) {
  if (!runs_) return;
  Changes here;
  note_changes(body, here);
  NameSet names = here.mentioned;
  for (const std::string_view name : here.mentioned)
    if (const auto at = scope_.values.find(name);
        at != scope_.values.end() && at->second.function != nullptr)
      names.insert(at->second.function->name);
  apply_changes(functions_.changes(names), "a function changes");
  apply_changes(here, "has parts that change");
}
void Scan::effects_inside(const python::Stmt& s) {
  const python::Stmt* one[] = {&s};
  effects_inside(python::StmtList(one));
}

void Scan::calls(const python::Stmt& s) {
  const auto* f = s.try_as<python::FunctionDef>();
  const auto* c = s.try_as<python::ClassDef>();
  bool calls =
      s.kind == StmtKind::With || (f && !f->decorators.empty()) || (c && !c->decorators.empty());
  bool any = false;  // function may be the one that is called
  std::string who = "a function";
  NameSet names;
  for_each_expression(s, [&](const python::Expr& e) {
    if (const auto* call = e.try_as<python::Call>()) {
      calls = true;
      const std::string_view name = last_name(*call->function);
      if (functions_.has(name) || (!name.empty() && value_of(*call->function).is(Kind::Function)))
        who = "function " + quoted(name);
      call_effects(*call, names, any);
    }
    if (const std::string_view name = last_name(e); !name.empty()) names.insert(name);
    if (const auto* name = e.try_as<python::Name>())
      if (const Value v = value_of(*name); v.function != nullptr) names.insert(v.function->name);
  });
  if (!calls) return;
  apply_changes(any ? functions_.changes_of_all() : functions_.changes(names), who + " changes");
}

void Scan::call_effects(const python::Call& call, NameSet& names, bool& any) {
  const python::Expr& function = *call.function;
  const Value v = value_of(function);
  if (v.function != nullptr) names.insert(v.function->name);
  if (const auto* name = function.try_as<python::Name>()) {
    for (const std::string_view word : {"exec", "eval", "globals", "locals", "vars"})
      if (name->name == word) forget_everything(word);
    if ((name->name == "setattr" || name->name == "delattr") && !call.arguments.empty())
      change(*call.arguments[0], Value());
    any = any || (v.is(Kind::Unknown) && !v.imported && scope_.find(name->name) != nullptr);
  } else if (const auto* a = function.try_as<python::Attribute>()) {
    const Value of = value_of(*a->value);
    any = any || (v.is(Kind::Unknown) && of.is(Kind::Namespace) && !is_module(of));
  } else {
    const auto* made = function.try_as<python::Call>();
    const std::string_view by = made ? last_name(*made->function) : std::string_view();
    any = any || (by != "stencil" && by != "lazy_stencil" && by != "function");
  }
}

void Scan::forget_everything(std::string_view call) {
  std::vector<std::string> names;  // forgetting takes the names away that it goes over
  for (const auto& [n, value] : scope_.values)
    if (!is_module(value) && !value.is(Kind::Builtin) && !value.is(Kind::Axes)) names.push_back(n);
  for (const std::string& n : names) forget({n}, "a call of " + quoted(call) + " may change");
}

// What is computed in a way that is not known may hold, or have changed, what it is computed from.
void Scan::escape(const python::Expr& e) {
  if (!value_of(e).is(Kind::Unknown)) {
    for (const python::Expr* part : elements_of(e).value_or(python::ExprList())) escape(*part);
    if (const auto* d = e.try_as<python::Dict>())
      for (const python::Expr* part : d->values) escape(*part);
    return;
  }
  Changes changes;
  note_uses(e, changes);
  if (const auto* method = e.try_as<python::Attribute>()) {  // add = L.append
    const Value of = value_of(*method->value);
    if (of.is(Kind::Tuple) || of.is(Kind::Dict)) changes.changed.insert(root_name(e));
  }
  apply_changes(changes, "has parts that change");
}

void Scan::apply_changes(const Changes& changes, const std::string& why) {
  for (const std::string_view word : {"exec", "globals"})
    if (changes.mentioned.count(word) != 0) forget_everything(word);
  for (const std::string_view name : changes.bound) forget({name}, why);
  for (const std::string_view name : changes.changed) forget_container(name, why);
  for (const std::string_view name : changes.read) {
    const Value* v = scope_.find(name);
    if (v == nullptr && outer_) v = outer_->find(name);
    if (v != nullptr && holds_containers(*v)) forget_container(name, why);
  }
}

void Scan::forget_container(std::string_view name, const std::string& why) {
  const Value* at = scope_.find(name);
  if (at == nullptr && outer_) at = outer_->find(name);
  if (at == nullptr || !is_container(*at) || is_module(*at)) return;
  forget_holders(Value(*at));
  forget({name}, why);
}

// Other names of a container that changes, and what it is part of.
void Scan::forget_holders(const Value& container) {
  if (!is_container(container) || is_module(container)) return;
  std::vector<std::string> names;
  for (const auto& [name, value] : scope_.values)
    if (!is_module(value) && holds(value, container)) names.push_back(name);
  for (const std::string& name : names) forget({name}, "has parts that change");
}

void Scan::statement(const python::Stmt& s) {
  switch (s.kind) {
    case StmtKind::Assign: {
      const auto& a = s.as<python::Assign>();
      const Value value = is_enum_ && is_auto(*a.value) ? next_of_enum() : value_of(*a.value);
      for (const python::Expr* target : a.targets) assign(*target, value, a.value);
      break;
    }
    case StmtKind::AnnAssign: {
      const auto& a = s.as<python::AnnAssign>();
      if (a.value) assign(*a.target, value_of(*a.value), a.value);
      break;
    }
    case StmtKind::AugAssign: {
      const auto& a = s.as<python::AugAssign>();
      if (const auto* name = a.target->try_as<python::Name>()) {
        forget_holders(value_of(*name));  // L += [1]
        forget({name->name}, "changes");
      } else
        change(*a.target, Value());
      break;
    }
    case StmtKind::Delete:
      for (const python::Expr* target : targets(s))
        if (target->kind != python::ExprKind::Name) change(*target, Value());
      forget(bound_names(s), "is deleted");
      break;
    case StmtKind::For:
    case StmtKind::While:
      effects_inside(s);
      forget(bound_names(s), "a loop changes");
      break;
    case StmtKind::Match:
      effects_inside(s);
      forget(bound_names(s), "depends on a 'match'");
      break;
    case StmtKind::FunctionDef: function_def(s.as<python::FunctionDef>()); break;
    case StmtKind::ClassDef: class_def(s.as<python::ClassDef>()); break;
    case StmtKind::Import: import_module(s.as<python::Import>()); break;
    case StmtKind::ImportFrom: import_names(s.as<python::ImportFrom>()); break;
    case StmtKind::If: conditional(s.as<python::If>()); break;
    case StmtKind::Try: attempt(s.as<python::Try>()); break;
    case StmtKind::With:
      for (const python::WithItem& item : s.as<python::With>().items)
        if (item.target) forget(target_names(*item.target), "a 'with' binds");
      body(s.as<python::With>().body);
      break;
    default: break;
  }
}

// The value is computed before any of the targets is bound: p, q = q, p. `text`: what it is
// written as, or null.
void Scan::assign(const python::Expr& target, const Value& value, const python::Expr* text) {
  if (const auto* name = target.try_as<python::Name>()) return bind(name->name, value, text);
  const auto targets = elements_of(target);
  if (!targets) return change(target, value);
  const bool starred = std::any_of(targets->begin(), targets->end(), [](const python::Expr* e) {
    return e->kind == python::ExprKind::Starred;
  });
  if (starred || !value.is(Kind::Tuple) || value.elements.size() != targets->size()) {
    forget(target_names(target), "is part of what is assigned");
    return;
  }
  const auto texts = text ? elements_of(*text) : std::nullopt;
  for (std::size_t i = 0; i < targets->size(); ++i)
    assign(*(*targets)[i], value.elements[i],
           texts && texts->size() == targets->size() ? (*texts)[i] : nullptr);
}

// Cfg.w = 6.0, CONFIG["n"] = 3, L[0] = 9.0: what holds them holds something else. Without a value:
// somehow.
void Scan::change(const python::Expr& target, Value value) {
  const std::string_view root = root_name(target);
  if (root.empty()) {  // [L][0][0] = 4
    for_each_expression(target, [&](const python::Expr& e) {
      if (const auto* n = e.try_as<python::Name>())
        forget_container(n->name, "has parts that change");
    });
    return;
  }
  if (const auto* a = target.try_as<python::Attribute>(); a && a->value->try_as<python::Name>()) {
    const Value whole = value_of(*a->value);
    if (!whole.is(Kind::Namespace)) return;
    forget_holders(whole);
    if (value.is(Kind::Unknown)) value = Value::unknown(quoted(a->name) + ", which changes");
    Members members = *whole.members;
    members.insert_or_assign(std::string(a->name), std::move(value));
    return bind(root, Value::scope(Kind::Namespace, std::move(members)));
  }
  const python::Expr* of = &target;
  if (const auto* s = target.try_as<python::Subscript>()) {
    of = s->value;
    if (of->try_as<python::Name>() && !value.is(Kind::Unknown))
      if (auto whole = with_element(value_of(*of), value_of(*s->index), value)) {
        forget_holders(value_of(*of));
        return bind(root, std::move(*whole));
      }
  }
  if (const auto* a = target.try_as<python::Attribute>()) of = a->value;
  const Value whole = value_of(*of);
  forget_holders(whole);
  if (is_container(whole)) forget({root}, "has parts that change");
}

void Scan::function_def(const python::FunctionDef& f) {
  Value v;
  v.kind = Kind::Function;
  v.text = f.name;
  v.function = &f;
  bind(f.name, std::move(v));
}

// Members are what Python makes of auto(): one more than the largest before.
Value Scan::next_of_enum() const {
  std::optional<std::int64_t> largest;
  for (const auto& [name, value] : scope_.values)
    if (value.is(Kind::Int)) largest = std::max(largest.value_or(value.integer), value.integer);
  return Value::of_int(largest.value_or(0) + 1);
}

void Scan::class_def(const python::ClassDef& c) {
  const bool is_enum = std::any_of(c.bases.begin(), c.bases.end(), [](const python::Expr* b) {
    return last_name(*b) == "IntEnum";
  });
  const bool is_ours = std::any_of(c.decorators.begin(), c.decorators.end(),
                                   [](const python::Expr* d) { return last_name(*d) == "enum"; });
  if (is_ours && !is_enum)
    return bind(c.name,
                Value::unknown("the enum " + quoted(c.name) + ", which must be an IntEnum"));
  const bool is_changed =
      std::any_of(c.decorators.begin(), c.decorators.end(), [&](const python::Expr* d) {
        const auto* call = d->try_as<python::Call>();
        const python::Expr& by = call ? *call->function : *d;
        return functions_.has(last_name(by)) || value_of(by).is(Kind::Function);
      });
  if (is_changed)
    return bind(c.name,
                Value::unknown("the class " + quoted(c.name) + ", which a decorator changes"));
  effects_inside(c.body);
  NameSet inherited;
  for (const python::Expr* b : c.bases) inherited.insert(root_name(*b));
  apply_changes({{}, {}, inherited, {}}, "has parts that change");
  Scope inner;
  // Classes do not see the names of a class around them.
  Scan(inner, functions_, outer_ ? outer_ : &scope_, is_enum).body(c.body);
  Members members;
  for (auto& [name, value] : inner.values)
    if (value.is_constant() || !is_enum) members.emplace(name, value);
  bind(c.name, Value::scope(is_enum ? Kind::Enum : Kind::Namespace, std::move(members)));
}

// --- Imports.

void Scan::import_names(const python::ImportFrom& from) {
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
      bind(as, Value::unknown_import("'" + std::string(alias.name) + "', which is imported from '" +
                                     module + "'"));
    }
  }
}

void Scan::import_module(const python::Import& import) {
  for (const python::Alias& alias : import.names) {
    const Value* known = known_module(alias.name);
    if (!alias.as_name.empty()) {
      bind(alias.as_name,
           known ? *known : Value::unknown_import("the module '" + std::string(alias.name) + "'"));
      continue;
    }
    // import a.b.c binds a, in which b holds c.
    std::string_view rest = alias.name;
    Value value = known ? *known : Value::unknown_import("the module '" + std::string(rest) + "'");
    for (std::size_t dot; (dot = rest.rfind('.')) != rest.npos; rest = rest.substr(0, dot)) {
      Members around;
      around.emplace(std::string(rest.substr(dot + 1)), std::move(value));
      value = Value::scope(Kind::Namespace, std::move(around));
    }
    bind(rest, std::move(value));
  }
}

void undo(Scope& scope, const std::vector<Rebinding>& rebindings, std::uint32_t place) {
  for (auto r = rebindings.rbegin(); r != rebindings.rend() && r->place > place; ++r) {
    scope.values.insert_or_assign(r->name, r->before);
    if (r->assigned_before)
      scope.assigned.insert_or_assign(r->name, r->assigned_before);
    else
      scope.assigned.erase(r->name);
  }
}

}  // namespace lathe::stencil
