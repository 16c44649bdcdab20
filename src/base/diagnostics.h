// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Lathe says when something is wrong.
//
// There are two kinds of error. The user's: a Diagnostic, collected in Diagnostics where work can
// go on (parser, checker), thrown as UserError where it cannot. And ours: InternalError, thrown by
// check() and internal_error(), which are never compiled out.

#include <cstddef>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"

namespace lathe {

enum class Severity { Error, Warning, Note };

std::string_view name(Severity severity);

// What sort of mistake it is, for callers that treat some apart: Python has a class of exceptions
// for each. The same numbers as LATHE_KIND_... in lathe/c.h.
enum class ErrorKind {
  Other,
  DType,      // elements of a type that the operation does not take
  Index,      // an index that an array does not have
  Axis,       // an axis that an array does not have
  Number,     // a number that the dtype cannot hold
  Lengths,    // lengths that must be known here, and are symbols
  Matrix,     // a matrix that has no result: singular, not positive definite
  Division,   // of an integer by zero
  Power,      // of an integer, and negative
  Symbol,     // a name that stands for nothing
  Value,      // of a name, where another is needed
  Assertion,  // that the user has written
};

// A remark below a diagnostic, about its own place or about none.
struct Note {
  std::string message;
  Span span;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string message;  // what and why: one sentence, no full stop, names in 'quotes'
  Span span;            // where
  std::vector<Note> notes;
  std::string help;  // what to do; empty when there is nothing to say
  ErrorKind kind = ErrorKind::Other;
  std::string about = {};   // the name that it is about, where callers ask for it
  bool says_where = false;  // a note has the line of the user's own program

  Diagnostic& note(std::string text, Span where = {}) {
    notes.push_back({std::move(text), where});
    return *this;
  }
};

// The diagnostics of one run, in the order they were found.
class Diagnostics {
 public:
  static constexpr std::size_t kDefaultMaxErrors = 20;

  explicit Diagnostics(std::size_t max_errors = kDefaultMaxErrors) : max_errors_(max_errors) {}

  // The references stay good; add notes and help through them. Errors beyond the maximum are
  // dropped, and one last error says so.
  Diagnostic& error(Span span, std::string message);
  Diagnostic& warning(Span span, std::string message);
  Diagnostic& add(Diagnostic diagnostic);

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }
  // Nothing more will be kept: a good moment to stop looking.
  bool full() const { return error_count_ > max_errors_; }
  const std::deque<Diagnostic>& all() const { return all_; }

 private:
  std::size_t max_errors_;
  std::size_t error_count_ = 0;  // those found, dropped ones included
  std::deque<Diagnostic> all_;
  Diagnostic dropped_;
};

// The message, the place with its source line, notes, help:
//
//   error: stencil 'lap' reads 'phi' at i+2, but phi has a halo of 1 there
//     --> diffusion.py:14:11
//      |
//   14 |     out = phi[2, 0, 0] - phi
//      |           ^^^^^^^^^^^^
//     help: give phi a halo of 2 in i, or shrink the domain
//
// Ends in a newline. A span over several lines is shown by its first.
std::string render_text(const Diagnostic& diagnostic, const SourceMap& sources);
std::string render_text(const Diagnostics& diagnostics, const SourceMap& sources);

// One JSON object on one line: severity, message, file, line, column, end_line, end_column (absent
// without a place), notes (each message and place), help (absent when empty).
std::string render_json(const Diagnostic& diagnostic, const SourceMap& sources);
// A JSON array, one object per line.
std::string render_json(const Diagnostics& diagnostics, const SourceMap& sources);

// A mistake in what the user gave, after which nothing can go on. what() is the bare message.
class UserError : public std::runtime_error {
 public:
  explicit UserError(Diagnostic diagnostic)
      : std::runtime_error(diagnostic.message), diagnostic_(std::move(diagnostic)) {}
  explicit UserError(std::string message, Span span = {}, std::string help = {},
                     ErrorKind kind = ErrorKind::Other)
      : UserError(
            Diagnostic{Severity::Error, std::move(message), span, {}, std::move(help), kind}) {}

  const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

// A mistake in Lathe. The driver that runs passes knows where it happened and adds it with in().
class InternalError : public std::logic_error {
 public:
  explicit InternalError(std::string problem, std::string stage = {}, std::string pass = {});

  const std::string& problem() const { return problem_; }
  const std::string& stage() const { return stage_; }
  const std::string& pass() const { return pass_; }

  // The same error, said to have happened in that stage and pass; what is known already stays.
  InternalError in(std::string stage, std::string pass) const;

 private:
  std::string problem_, stage_, pass_;
};

// The place in Lathe's own source that found the mistake; filled in by default arguments, since
// clang 14 has no std::source_location.
struct CodePlace {
  const char* file;
  int line;

  static constexpr CodePlace here(const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
    return {file, line};
  }
};

[[noreturn]] void internal_error(std::string_view problem, CodePlace where = CodePlace::here());

// `what` names the thing that does not hold, as in "an array without axes".
inline void check(bool holds, const char* what, CodePlace where = CodePlace::here()) {
  if (!holds) [[unlikely]] {
    internal_error(what, where);
  }
}

}  // namespace lathe
