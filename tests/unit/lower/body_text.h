// SPDX-License-Identifier: Apache-2.0
#pragma once
// Statements of Loops as text, for expectations.

#include <string>

#include "ir/loops.h"
#include "ir/text.h"

namespace lathe::lower {

inline std::string list_text(const std::vector<ir::Expr>& exprs) {
  std::string text;
  for (ir::Expr e : exprs) text += (text.empty() ? "" : ", ") + ir::print(e);
  return text;
}

inline std::string element_text(ir::Symbol buffer, const std::vector<ir::Expr>& indices) {
  return std::string(buffer.text()) + "[" + list_text(indices) + "]";
}

inline std::string body_text(const loops::Body& body, const std::string& margin = "") {
  std::string text;
  const auto line = [&](const std::string& l) { text += margin + l + "\n"; };
  for (const loops::Stmt& stmt : body) {
    if (const auto* s = std::get_if<loops::Let>(&stmt.node)) {
      line("let " + std::string(s->name.text()) + " = " + ir::print(s->value));
    } else if (const auto* s = std::get_if<loops::Var>(&stmt.node)) {
      line("var " + std::string(s->name.text()) + " = " + ir::print(s->initial));
    } else if (const auto* s = std::get_if<loops::Assign>(&stmt.node)) {
      line(std::string(s->name.text()) + " = " + ir::print(s->value));
    } else if (const auto* s = std::get_if<loops::Store>(&stmt.node)) {
      line((s->stream ? "stream " : "") + element_text(s->buffer, s->indices) + " = " +
           ir::print(s->value));
    } else if (const auto* s = std::get_if<loops::VectorLoad>(&stmt.node)) {
      line("load " + std::string(s->name.text()) + " = " + element_text(s->from, s->indices) +
           " width " + std::to_string(s->width));
    } else if (const auto* s = std::get_if<loops::Fault>(&stmt.node)) {
      line("fault " + std::to_string(s->site) + " (" + list_text(s->values) + ")");
    } else if (const auto* s = std::get_if<loops::If>(&stmt.node)) {
      line("if " + ir::print(s->condition) + ":");
      text += body_text(s->then_body, margin + "  ");
      if (!s->else_body.empty()) line("else:");
      text += body_text(s->else_body, margin + "  ");
    } else {
      line("?");
    }
  }
  return text;
}

}  // namespace lathe::lower
