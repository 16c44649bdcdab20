// SPDX-License-Identifier: Apache-2.0
// Names beyond ASCII: binary search in two lists of ranges.

#include "frontend/python/identifier.h"

#include <algorithm>
#include <iterator>

#include "base/utf8.h"

namespace lathe::python {
namespace {

struct CodeRange {
  char32_t first, last;
};

#include "frontend/python/identifier_ranges.inc"

template <std::size_t kSize>
bool holds(const CodeRange (&ranges)[kSize], char32_t code) {
  const CodeRange* after =
      std::upper_bound(std::begin(ranges), std::end(ranges), code,
                       [](char32_t c, const CodeRange& r) { return c < r.first; });
  return after != std::begin(ranges) && code <= (after - 1)->last;
}

}  // namespace

bool may_begin_name(char32_t code) { return holds(kNameStart, code); }
bool may_continue_name(char32_t code) { return may_begin_name(code) || holds(kNameRest, code); }

std::size_t find_bad_name_character(std::string_view word) {
  for (std::size_t i = 0; i < word.size();) {
    const Utf8Char c = decode_utf8(word, i);
    if (c.length > 1 && !(i == 0 ? may_begin_name(c.code) : may_continue_name(c.code))) return i;
    i += c.length;
  }
  return std::string_view::npos;
}

}  // namespace lathe::python
