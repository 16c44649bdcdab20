// SPDX-License-Identifier: Apache-2.0
// Finding the coding comment, and what follows from it.

#include "frontend/python/encoding.h"

#include <algorithm>
#include <utility>

#include "base/quoted.h"
#include "base/utf8.h"

namespace lathe::python {
namespace {

enum class Encoding { Utf8, Ascii, Latin1, Unknown };

struct Cookie {
  std::size_t begin = 0, end = 0;  // of the encoding's name; empty when there is none
  Encoding encoding = Encoding::Utf8;
};

bool is_encoding_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

Encoding encoding_called(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  const auto is = [&](std::string_view base) {
    return plain == base || plain.starts_with(std::string(base) + "-");
  };
  if (is("utf-8") || plain == "utf8" || plain == "u8") return Encoding::Utf8;
  if (plain == "ascii" || plain == "us-ascii") return Encoding::Ascii;
  if (is("latin-1") || is("iso-8859-1") || is("iso-latin-1") || plain == "latin1" ||
      plain == "l1" || plain == "iso8859-1")
    return Encoding::Latin1;
  return Encoding::Unknown;
}

// A line counts when it holds a comment and nothing else.
std::size_t find_comment(std::string_view line) {
  const std::size_t mark = line.find_first_not_of(" \t\f");
  return mark != std::string_view::npos && line[mark] == '#' ? mark : std::string_view::npos;
}

Cookie find_cookie(std::string_view text) {
  std::size_t begin = 0;
  for (int number = 0; number < 2 && begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t comment = find_comment(line);
    if (comment == std::string_view::npos && line.find_first_not_of(" \t\f") != line.npos) break;
    for (std::size_t at = line.find("coding", comment); at != line.npos;
         at = line.find("coding", at + 1)) {
      std::size_t name = at + 6;
      if (name >= line.size() || (line[name] != ':' && line[name] != '=')) continue;
      name = line.find_first_not_of(" \t", name + 1);
      if (name == line.npos) break;
      std::size_t stop = name;
      while (stop < line.size() && is_encoding_char(line[stop])) ++stop;
      if (stop == name) continue;
      return {begin + name, begin + stop, encoding_called(line.substr(name, stop - name))};
    }
    begin = end + 1;
  }
  return {};
}

bool is_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
}

std::string shown_byte(char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  return {'0', 'x', kDigits[value >> 4], kDigits[value & 15]};
}

std::string from_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

}  // namespace

std::uint32_t add_source(SourceMap& sources, std::string name, std::string bytes) {
  if (!is_ascii(bytes) && find_cookie(bytes).encoding == Encoding::Latin1)
    bytes = from_latin1(bytes);
  return sources.add(std::move(name), std::move(bytes));
}

bool check_encoding(const SourceMap& sources, std::uint32_t file, Diagnostics& diagnostics) {
  const std::string_view text = sources.file(file).text;
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    diagnostics.error({file, 0, 0}, quoted(sources.file(file).name) + " is UTF-16 text, not UTF-8")
        .help = "save the file as UTF-8";
    return false;
  }
  const Cookie cookie = find_cookie(text);
  const Span where{file, static_cast<std::uint32_t>(cookie.begin),
                   static_cast<std::uint32_t>(cookie.end)};
  if (cookie.encoding == Encoding::Unknown) {
    diagnostics.error(where, "the encoding " + quoted(sources.text(where)) + " is not supported")
        .help =
        "save the file as UTF-8 and remove this comment; ascii and latin-1 are understood, too";
    return false;
  }
  if (!check_bytes(sources, {file, 0, static_cast<std::uint32_t>(text.size())}, diagnostics))
    return false;
  if (cookie.encoding != Encoding::Ascii || is_ascii(text)) return true;
  std::uint32_t wrong = 0;
  while ((text[wrong] & 0x80) == 0) ++wrong;
  diagnostics
      .error({file, wrong, wrong + decode_utf8(text, wrong).length},
             "this file says that it is ASCII, but this character is not")
      .help = "say 'coding: utf-8' in its first line";
  return false;
}

bool check_bytes(const SourceMap& sources, Span where, Diagnostics& diagnostics) {
  const std::string_view text = sources.text(where);
  const auto refuse = [&](std::size_t offset, std::string message, std::string help) {
    const std::uint32_t at = where.begin + static_cast<std::uint32_t>(offset);
    diagnostics.error({where.file, at, at + 1}, std::move(message)).help = std::move(help);
    return false;
  };
  if (const std::size_t nul = text.find('\0'); nul != text.npos)
    return refuse(nul, "a NUL byte in Python source", "remove it");
  if (is_ascii(text)) return true;
  const std::size_t wrong = find_invalid_utf8(text);
  if (wrong == text.npos) return true;
  return refuse(wrong, "byte " + shown_byte(text[wrong]) + " is not valid UTF-8",
                "save the file as UTF-8");
}

}  // namespace lathe::python
