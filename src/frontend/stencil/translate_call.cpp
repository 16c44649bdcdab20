// SPDX-License-Identifier: Apache-2.0
// Calls. A @function is spliced in: its statements run before the statement that calls it, its
// names become temporaries of their own. An argument that is just a name, and that the function
// does not assign, stands for the caller's field, so that offsets in the function shift that field;
// any other argument is a temporary first.

#include <algorithm>

#include "base/nearest_name.h"
#include "base/quoted.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {

using ir::Op;
using python::StmtKind;
using Kind = Value::Kind;

namespace {

struct Builtin {
  std::string_view name;
  Op op;
  std::size_t arity;
};
constexpr Builtin kBuiltins[] = {
    {"abs", Op::Abs, 1},
    {"sin", Op::Sin, 1},
    {"cos", Op::Cos, 1},
    {"tan", Op::Tan, 1},
    {"asin", Op::Asin, 1},
    {"acos", Op::Acos, 1},
    {"atan", Op::Atan, 1},
    {"sinh", Op::Sinh, 1},
    {"cosh", Op::Cosh, 1},
    {"tanh", Op::Tanh, 1},
    {"asinh", Op::Asinh, 1},
    {"acosh", Op::Acosh, 1},
    {"atanh", Op::Atanh, 1},
    {"sqrt", Op::Sqrt, 1},
    {"exp", Op::Exp, 1},
    {"log", Op::Log, 1},
    {"log10", Op::Log10, 1},
    {"gamma", Op::Gamma, 1},
    {"cbrt", Op::Cbrt, 1},
    {"isfinite", Op::IsFinite, 1},
    {"isinf", Op::IsInf, 1},
    {"isnan", Op::IsNan, 1},
    {"floor", Op::Floor, 1},
    {"ceil", Op::Ceil, 1},
    {"trunc", Op::Trunc, 1},
    {"erf", Op::Erf, 1},
    {"erfc", Op::Erfc, 1},
    {"round", Op::Round, 1},
    {"round_away_from_zero", Op::RoundAway, 1},
    {"min", Op::Min, 2},
    {"max", Op::Max, 2},
    {"mod", Op::Mod, 2},
};

bool assigns(python::StmtList body, std::string_view name) {
  const auto is_name = [&](const python::Expr* e) {
    const auto* n = e->try_as<python::Name>();
    return n && n->name == name;
  };
  return std::any_of(body.begin(), body.end(), [&](const python::Stmt* s) {
    if (const auto* a = s->try_as<python::Assign>())
      return std::any_of(a->targets.begin(), a->targets.end(), [&](const python::Expr* t) {
        if (const auto* tuple = t->try_as<python::Tuple>())
          return std::any_of(tuple->elements.begin(), tuple->elements.end(), is_name);
        return is_name(t);
      });
    if (const auto* a = s->try_as<python::AugAssign>()) return is_name(a->target);
    if (const auto* a = s->try_as<python::AnnAssign>()) return is_name(a->target);
    if (const auto* i = s->try_as<python::If>())
      return assigns(i->body, name) || assigns(i->otherwise, name);
    if (const auto* w = s->try_as<python::While>()) return assigns(w->body, name);
    if (const auto* w = s->try_as<python::With>()) return assigns(w->body, name);
    return false;
  });
}

std::size_t count_returns(python::StmtList body) {
  std::size_t n = 0;
  for (const python::Stmt* s : body) {
    if (s->kind == StmtKind::Return) ++n;
    if (const auto* i = s->try_as<python::If>())
      n += count_returns(i->body) + count_returns(i->otherwise);
    if (const auto* w = s->try_as<python::While>()) n += count_returns(w->body);
    if (const auto* w = s->try_as<python::With>()) n += count_returns(w->body);
  }
  return n;
}

}  // namespace

namespace {

// What there is instead of functions that Python users look for.
std::string help_for_call(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kInstead[] = {
      {"pow", "write a ** b"},
      {"power", "write a ** b"},
      {"maximum", "use max(a, b)"},
      {"fmax", "use max(a, b)"},
      {"minimum", "use min(a, b)"},
      {"fmin", "use min(a, b)"},
      {"where", "write a if condition else b"},
      {"sign", "write 1.0 if a > 0.0 else -1.0"},
      {"absolute", "use abs(a)"},
      {"fabs", "use abs(a)"},
      {"sum", "a FORWARD or BACKWARD computation adds up over K: s = s[0, 0, -1] + a"},
      {"arcsin", "use asin(a)"},
      {"arccos", "use acos(a)"},
      {"arctan", "use atan(a)"},
  };
  for (const auto& [other, help] : kInstead)
    if (other == name) return std::string(help);
  NearestName nearest(name);
  std::string all;
  for (const Builtin& b : kBuiltins) {
    nearest.consider(b.name);
    all += (all.empty() ? "" : ", ") + std::string(b.name);
  }
  return nearest.help("decorate a function with @gtscript.function, or use one of " + all);
}

std::string given(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " is given" : " are given");
}
std::string arguments(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " argument" : " arguments");
}

}  // namespace

