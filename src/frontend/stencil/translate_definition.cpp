// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/nearest_name.h"
#include "base/quoted.h"
#include "frontend/stencil/levels.h"
#include "frontend/stencil/translator.h"
#include "frontend/stencil/unwritten.h"
#include "ir/text_lexer.h"

namespace lathe::stencil {

using Kind = Value::Kind;

void fail(Span span, std::string message, std::string help) {
  throw UserError(std::move(message), span, std::move(help));
}
void fail(ErrorKind kind, std::string_view about, Span span, std::string message,
          std::string help) {
  Diagnostic d{Severity::Error, std::move(message), span, {}, std::move(help), kind};
  d.about = about;
  throw UserError(std::move(d));
}

std::int64_t checked_distance(std::int64_t n, std::string_view what, Span span) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (n > kMost || n < -kMost)
    fail(span,
         std::string(what) + " is " + std::to_string(n) + ", and no domain has more than " +
             std::to_string(kMost) + " points along an axis",
         "write a smaller one");
  return n;
}

namespace {

// A stencil may be called what is a word of our language.
std::string word_for(std::string_view name) {
  return std::string(name) + (ir::is_keyword(name) ? "_" : "");
}

Options joined(Options options, const Definition& definition, const Scope& scope) {
  if (!definition.call) return options;
  const auto value_of = [&](std::string_view name) {
    const python::Expr* e = keyword(*definition.call, name);
    if (!e) return Value::none();
    return evaluate(*e, [&](std::string_view n) { return scope.find(n); });
  };
  if (const Value v = value_of("externals"); v.members)
    for (const auto& [name, external] : *v.members) options.externals.emplace(name, external);
  if (const Value v = value_of("dtypes"); v.members)
    for (const auto& [name, type] : *v.members)
      if (type.dtype) options.dtypes.emplace(name, *type.dtype);
  const auto bits = [&](std::string_view name, int& to) {
    const Value v = value_of(name);
    if (v.is(Kind::None)) return;
    const python::Expr& given = *keyword(*definition.call, name);
    if (!v.is(Kind::Int) || (v.integer != 32 && v.integer != 64))
      fail(given.span, std::string(name) + " is " + describe(v) + ", not 32 or 64");
    to = static_cast<int>(v.integer);
  };
  bits("literal_int_precision", options.int_bits);
  bits("literal_float_precision", options.float_bits);
  return options;
}

}  // namespace

Translator::Translator(const Definition& definition, Scope scope, const Options& options,
                       std::shared_ptr<SourceMap> sources, Diagnostics& diagnostics)
    : definition_(definition),
      sources_(std::move(sources)),
      diagnostics_(diagnostics),
      scope_(std::move(scope)),
      builder_(word_for(definition.function->name)) {
  options_ = joined(options, definition, scope_);
  ni_ = builder_.size("ni"), nj_ = builder_.size("nj"), nk_ = builder_.size("nk");
  i_ = builder_.index("i"), j_ = builder_.index("j"), k_ = builder_.index("k");
  names_ = {"ni", "nj", "nk", "i", "j", "k"};
  top_.function = definition.function;
  top_.scope = &scope_;
  info_.name = definition.name.empty() ? std::string(definition.function->name) : definition.name;
}

// Not NAME.1, which the second statement that writes NAME is called.
std::string Translator::program_name(std::string_view user_name) {
  std::string stem(user_name);
  if (ir::is_keyword(stem) || ir::parse_dtype(stem)) stem += "_";
  std::string name = stem;
  for (int n = 2; !names_.insert(name).second; ++n) name = stem + "_" + std::to_string(n);
  return name;
}

const Translator::Variable* Translator::find(std::string_view name) const {
  const auto at = frame_->names.find(name);
  return at == frame_->names.end() ? nullptr : &at->second;
}

const Value* Translator::external(std::string_view name) const {
  const auto at = options_.externals.find(name);
  if (at == options_.externals.end()) return nullptr;
  used_externals_.emplace(name);
  return &at->second;
}

FieldType Translator::type_of(const Node& annotation, std::string_view of) {
  FieldType type = parse_annotation(annotation, scope(), options_, of);
  if (!type.dtype_name.empty()) info_.dtype_names.insert(type.dtype_name);
  return type;
}

// What a statement in error would have declared is not to blame later.
void Translator::note_broken(const python::Stmt& s) {
  const auto target = [&](const Node& t) {
    const auto* name = t.try_as<python::Name>();
    if (name && !find(name->name)) broken_.emplace(name->name);
  };
  if (const auto* a = s.try_as<python::Assign>())
    for (const Node* t : a->targets) {
      target(*t);
      if (const auto* tuple = t->try_as<python::Tuple>())
        for (const Node* e : tuple->elements) target(*e);
    }
  if (const auto* a = s.try_as<python::AnnAssign>()) target(*a->target);
  if (const auto* a = s.try_as<python::AugAssign>()) target(*a->target);
  if (const auto* from = s.try_as<python::ImportFrom>())
    for (const python::Alias& alias : from->names)
      broken_.emplace(alias.as_name.empty() ? alias.name : alias.as_name);
}

