// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of legal() that ask about one statement or copy, not about dependences (private to
// src/schedule).

#include <map>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "schedule/nest.h"

namespace lathe::schedule {

// A copy that would be stale or whose layout does not fit; nothing: all are fine.
std::optional<Diagnostic> refused_copy(const Nest& nest);

// Vectors of more bytes than registers can hold a few of.
std::optional<Diagnostic> refused_width(const Nest& nest, const Leaf& leaf, const ir::Statement& s);

// A jam of anything but one vector loop over statements that set what they write.
std::optional<Diagnostic> refused_jam(const Leaf& leaf, const ir::Statement& s);

// Loops that change the order in which the statement accumulates.
std::optional<Diagnostic> refused_accumulation(const Nest& nest, const Leaf& leaf,
                                               const ir::Statement& s);

// Of temporaries that do not live whole.
class PlaceJudge {
 public:
  explicit PlaceJudge(const Nest& nest) : nest_(nest) {}

  // A place that the statement's target cannot have.
  std::optional<Diagnostic> refused(const Leaf& leaf, const ir::Statement& s);

 private:
  // A statement that touches an array.
  struct Line {
    const Leaf* leaf;
    const ir::Statement* statement;
    std::vector<Expr> reads;  // of that array
  };
  const std::vector<Line>& lines_that_touch(Symbol array);
  std::optional<Diagnostic> refused_window(const Leaf& leaf, const ir::Statement& s,
                                           const ir::Target& t);
  std::optional<Diagnostic> refused_register(const Leaf& leaf, const ir::Statement& s,
                                             const ir::Target& t);

  const Nest& nest_;
  std::map<Symbol, std::vector<Line>> touching_;  // filled when first asked for
};

}  // namespace lathe::schedule
