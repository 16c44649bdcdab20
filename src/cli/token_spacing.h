// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where blanks go between the tokens of a program (private to `lathe fmt`).

#include <cstdint>
#include <vector>

#include "ir/text_lexer.h"

namespace lathe::cli {

// The part that a token plays, as far as blanks are concerned.
enum class Part : std::uint8_t {
  Operand,  // a name, a number: brackets stick to it
  Callee,   // f64, sum, the operation of a reduce: brackets stick to it, too
  Word,     // for, in, and: blanks on both sides
  Infix,    // +, <=, ->: blanks on both sides
  Tight,    // .. and the - of i-1: none
  Prefix,   // -x, ~x: none after it
  Open,
  Close,
  CloseHow,  // of [tree, f64]: what follows begins anew
  Comma,     // , ; : none before it, one after it
  Assign,    // =
};

// One entry per token; those of lines and blocks have no part and get Word.
std::vector<Part> parts(const std::vector<ir::Token>& tokens);

// Whether a blank stands before token `i`, which is not the first of its line.
bool blank_before(const std::vector<ir::Token>& tokens, const std::vector<Part>& parts,
                  std::size_t i);

}  // namespace lathe::cli
