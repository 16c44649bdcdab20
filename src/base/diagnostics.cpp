// SPDX-License-Identifier: Apache-2.0
// Collecting diagnostics, and the two kinds of error.

#include "base/diagnostics.h"

namespace lathe {
namespace {

std::string internal_message(const std::string& problem, const std::string& stage,
                             const std::string& pass) {
  std::string text = "internal error";
  if (!stage.empty()) text += " in " + stage;
  if (!pass.empty()) text += ", pass " + pass;
  text += ": " + problem;
  text += "\n  This is a mistake in Lathe, not in your program.";
  text += "\n  Please report it together with the program and the command that led here.";
  return text;
}

}  // namespace

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  internal_error("an unknown severity");
}

Diagnostic& Diagnostics::error(Span span, std::string message) {
  return add({Severity::Error, std::move(message), span, {}, {}});
}

Diagnostic& Diagnostics::warning(Span span, std::string message) {
  return add({Severity::Warning, std::move(message), span, {}, {}});
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  const bool already_full = full();
  if (diagnostic.severity == Severity::Error) ++error_count_;
  if (!full()) return all_.emplace_back(std::move(diagnostic));
  if (!already_full) {
    all_.push_back({Severity::Error,
                    "too many errors, only the first " + std::to_string(max_errors_) + " are shown",
                    {},
                    {},
                    {}});
  }
  return dropped_ = std::move(diagnostic);
}

InternalError::InternalError(std::string problem, std::string stage, std::string pass)
    : std::logic_error(internal_message(problem, stage, pass)),
      problem_(std::move(problem)),
      stage_(std::move(stage)),
      pass_(std::move(pass)) {}

InternalError InternalError::in(std::string stage, std::string pass) const {
  return InternalError(problem_, stage_.empty() ? std::move(stage) : stage_,
                       pass_.empty() ? std::move(pass) : pass_);
}

void internal_error(std::string_view problem, CodePlace where) {
  std::string_view file = where.file;
  if (const auto src = file.rfind("src/"); src != file.npos) file.remove_prefix(src);
  throw InternalError(std::string(problem) + " (" + std::string(file) + ":" +
                      std::to_string(where.line) + ")");
}

}  // namespace lathe