void Translator::fail_unknown(std::string_view name, Span span) const {
  if (broken_.find(name) != broken_.end()) throw FollowsMistake{};
  fail(ErrorKind::Symbol, name, span, "unknown symbol " + quoted(name), help_for(name));
}

std::string Translator::help_for(std::string_view unknown_name) const {
  NearestName nearest(unknown_name);
  for (const auto& [name, variable] : frame_->names) nearest.consider(name);
  for (const auto& [name, value] : scope().values) nearest.consider(name);
  return nearest.help(
      "assign it first, pass it as an argument, or import it: from __externals__ import " +
      std::string(unknown_name));
}

// --- Arguments.

void Translator::declare_arguments() {
  const python::Parameters& p = *definition_.function->parameters;
  for (const python::Parameter* rest : {p.rest, p.keywords})
    if (rest)
      diagnostics_
          .error(rest->span, "a stencil has no " + std::string(rest == p.rest ? "*" : "**") +
                                 std::string(rest->name))
          .help = "list the fields and scalars one by one";
  const auto declare = [&](const python::Parameter& parameter, bool keyword_only) {
    try {
      declare_argument(parameter, keyword_only);
    } catch (const UserError& e) {
      broken_.emplace(parameter.name);
      diagnostics_.add(e.diagnostic());
    }
  };
  for (const python::Parameter& a : p.positional_only) declare(a, false);
  for (const python::Parameter& a : p.positional) declare(a, false);
  for (const python::Parameter& a : p.keyword_only) declare(a, true);
}

// As Python knows it, or as the text says.
Value Translator::default_of(const python::Parameter& p) const {
  const auto known = scope_.defaults.find(p.name);
  return known != scope_.defaults.end() ? known->second : constant(*p.default_value);
}

void Translator::declare_argument(const python::Parameter& p, bool keyword_only) {
  const auto resolved = scope_.annotations.find(p.name);
  if (!p.annotation)
    fail(p.span, "argument " + quoted(p.name) + " has no type",
         "write " + std::string(p.name) + ": Field[float] for a field, " + std::string(p.name) +
             ": float for a scalar");
  const FieldType type = resolved != scope_.annotations.end()
                             ? annotation_of(resolved->second, p.annotation->span, options_, p.name)
                             : type_of(*p.annotation, p.name);
  if (find(p.name)) fail(p.span, "argument " + quoted(p.name) + " is declared twice");
  Argument a;
  a.name = std::string(p.name);
  a.is_field = type.is_field;
  a.keyword_only = keyword_only;
  a.dtype = type.dtype;
  a.axes = type.axes;
  a.data_dims = type.dims;
  a.span = p.span;
  Variable v;
  if (type.is_field) {
    if (p.default_value) {
      if (!default_of(p).is(Kind::None))
        fail(p.default_value->span,
             "the only default that field " + quoted(p.name) + " can have is None",
             "None makes the field optional, where the stencil does not use it");
      a.optional = true;
    }
    v.kind = Variable::Kind::Field;
    v.index = new_field(p.name, type, true, p.span);
  } else {
    if (p.default_value) {
      const Value d = default_of(p);
      const bool fits = ir::is_bool(type.dtype)    ? d.is(Kind::Bool)
                        : ir::is_float(type.dtype) ? d.is(Kind::Float)
                                                   : d.is(Kind::Int);
      if (!fits || (d.dtype && *d.dtype != type.dtype))
        fail(p.default_value->span,
             "the default of scalar " + quoted(p.name) + " is " + describe(d) +
                 ", but its type is " + std::string(python_name(type.dtype)),
             d.is(Kind::Int) && ir::is_float(type.dtype)
                 ? "write " + std::to_string(d.integer) + ".0"
                 : "write a constant of that type");
      a.default_value = d;
    }
    v.kind = Variable::Kind::Scalar;
    v.index = scalars_.size();
    scalars_.push_back({a.name, builder_.graph().symbol(program_name(p.name)), type.dtype, false});
  }
  top_.names.emplace(a.name, std::move(v));
  info_.arguments.push_back(std::move(a));
}

std::size_t Translator::new_field(std::string_view name, const FieldType& type, bool api,
                                  Span span) {
  FieldVar f;
  f.name = std::string(name);
  f.api = api;
  for (std::size_t a = 0; a < 3; ++a)
    f.has_axis[a] = type.axes.find(kAxisNames[a]) != std::string::npos;
  f.symbol = builder_.graph().symbol(program_name(name));
  f.dtype = type.dtype;
  f.dims = type.dims;
  f.has_data = !type.dims.empty();
  f.table = type.table;
  f.span = span;
  fields_.push_back(std::move(f));
  return fields_.size() - 1;
}

// --- Before the computations: docstring, imports of externals, typed temporaries.

