// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"
#include "base/quoted.h"
#include "frontend/python/parser.h"
#include "frontend/stencil/environment.h"
#include "frontend/stencil/stencil.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {

std::string_view name(Access a) {
  switch (a) {
    case Access::None: return "none";
    case Access::Read: return "read";
    case Access::Write: return "write";
    case Access::ReadWrite: return "read-write";
  }
  return "";
}

const Argument* Info::find(std::string_view argument) const {
  for (const Argument& a : arguments)
    if (a.name == argument) return &a;
  return nullptr;
}

namespace {

using ExternalNames = std::set<std::string, std::less<>>;

void note_externals(python::StmtList body, ExternalNames& out) {
  for (const python::Stmt* s : body) {
    if (const auto* from = s->try_as<python::ImportFrom>();
        from && (from->module == "__externals__" || from->module.ends_with(".__externals__")))
      for (const python::Alias& alias : from->names) out.emplace(alias.name);
    if (const auto* f = s->try_as<python::FunctionDef>()) note_externals(f->body, out);
    if (const auto* c = s->try_as<python::ClassDef>()) note_externals(c->body, out);
    if (const auto* w = s->try_as<python::With>()) note_externals(w->body, out);
    const auto both = [&](python::StmtList first, python::StmtList second) {
      note_externals(first, out);
      note_externals(second, out);
    };
    if (const auto* i = s->try_as<python::If>()) both(i->body, i->otherwise);
    if (const auto* l = s->try_as<python::For>()) both(l->body, l->otherwise);
    if (const auto* l = s->try_as<python::While>()) both(l->body, l->otherwise);
    if (const auto* t = s->try_as<python::Try>()) {
      both(t->body, t->otherwise);
      for (const python::ExceptHandler& h : t->handlers) note_externals(h.body, out);
      note_externals(t->finally, out);
    }
  }
}

}  // namespace

struct File::Parts {
  std::shared_ptr<SourceMap> sources;
  std::uint32_t file = kNoFile;
  Arena arena;
  std::optional<Environment> environment;
  ExternalNames externals;
};

File::File(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;
File::~File() = default;

std::optional<File> File::parse(std::shared_ptr<SourceMap> sources, std::uint32_t file,
                                Diagnostics& diagnostics) {
  auto parts = std::make_unique<Parts>();
  parts->sources = std::move(sources);
  parts->file = file;
  const auto module = python::parse_module(*parts->sources, file, diagnostics, parts->arena);
  if (!module) return std::nullopt;
  parts->environment.emplace(*module);
  note_externals(module->body, parts->externals);
  return File(std::move(parts));
}

std::vector<std::string> File::stencils() const {
  std::vector<std::string> names;
  for (const Definition& d : parts_->environment->definitions())
    names.emplace_back(d.function->name);
  return names;
}

std::set<std::string, std::less<>> File::externals() const { return parts_->externals; }

std::optional<Stencil> File::compile(std::string_view stencil, const Options& options,
                                     Diagnostics& diagnostics) const {
  const Definition* definition = parts_->environment->find(stencil);
  if (!definition) {
    NearestName nearest(stencil);
    std::string all;
    const std::vector<std::string> names = stencils();
    for (const std::string& n : names) {
      nearest.consider(n);
      all += (all.empty() ? "" : ", ") + n;
    }
    diagnostics
        .error({}, "there is no stencil " + quoted(stencil) + " in " +
                       parts_->sources->file(parts_->file).name)
        .help = nearest.help(all.empty() ? "no function of the file has a computation"
                                         : "its stencils are " + all);
    return std::nullopt;
  }
  try {
    return Translator(*definition, parts_->environment->scope_of(*definition), options,
                      parts_->sources, diagnostics)
        .run();
  } catch (const UserError& e) {  // what its decorator says
    diagnostics.add(e.diagnostic());
    return std::nullopt;
  }
}

}  // namespace lathe::stencil
