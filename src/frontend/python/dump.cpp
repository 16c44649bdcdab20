// SPDX-License-Identifier: Apache-2.0
// Statements as ast.dump prints them: fields in the order of Python's own grammar of trees,
// optional ones left out when they are None, lists always printed.

#include "frontend/python/dump.h"

#include "frontend/python/dump_writer.h"

namespace lathe::python {

std::string dump(const Module& module, const SourceMap& sources, Positions positions) {
  DumpWriter writer(sources, positions);
  writer.write(module);
  return writer.take();
}

std::string dump(const Expr& expr, const SourceMap& sources, Positions positions) {
  DumpWriter writer(sources, positions);
  writer.write(&expr);
  return writer.take();
}

void DumpWriter::write(const Module& module) {
  Node(*this, "Module").field("body", module.body).field("type_ignores", ExprList());
}

// Lines count from 1, columns are bytes and count from 0.
void DumpWriter::place(Node& node, Span span) {
  if (positions_ == Positions::Leave) return;
  const SourceFile& file = sources_.file(span.file);
  const auto one = [&](std::string_view line_name, std::string_view column_name, std::uint32_t at) {
    const std::uint32_t line = file.line_of(at);
    node.field(line_name, static_cast<int>(line));
    node.field(column_name, static_cast<int>(at - file.line_starts[line - 1]));
  };
  one("lineno", "col_offset", span.begin);
  one("end_lineno", "end_col_offset", span.end);
}

void DumpWriter::function(const FunctionDef& f) {
  Node(*this, f.is_async ? "AsyncFunctionDef" : "FunctionDef", f.span)
      .field("name", f.name)
      .field("args", f.parameters)
      .field("body", f.body)
      .field("decorator_list", f.decorators)
      .optional("returns", f.returns)
      .optional("type_params", f.type_parameters);
}

void DumpWriter::imported(const Stmt* s) {
  if (const auto* import = s->try_as<Import>()) {
    Node(*this, "Import", s->span).field("names", import->names);
    return;
  }
  const auto& from = s->as<ImportFrom>();
  Node(*this, "ImportFrom", s->span)
      .optional("module", from.module)
      .field("names", from.names)
      .field("level", from.level);
}

void DumpWriter::write(const Stmt* s) {
  switch (s->kind) {
    case StmtKind::FunctionDef: function(s->as<FunctionDef>()); return;
    case StmtKind::ClassDef: {
      const auto& c = s->as<ClassDef>();
      Node(*this, "ClassDef", s->span)
          .field("name", c.name)
          .field("bases", c.bases)
          .field("keywords", c.keywords)
          .field("body", c.body)
          .field("decorator_list", c.decorators)
          .optional("type_params", c.type_parameters);
      return;
    }
    case StmtKind::Return:
      Node(*this, "Return", s->span).optional("value", s->as<Return>().value);
      return;
    case StmtKind::Delete:
      Node(*this, "Delete", s->span).field("targets", s->as<Delete>().targets);
      return;
    case StmtKind::Assign: {
      const auto& a = s->as<Assign>();
      Node(*this, "Assign", s->span).field("targets", a.targets).field("value", a.value);
      return;
    }
    case StmtKind::AugAssign: {
      const auto& a = s->as<AugAssign>();
      Node(*this, "AugAssign", s->span)
          .field("target", a.target)
          .field("op", a.op)
          .field("value", a.value);
      return;
    }
    case StmtKind::AnnAssign: {
      const auto& a = s->as<AnnAssign>();
      Node(*this, "AnnAssign", s->span)
          .field("target", a.target)
          .field("annotation", a.annotation)
          .optional("value", a.value)
          .field("simple", a.simple ? 1 : 0);
      return;
    }
    case StmtKind::TypeAlias: {
      const auto& a = s->as<TypeAlias>();
      Node(*this, "TypeAlias", s->span)
          .field("name", a.name)
          .field("type_params", a.type_parameters)
          .field("value", a.value);
      return;
    }
    case StmtKind::For: {
      const auto& f = s->as<For>();
      Node(*this, f.is_async ? "AsyncFor" : "For", s->span)
          .field("target", f.target)
          .field("iter", f.iterable)
          .field("body", f.body)
          .field("orelse", f.otherwise);
      return;
    }
    case StmtKind::While: {
      const auto& w = s->as<While>();
      Node(*this, "While", s->span)
          .field("test", w.condition)
          .field("body", w.body)
          .field("orelse", w.otherwise);
      return;
    }
    case StmtKind::If: {
      const auto& i = s->as<If>();
      Node(*this, "If", s->span)
          .field("test", i.condition)
          .field("body", i.body)
          .field("orelse", i.otherwise);
      return;
    }
    case StmtKind::With: {
      const auto& w = s->as<With>();
      Node(*this, w.is_async ? "AsyncWith" : "With", s->span)
          .field("items", w.items)
          .field("body", w.body);
      return;
    }
    case StmtKind::Match: {
      const auto& m = s->as<Match>();
      Node(*this, "Match", s->span).field("subject", m.subject).field("cases", m.cases);
      return;
    }
    case StmtKind::Raise: {
      const auto& r = s->as<Raise>();
      Node(*this, "Raise", s->span).optional("exc", r.exception).optional("cause", r.cause);
      return;
    }
    case StmtKind::Try: {
      const auto& t = s->as<Try>();
      Node(*this, t.star ? "TryStar" : "Try", s->span)
          .field("body", t.body)
          .field("handlers", t.handlers)
          .field("orelse", t.otherwise)
          .field("finalbody", t.finally);
      return;
    }
    case StmtKind::Assert: {
      const auto& a = s->as<Assert>();
      Node(*this, "Assert", s->span).field("test", a.condition).optional("msg", a.message);
      return;
    }
    case StmtKind::Import:
    case StmtKind::ImportFrom: imported(s); return;
    case StmtKind::Global:
      Node(*this, "Global", s->span).field("names", s->as<Global>().names);
      return;
    case StmtKind::Nonlocal:
      Node(*this, "Nonlocal", s->span).field("names", s->as<Nonlocal>().names);
      return;
    case StmtKind::ExprStmt:
      Node(*this, "Expr", s->span).field("value", s->as<ExprStmt>().value);
      return;
    case StmtKind::Pass: Node(*this, "Pass", s->span); return;
    case StmtKind::Break: Node(*this, "Break", s->span); return;
    case StmtKind::Continue: Node(*this, "Continue", s->span); return;
  }
}

void DumpWriter::write(const TypeParameter& p) {
  switch (p.kind) {
    case TypeParameter::Kind::TypeVar:
      Node(*this, "TypeVar", p.span).field("name", p.name).optional("bound", p.bound);
      return;
    case TypeParameter::Kind::TypeVarTuple:
      Node(*this, "TypeVarTuple", p.span).field("name", p.name);
      return;
    case TypeParameter::Kind::ParamSpec:
      Node(*this, "ParamSpec", p.span).field("name", p.name);
      return;
  }
}

void DumpWriter::write(const WithItem& item) {
  Node(*this, "withitem")
      .field("context_expr", item.context)
      .optional("optional_vars", item.target);
}

void DumpWriter::write(const MatchCase& c) {
  Node(*this, "match_case")
      .field("pattern", c.pattern)
      .optional("guard", c.guard)
      .field("body", c.body);
}

void DumpWriter::write(const ExceptHandler& h) {
  Node(*this, "ExceptHandler", h.span)
      .optional("type", h.type)
      .optional("name", h.name)
      .field("body", h.body);
}

void DumpWriter::write(const Alias& a) {
  Node(*this, "alias", a.span).field("name", a.name).optional("asname", a.as_name);
}

}  // namespace lathe::python
