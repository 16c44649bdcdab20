// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a string token says: prefix, quotes and escapes.

#include <optional>
#include <string>
#include <string_view>

namespace lathe::python {

struct StringForm {
  bool bytes = false, raw = false, u_prefix = false;
  std::size_t body = 0;    // where the text between the quotes begins
  std::size_t length = 0;  // and how long it is
};

// Of a String token, or of FStringStart (whose body is empty).
StringForm string_form(std::string_view token);

struct StringFault {
  std::size_t begin, end;  // in the body
  std::string message, help;
};

struct BodyRules {
  bool bytes = false, raw = false;
  bool braces = false;  // '{{' and '}}' are one character each
};

// Whether the body stands for itself, character by character.
bool is_verbatim(std::string_view body, BodyRules rules);

// Appends the value. \N{...} is kept as it is written: to resolve it takes the names of all
// characters. An escape that Python does not know stays, too, as Python has it.
std::optional<StringFault> append_value(std::string& out, std::string_view body, BodyRules rules);

}  // namespace lathe::python