std::optional<Value> Translator::function_of(const python::Call& c) const {
  Value v = constant(*c.function);
  if (!v.is(Kind::Function)) return std::nullopt;
  return v;
}

ir::Expr Translator::call(const python::Call& c) {
  if (const auto f = function_of(c)) {
    const std::vector<ir::Expr> results = splice(c, *f);
    if (results.size() != 1)
      fail(c.span,
           quoted(f->function->name) + " returns " + std::to_string(results.size()) +
               " values, and stands in an expression",
           "assign them first: a, b = " + std::string(f->function->name) + "(...)");
    return results[0];
  }
  const Value v = constant(*c.function);
  if (v.is(Kind::DType)) {
    if (c.arguments.size() != 1 || !c.keywords.empty()) fail(c.span, "a cast takes one value");
    const ir::Expr x = expr(*c.arguments[0]);
    return cast(resolve(v, options_), x);
  }
  if (v.is(Kind::Builtin)) return builtin(v.text, c);
  const std::string_view name = last_name(*c.function);
  if (broken_.find(name) != broken_.end()) throw FollowsMistake{};
  if (v.imported)
    fail(ErrorKind::Symbol, name, c.span,
         "unknown call of " + (v.text.starts_with('\'') ? "" : quoted(name) + " of ") + v.text +
             ", a file that is not read",
         std::string(kHelpForImports));
  if (v.is(Kind::Unknown) && c.function->kind == python::ExprKind::Name && scope().find(name))
    fail(ErrorKind::Symbol, name, c.span, "unknown call of " + v.text, help_for_call(name));
  fail(ErrorKind::Symbol, name, c.span,
       "unknown call of " + (name.empty() ? "an expression" : quoted(name)),
       v.is(Kind::Unknown) ? help_for_call(name) : "it is " + describe(v));
}

ir::Expr Translator::builtin(std::string_view name, const python::Call& c) {
  const auto* b = std::find_if(std::begin(kBuiltins), std::end(kBuiltins),
                               [&](const Builtin& k) { return k.name == name; });
  if (b == std::end(kBuiltins)) fail(c.span, quoted(name) + " cannot stand in an expression");
  if (!c.keywords.empty())
    fail(c.keywords[0].span,
         "invalid native function call: " + std::string(name) + " takes no keywords",
         "write " + std::string(name) + (b->arity == 1 ? "(x)" : "(x, y)"));
  if (c.arguments.size() != b->arity)
    fail(c.span,
         "invalid native function call: " + std::string(name) + " takes " + arguments(b->arity) +
             ", and " + given(c.arguments.size()),
         b->arity == 2 && c.arguments.size() > 2
             ? "nest them: " + std::string(name) + "(x, " + std::string(name) + "(y, z))"
             : "");
  std::vector<ir::Expr> args;
  for (const Node* a : c.arguments) args.push_back(expr(*a));
  ir::DType t = args[0]->dtype;
  for (const ir::Expr a : args) t = std::max(t, a->dtype);
  const bool keeps = b->op == Op::Abs || b->op == Op::Min || b->op == Op::Max || b->op == Op::Mod;
  if (ir::is_bool(t) || (!keeps && !ir::is_float(t))) t = literal_type(true);
  for (ir::Expr& a : args) a = cast(t, a);
  if (b->op == Op::Mod) remark_remainder(args[0], args[1], c.span);
  return b->arity == 1 ? op(b->op, {args[0]}, c.span) : op(b->op, {args[0], args[1]}, c.span);
}

// --- Functions.

void Translator::bind_parameter(Frame& inner, const python::Parameter& p, const Node* argument,
                                bool assigned) {
  const Value known = constant(*argument);
  Variable v;
  const auto* name = argument->try_as<python::Name>();
  const Variable* alias = name ? find(name->name) : nullptr;
  if (!assigned && alias) {
    v = *alias;
  } else if (!assigned && !known.is(Kind::Unknown)) {
    v.value = known;
  } else {
    std::vector<FieldRead> reads;
    std::vector<FieldRead>* const outer = std::exchange(reads_, &reads);
    const ir::Expr e = expr(*argument);
    v.kind = Variable::Kind::Field;
    v.index = new_field(p.name, {e->dtype, true, false, "IJK", {}}, false, p.span);
    fields_[v.index].int_literal = is_int_literal(e);
    declare_array(fields_[v.index]);
    Place to;
    to.field = v.index;
    to.span = argument->span;
    store(to, e, std::move(reads), argument->span);
    reads_ = outer;
  }
  inner.names.insert_or_assign(std::string(p.name), std::move(v));
}

// A default that Python has evaluated.
void Translator::bind_default(Frame& inner, const python::Parameter& p, const Value& value) {
  Variable v;
  v.value = value;
  if (assigns(inner.function->body, p.name)) {
    const ir::Expr e = literal(value, p.span);
    v.kind = Variable::Kind::Field;
    v.index = new_field(p.name, {e->dtype, true, false, "IJK", {}}, false, p.span);
    fields_[v.index].int_literal = is_int_literal(e);
    declare_array(fields_[v.index]);
    Place to;
    to.field = v.index;
    to.span = p.span;
    store(to, e, {}, p.span);
  }
  inner.names.insert_or_assign(std::string(p.name), std::move(v));
}

