// SPDX-License-Identifier: Apache-2.0
// Source files, line tables, and the check of raw source text.

#include "base/source.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "base/utf8.h"

namespace lathe {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string normalised(std::string text) {
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  std::size_t out = 0;
  for (std::size_t in = 0; in < text.size(); ++in) {
    if (text[in] == '\r' && in + 1 < text.size() && text[in + 1] == '\n') continue;
    text[out++] = text[in];
  }
  text.resize(out);
  return text;
}

std::string hex_byte(char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  return {'0', 'x', kDigits[value >> 4], kDigits[value & 15]};
}

// UTF-16 is what some Windows editors save; its byte order marks are never valid UTF-8.
bool looks_like_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

}  // namespace

Span join(Span a, Span b) {
  if (!a.known()) return b;
  if (!b.known() || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

std::uint32_t SourceFile::line_of(std::uint32_t offset) const {
  auto after = std::upper_bound(line_starts.begin(), line_starts.end(), offset);
  return static_cast<std::uint32_t>(after - line_starts.begin());
}

std::string_view SourceFile::line_text(std::uint32_t line) const {
  check(line >= 1 && line <= line_starts.size(), "a line number outside its file");
  const std::size_t begin = line_starts[line - 1];
  const std::size_t end = line < line_starts.size() ? line_starts[line] - 1 : text.size();
  return std::string_view(text).substr(begin, end - begin);
}

std::uint32_t SourceMap::add(std::string name, std::string text) {
  auto file = std::make_unique<SourceFile>();
  file->name = std::move(name);
  file->text = normalised(std::move(text));
  if (file->text.size() >= kNoFile) {
    throw UserError("'" + file->name + "' is too large: a source text must be below 4 GiB");
  }
  file->line_starts.push_back(0);
  for (std::size_t i = 0; i < file->text.size(); ++i) {
    if (file->text[i] == '\n') file->line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  files_.push_back(std::move(file));
  return file_count() - 1;
}

const SourceFile& SourceMap::file(std::uint32_t id) const {
  check(id < files_.size(), "a span of a file that the source map does not hold");
  return *files_[id];
}

std::string_view SourceMap::text(Span span) const {
  const std::string_view all = file(span.file).text;
  const std::size_t begin = std::min<std::size_t>(span.begin, all.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

Location SourceMap::location(Span span) const { return location(span.file, span.begin); }

Location SourceMap::location(std::uint32_t id, std::uint32_t offset) const {
  const SourceFile& source = file(id);
  const std::uint32_t line = source.line_of(offset);
  const std::string_view text = source.line_text(line);
  const std::size_t into =
      std::min<std::size_t>(offset - source.line_starts[line - 1], text.size());
  const auto before = static_cast<std::uint32_t>(count_code_points(text.substr(0, into)));
  return {source.name, line, before + 1};
}

bool check_source_text(const SourceMap& sources, std::uint32_t id, Diagnostics& diagnostics) {
  const std::string& text = sources.file(id).text;
  if (looks_like_utf16(text)) {
    diagnostics.error({id, 0, 0}, "'" + sources.file(id).name + "' is UTF-16 text, not UTF-8")
        .help = "save the file as UTF-8";
    return false;
  }
  bool clean = true;
  const auto refuse = [&](std::size_t begin, std::size_t length, std::string message,
                          std::string help) {
    const Span span{id, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(begin + length)};
    diagnostics.error(span, std::move(message)).help = std::move(help);
    clean = false;
  };
  for (std::size_t i = 0; i < text.size() && !diagnostics.full();) {
    const Utf8Char at = decode_utf8(text, i);
    const char byte = text[i];
    if (!at.valid) {
      refuse(i, at.length, "byte " + hex_byte(byte) + " is not valid UTF-8",
             "save the file as UTF-8");
    } else if (byte == '\r') {
      refuse(i, 1, "a carriage return that does not end a line", "end lines with \\n or \\r\\n");
    } else if (at.code < 0x20 && byte != '\n' && byte != '\t') {
      refuse(i, 1, "control character " + hex_byte(byte) + " in source text", "remove it");
    } else if (at.code == 0x7f) {
      refuse(i, 1, "control character 0x7f in source text", "remove it");
    }
    i += at.length;
  }
  return clean;
}

}  // namespace lathe
