// SPDX-License-Identifier: Apache-2.0
#pragma once
// Python 3.12 source to its syntax tree: the whole grammar, and nothing about what it means.
//
// Errors are reported in the order of the text, at most one per statement. Beyond the grammar these
// are refused: targets that nothing can be assigned to or deleted, and parameters, arguments and
// patterns in an impossible order. What Python finds later ('return' outside a function, names used
// twice, a global declared too late) is not. One thing that 3.12 accepts and later versions do not
// is refused: the end of a line in the format of an f-string without triple quotes.

#include <optional>
#include <string_view>

#include "base/arena.h"
#include "frontend/python/ast.h"

namespace lathe::python {

// The whole file (add_source of encoding.h puts one into the map). Nothing when an error was
// reported. The tree lives in the arena and refers to the map's text.
std::optional<Module> parse_module(const SourceMap& sources, std::uint32_t file,
                                   Diagnostics& diagnostics, Arena& arena);

// One expression: the text under the span, where line ends do not count, as inside parentheses. A
// tuple needs no parentheses. Null when an error was reported.
Expr* parse_expression(const SourceMap& sources, Span where, Diagnostics& diagnostics,
                       Arena& arena);

}  // namespace lathe::python
