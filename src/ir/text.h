// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text form of programs and expressions (docs/language.md): parse(print(p)) == p.

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::ir {

// Parses one program. Reports every error it can find (statement-level recovery) and returns
// nothing if there was any. The result is parsed, typed and named, but not yet verified
// (ir/verify.h). Never throws on bad text, never recurses deeper than the nesting cap, linear in
// the text.
std::optional<Program> parse_program(std::string_view file_name, std::string_view text,
                                     Diagnostics& diagnostics,
                                     std::shared_ptr<SourceMap> sources = nullptr);

struct PrintOptions {
  bool spans = false;   // append `# @file:line:col+bytes` to items and arrays; parsing adopts them
  bool labels = false;  // every label, not only those that differ from the default
};
std::string print(const Program& program, const PrintOptions& options = {});

// One item, as it stands in print(); for messages, `explain` and --watch.
std::string print(const Program& program, const Item& item);
// The same for every top-level item; linear in the program.
std::vector<std::string> print_items(const Program& program);
std::string print(const Program& program, const Statement& statement);
// One expression without lets (shared parts are repeated; at most `max_nodes`, then "...").
std::string print(Expr e, std::size_t max_nodes = 200);

// Same parameters, arrays, combiners and items, up to spans. Programs may live in different graphs.
bool same_program(const Program& a, const Program& b);

// A stable hash of the program's meaning-relevant structure (what lockfiles are keyed by).
std::uint64_t structural_hash(const Program& program);

}  // namespace lathe::ir
