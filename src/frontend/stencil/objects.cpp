// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/objects.h"

#include "base/quoted.h"
#include "frontend/python/encoding.h"
#include "frontend/python/parser.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {
namespace {

using Kind = Value::Kind;

// Finds a function by its line and name, wherever it stands.
class FindFunction {
 public:
  FindFunction(const SourceFile& file, std::uint32_t line, std::string_view name)
      : file_(file), line_(line), name_(name) {}

  const python::FunctionDef* in(python::StmtList body) const {
    for (const python::Stmt* s : body)
      if (const python::FunctionDef* f = in(*s)) return f;
    return nullptr;
  }

 private:
  bool fits(const python::FunctionDef& f) const {
    if (f.name != name_) return false;
    const std::uint32_t def = file_.line_of(f.name_span.begin);
    const std::uint32_t first =
        f.decorators.empty() ? def : file_.line_of(f.decorators[0]->span.begin);
    return first <= line_ && line_ <= def;
  }

  const python::FunctionDef* in(const python::Stmt& s) const {
    if (const auto* f = s.try_as<python::FunctionDef>()) return fits(*f) ? f : in(f->body);
    if (const auto* c = s.try_as<python::ClassDef>()) return in(c->body);
    if (const auto* w = s.try_as<python::With>()) return in(w->body);
    if (const auto* i = s.try_as<python::If>()) return either(i->body, i->otherwise);
    if (const auto* l = s.try_as<python::For>()) return either(l->body, l->otherwise);
    if (const auto* l = s.try_as<python::While>()) return either(l->body, l->otherwise);
    if (const auto* t = s.try_as<python::Try>()) {
      for (const python::ExceptHandler& h : t->handlers)
        if (const python::FunctionDef* f = in(h.body)) return f;
      if (const python::FunctionDef* f = either(t->body, t->otherwise)) return f;
      return in(t->finally);
    }
    return nullptr;
  }

  const python::FunctionDef* either(python::StmtList a, python::StmtList b) const {
    const python::FunctionDef* f = in(a);
    return f ? f : in(b);
  }

  const SourceFile& file_;
  std::uint32_t line_;
  std::string_view name_;
};

}  // namespace

Objects::Id Objects::add_text(std::string file_name, std::string text) {
  texts_.emplace_back().file = python::add_source(*sources_, std::move(file_name), std::move(text));
  return static_cast<Id>(texts_.size() - 1);
}

Objects::Id Objects::add(Value value) {
  objects_.push_back(std::move(value));
  return static_cast<Id>(objects_.size() - 1);
}

Objects::Id Objects::add_function(Id text, std::uint32_t line, std::string_view name,
                                  bool is_function) {
  check(text >= 0 && static_cast<std::size_t>(text) < texts_.size(), "the text of a function");
  Text& in = texts_[static_cast<std::size_t>(text)];
  if (!in.parsed) {
    in.module = python::parse_module(*sources_, in.file, problems_, in.arena);
    in.parsed = true;
  }
  const SourceFile& file = sources_->file(in.file);
  Value v;
  v.kind = Kind::Function;
  v.text = std::string(name);
  v.integer = static_cast<std::int64_t>(scopes_.size());
  if (in.module) {
    v.function = FindFunction(file, line, name).in(in.module->body);
    if (!v.function)
      problems_
          .error({}, "there is no function " + quoted(name) + " at line " + std::to_string(line) +
                         " of " + file.name)
          .help = "the file has changed since Python read it: start Python again";
  }
  Scope& scope = scopes_.emplace_back();
  scope.is_function = is_function;
  v.sees = &scope;
  return add(std::move(v));
}

const Value& Objects::at(Id object) const {
  check(object >= 0 && static_cast<std::size_t>(object) < objects_.size(), "an object's number");
  return objects_[static_cast<std::size_t>(object)];
}

Scope& Objects::scope_of(Id function) {
  const Value& v = at(function);
  check(v.is(Kind::Function), "a function");
  return scopes_[static_cast<std::size_t>(v.integer)];
}

void Objects::set(Id of, std::string name, Id value) {
  const Value member = at(value);
  at(of);
  Value& whole = objects_[static_cast<std::size_t>(of)];
  switch (whole.kind) {
    case Kind::Function: scope_of(of).values.insert_or_assign(std::move(name), member); return;
    case Kind::Tuple: whole.elements.push_back(member); return;
    case Kind::Enum:
    case Kind::Namespace:
    case Kind::Dict: {
      Members members = *whole.members;
      members.insert_or_assign(std::move(name), member);
      whole.members = std::make_shared<const Members>(std::move(members));
      return;
    }
    default: internal_error("only functions, tuples and namespaces hold others");
  }
}

void Objects::set_annotation(Id function, std::string parameter, Id value) {
  scope_of(function).annotations.insert_or_assign(std::move(parameter), at(value));
}

void Objects::set_default(Id function, std::string parameter, Id value) {
  scope_of(function).defaults.insert_or_assign(std::move(parameter), at(value));
}

std::optional<Stencil> Objects::compile(Id function, const std::string& name,
                                        const Options& options, Diagnostics& diagnostics) const {
  for (const Diagnostic& d : problems_.all()) diagnostics.add(d);
  if (problems_.has_errors()) return std::nullopt;
  const Value& f = at(function);
  check(f.is(Kind::Function), "a definition");
  const Definition definition{f.function, nullptr, {}, name};
  return Translator(definition, *f.sees, options, sources_, diagnostics).run();
}

}  // namespace lathe::stencil