void Translator::import_externals(const python::ImportFrom& from, Frame& frame) {
  const bool ours = from.module == "__externals__" || from.module.ends_with(".__externals__");
  for (const python::Alias& alias : from.names) {
    if (from.module == "__gtscript__" || from.module.ends_with("gtscript")) continue;
    if (!ours || !alias.as_name.empty() || alias.name == "*")
      fail(alias.span, "a stencil can only import externals",
           "write from __externals__ import NAME, without 'as'");
    const Value* value = external(alias.name);
    if (!value) {
      const Members& around = scope().values;
      if (const auto in_file = around.find(alias.name); in_file != around.end())
        value = &in_file->second;
    }
    if (!value)
      fail(ErrorKind::Symbol, alias.name, alias.span,
           "external " + quoted(alias.name) + " has no value",
           "give it: externals={\"" + std::string(alias.name) + "\": ...}, or --external " +
               std::string(alias.name) + "=VALUE");
    Variable v;
    v.value = *value;
    frame.names.insert_or_assign(std::string(alias.name), std::move(v));
  }
}

void Translator::declare_before(const python::AnnAssign& a) {
  const auto* name = a.target->try_as<python::Name>();
  if (!name) fail(a.span, "only a name can be declared here");
  const FieldType type = type_of(*a.annotation, name->name);
  if (!type.is_field || type.table || type.axes != "IJK")
    fail(a.annotation->span,
         "temporary " + quoted(name->name) +
             " is declared before the computations, and not a "
             "field over I, J and K",
         "write " + std::string(name->name) +
             ": Field[(float, (3,))], or declare it inside a "
             "computation");
  Variable v;
  v.kind = Variable::Kind::Field;
  v.index = new_field(name->name, type, false, a.span);
  declare_array(fields_[v.index]);
  const std::size_t index = v.index;
  frame_->names.insert_or_assign(std::string(name->name), std::move(v));
  if (!a.value) return;
  const Value initial = constant(*a.value);
  if (!initial.is_constant())
    fail(a.value->span, "the initial value of " + quoted(name->name) + " is not a constant",
         "assign it inside a computation");
  check_elements(type.dims, a.span);
  // Every element, on all levels.
  block_ = {};
  std::vector<std::int64_t> at(type.dims.size(), 0);
  for (bool more = true; more;) {
    Place p;
    p.field = index;
    p.span = a.target->span;
    for (std::int64_t d : at) p.data.push_back(builder_.build().integer(d));
    store(p, literal(initial, a.value->span), {}, a.span);
    more = false;
    for (std::size_t d = at.size(); d-- > 0 && !more;) {
      more = ++at[d] < type.dims[d];
      if (!more) at[d] = 0;
    }
  }
}

// --- The result.

std::optional<Stencil> Translator::run() {
  const std::size_t errors = diagnostics_.error_count();
  declare_arguments();
  for (const FieldVar& f : fields_) declare_array(f);
  for (const ScalarVar& s : scalars_) builder_.param(s.symbol.text(), s.dtype);
  for (const python::Stmt* s : definition_.function->body) {
    try {
      top_statement(*s);
    } catch (const UserError& e) {
      note_broken(*s);
      diagnostics_.add(e.diagnostic());
    } catch (const FollowsMistake&) {
    }
  }
  if (diagnostics_.error_count() > errors) return std::nullopt;
  if (!any_computation_) {
    diagnostics_
        .error(definition_.function->name_span,
               "stencil " + quoted(info_.name) + " has no computation")
        .help = "begin with: with computation(PARALLEL), interval(...):";
    return std::nullopt;
  }
  std::vector<FieldUse> uses(fields_.begin(), fields_.end());
  Needed needed = find_needed(uses, all_steps_, diagnostics_);
  if (diagnostics_.error_count() > errors) return std::nullopt;
  info_.min_levels = std::max(min_levels_, needed.min_levels);
  if (options_.remarks) warn_of_unwritten(uses, all_steps_, info_.min_levels, diagnostics_);
  for (auto& field : needed.fields) field[2].settle(info_.min_levels);
  std::vector<std::vector<ir::Axis>> axes;  // made while there is a builder
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    axes.push_back(axes_of(fields_[n], &needed.fields[n]));
    if (needed.any_level[n]) open_levels(fields_[n], needed.fields[n][2], axes.back());
  }
  const ir::Symbol k = k_.expr()->name;
  const ir::Expr nk = nk_.expr();
  Stencil result{builder_.finish(), {}};
  keep_inside(result.program, k, nk, info_.min_levels);
  result.program.sources = sources_;
  settle_arguments(result.program, needed, axes);
  if (options_.remarks) settle_outputs(uses);
  for (ir::Parameter& p : result.program.parameters)
    if (p.is_size) p.least = least_of(p.name.text());
  info_.externals = std::move(used_externals_);
  result.info = std::move(info_);
  return result;
}

}  // namespace lathe::stencil
