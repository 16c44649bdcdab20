// SPDX-License-Identifier: Apache-2.0
#pragma once
// Renaming inside texts that sets keep of what they do not understand (reads, opaque conditions).

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lathe::ir {

inline bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
inline bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '.'; }

// The name or number that begins at text[at], or the single character there. A '.' belongs to a
// name only before a name character, so ranges `a..b` stay three words.
inline std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name_char(text[end])) {
    if (text[end] == '.' && (end + 1 == text.size() || text[end + 1] == '.' ||
                             !is_name_char(text[end + 1]) || end == at))
      break;
    ++end;
  }
  return text.substr(at, end > at ? end - at : 1);
}

using Renames = std::map<std::string, std::string>;

inline std::string rename_words(std::string_view text, const Renames& names) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string word(word_at(text, at));
    const auto found = is_name_start(word[0]) ? names.find(word) : names.end();
    out += found == names.end() ? word : found->second;
    at += word.size();
  }
  return out;
}

inline std::vector<std::string> rename_all(std::vector<std::string> list, const Renames& names) {
  for (std::string& name : list)
    if (const auto found = names.find(name); found != names.end()) name = found->second;
  return list;
}

}  // namespace lathe::ir
