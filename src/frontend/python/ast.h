// SPDX-License-Identifier: Apache-2.0
#pragma once
// The syntax tree of Python 3.12: the names and fields of Python's own `ast` module, a little
// denser (one Comprehension instead of four, is_async instead of Async...).
//
// Nodes live in the arena that parse_module was given; texts are views of the source or of the
// arena. A pointer may be null only where its comment says "or none". No path through the tree is
// longer than kMaxHeight for expressions and kMaxNesting for the rest, so functions over it may
// recurse.
//
//   ast.h          sequences, Module
//   ast_expr.h     expressions
//   ast_stmt.h     statements
//   ast_pattern.h  patterns of `case`

#include "frontend/python/ast_expr.h"
#include "frontend/python/ast_pattern.h"
#include "frontend/python/ast_stmt.h"

namespace lathe::python {

struct Module {
  std::uint32_t file = kNoFile;
  StmtList body;
  Seq<Span> comments;  // every comment, from its '#' to the end of its line, in order
};

}  // namespace lathe::python
