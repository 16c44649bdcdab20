// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layout of program text: same tokens, same lines, canonical blanks.

#include <string>
#include <string_view>
#include <vector>

#include "ir/text_lexer.h"

namespace lathe::cli {

// `tokens` are those of `text` (ir::tokenize), which has no errors. Keeps tokens, line breaks and
// comments; changes indentation (2 per block) and blanks; at most one empty line in a row. What
// ir::print writes stays as it is, and so does what this function gives.
std::string format_tokens(std::string_view text, const std::vector<ir::Token>& tokens);

}  // namespace lathe::cli
