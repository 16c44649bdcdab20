// SPDX-License-Identifier: Apache-2.0
#pragma once
// What of the program's text may appear in C.

#include <string>
#include <string_view>

namespace lathe::emit {

// "x7_acc" for ('x', 7, "acc.0"): a letter, a number that makes it unique, and for the reader what
// is left of the name: [a-z0-9_], not too long.
std::string identifier(char kind, int number, std::string_view name);

// One line of printable ASCII that cannot end a comment, begin one, or continue on the next line.
std::string comment_text(std::string_view text);

}  // namespace lathe::emit
