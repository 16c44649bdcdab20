// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which characters beyond ASCII may stand in names.
//
// Names are compared as they are written: Python also treats two names as one when their NFKC forms
// are equal, which matters only to names in unusual styles of letters. We do not normalise.

#include <string_view>

namespace lathe::python {

// Codes of 0x80 and above.
bool may_begin_name(char32_t code);
bool may_continue_name(char32_t code);

// The offset of the first character that a name must not hold, or npos. The word is made of ASCII
// letters, digits, '_' and anything beyond ASCII.
std::size_t find_bad_name_character(std::string_view word);

}  // namespace lathe::python