std::vector<ir::Expr> Translator::splice(const python::Call& c, const Value& function) {
  const python::FunctionDef& f = *function.function;
  if (!no_calls_.empty())
    fail(c.span,
         quoted(f.name) + " is called in the condition of " + quoted(no_calls_) +
             ", where functions cannot stand",
         no_calls_ == "if" ? "assign it before: t = " + std::string(f.name) + "(...)"
                           : "assign it before the loop and at the end of its body: t = " +
                                 std::string(f.name) + "(...)");
  if (f.parameters->rest || f.parameters->keywords)
    fail(f.name_span, "function " + quoted(f.name) + " takes arguments by '*'",
         "list them one by one");
  if (function.sees ? !function.sees->is_function : !is_gtscript_function(f))
    fail(c.span, quoted(f.name) + " is not a gtscript function", "decorate it: @gtscript.function");
  for (const Frame* at = frame_; at; at = at->caller)
    if (at->function == &f) fail(c.span, "recursive function call of " + quoted(f.name));
  if (++calls_ > kMostCalls)
    fail(c.span,
         "the functions of stencil " + quoted(info_.name) + " call one another more than " +
             std::to_string(kMostCalls) + " times, and each call is written out",
         "assign what is called twice to a name: t = f(x), then t * t");
  const auto* last = f.body.empty() ? nullptr : f.body.back()->try_as<python::Return>();
  if (!last || !last->value || count_returns(f.body) != 1) {
    if (!without_result_.insert(f.name_span.begin).second) throw FollowsMistake{};
    fail(f.name_span, "function " + quoted(f.name) + " should have a single return statement",
         "return one value, or a tuple, in its last line");
  }
  Frame inner;
  inner.function = &f;
  inner.scope = function.sees ? function.sees : frame_->scope;
  inner.caller = frame_;
  inner.call = c.span;
  const python::Parameters& ps = *f.parameters;
  std::vector<const python::Parameter*> positional;
  for (const python::Parameter& p : ps.positional_only) positional.push_back(&p);
  for (const python::Parameter& p : ps.positional) positional.push_back(&p);
  std::vector<const python::Parameter*> all = positional;
  for (const python::Parameter& p : ps.keyword_only) all.push_back(&p);
  if (c.arguments.size() > positional.size())
    fail(c.span, quoted(f.name) + " takes " + arguments(positional.size()) + ", and " +
                     given(c.arguments.size()));
  for (const python::Keyword& k : c.keywords) {
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const python::Parameter* p) { return p->name == k.name; });
    if (!known) {
      NearestName nearest(k.name);
      std::string names;
      for (const python::Parameter* p : all) {
        nearest.consider(p->name);
        names += (names.empty() ? "its arguments are " : ", ") + std::string(p->name);
      }
      fail(k.span, quoted(f.name) + " has no argument " + quoted(k.name), nearest.help(names));
    }
    for (std::size_t i = 0; i < c.arguments.size(); ++i)
      if (positional[i]->name == k.name)
        fail(k.span, "argument " + quoted(k.name) + " of " + quoted(f.name) + " is given twice",
             "it is argument " + std::to_string(i + 1) + " already");
  }
  const bool lazy = std::exchange(lazy_, false);  // it runs before the statement, in any case
  for (std::size_t i = 0; i < all.size(); ++i) {
    const python::Parameter& p = *all[i];
    const Node* argument = i < c.arguments.size() ? c.arguments[i] : keyword(c, p.name);
    if (!argument && function.sees) {
      const auto known = function.sees->defaults.find(p.name);
      if (known != function.sees->defaults.end()) {
        bind_default(inner, p, known->second);
        continue;
      }
    }
    if (!argument) argument = p.default_value;
    if (!argument)
      fail(c.span, "argument " + quoted(p.name) + " of " + quoted(f.name) + " is missing");
    bind_parameter(inner, p, argument, assigns(f.body, p.name));
  }
  // Its statements have reads of their own; what it returns is read by the caller's statement.
  std::vector<FieldRead>* const outer = reads_;
  const std::vector<std::int64_t>* const component = std::exchange(component_, nullptr);
  frame_ = &inner;
  const std::size_t errors = diagnostics_.error_count();
  statements(f.body.first(f.body.size() - 1));
  reads_ = outer;
  lazy_ = lazy;
  std::vector<ir::Expr> results;
  try {
    if (diagnostics_.error_count() > errors) throw FollowsMistake{};
    if (const auto* tuple = last->value->try_as<python::Tuple>()) {
      for (const Node* e : tuple->elements) results.push_back(expr(*e));
    } else {
      results.push_back(expr(*last->value));
    }
  } catch (const UserError& e) {
    frame_ = inner.caller;
    component_ = component;
    Diagnostic d = e.diagnostic();
    throw UserError(d.note("in function " + quoted(f.name) + ", which is called here", c.span));
  } catch (...) {
    frame_ = inner.caller;
    component_ = component;
    throw;
  }
  frame_ = inner.caller;
  component_ = component;
  return results;
}

}  // namespace lathe::stencil
