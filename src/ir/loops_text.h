// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text form of kernels (see ir/loops.h for how one looks): parse_kernel(to_text(k)) == k.
//
//   kernel NAME(PARAMETERS)
//     argument NAME: DTYPE[LO..HI, ...] ROLE [unit]
//     table    NAME: DTYPE[LO..HI, ...] = [...] [layout 1, 0]
//     scratch  NAME: DTYPE[LO..HI, ...] [layout 1, 0]
//     site N: KIND [write] [of ARRAY [at BUFFER]] [in LABEL] [(VARIABLES)] [# OPERATION]
//
//     for i in a..b [step 64] [down]:       let x = e               load p = u[i, j, 0] width 4
//     parallel i in a..b [step 4] [grain 16]: var acc: f64 = e      prefetch u[i, j]
//     vector j in a..b by 8:                acc = e                 break if c
//     if c:                                 u[i, j] = e             fault N (VALUES)
//     else:                                 stream u[i, j] = e      rotate a, b
//     thread row: f64[0..m]                 # comment               [LABEL:] call sort(u) -> s
//     stack, lanes: the same; allocate scratch ..., allocate argument ...
//
// Expressions are those of programs (ir/text.h); reads are trusted unless they say otherwise. A
// block may be missing: then the body is empty. A comment on a line of its own is a statement;
// behind something else it is dropped.

#include <optional>
#include <string>
#include <string_view>

#include "ir/loops.h"

namespace lathe::loops {

struct TextOptions {
  bool spans = false;  // append `# @file:line:col+bytes` to sites; parsing adopts them
};
// Linear in the expressions of the statements, each taken by itself.
std::string to_text(const Kernel& kernel, const TextOptions& options = {});

// One statement without its bodies, on one line, cut when it is long: for messages.
std::string head_text(const Stmt& statement);

// Parses one kernel. Reports every error it can find and returns nothing if there was any. The
// result is typed and named, but not yet verified (ir/loops_verify.h). Never throws on bad text,
// never recurses deeper than the nesting cap, linear in the text.
std::optional<Kernel> parse_kernel(std::string_view file_name, std::string_view text,
                                   Diagnostics& diagnostics,
                                   std::shared_ptr<SourceMap> sources = nullptr);

// Same parameters, buffers, sites and statements, up to spans and the names of axes. Kernels may
// live in different graphs.
bool same_kernel(const Kernel& a, const Kernel& b);

}  // namespace lathe::loops
