// SPDX-License-Identifier: Apache-2.0
#include "ir/recorded_spans.h"

#include <optional>
#include <type_traits>

#include "base/number_text.h"
#include "base/utf8.h"

namespace lathe::ir {
namespace {

constexpr std::string_view kMark = "# @";

// The last `separator` and what follows it, as a number.
std::optional<std::uint32_t> take_number(std::string_view& text, char separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto number = parse_uint64(text.substr(at + 1));
  if (!number || number.value > UINT32_MAX) return std::nullopt;
  text = text.substr(0, at);
  return static_cast<std::uint32_t>(number.value);
}

// "name:14:3+27" in the program's own terms.
class Adopter {
 public:
  explicit Adopter(Program& program) : program_(program) {}

  void adopt(Span& span) const {
    if (!span.known()) return;
    const SourceFile& file = program_.sources->file(span.file);
    const std::uint32_t last = file.line_of(span.end);
    for (std::uint32_t line = file.line_of(span.begin); line <= last; ++line) {
      const std::string_view text = file.line_text(line);
      const std::size_t mark = text.rfind(kMark);
      if (mark == std::string_view::npos) continue;
      if (const auto found =
              parse_recorded_span(*program_.sources, text.substr(mark + kMark.size())))
        span = *found;
      return;
    }
  }

  void body(Body& items) const {
    for (Item& item : items)
      std::visit(
          [&](auto& n) {
            using T = std::decay_t<decltype(n)>;
            if constexpr (std::is_same_v<T, Scan>)
              adopt(n.statement.span);
            else
              adopt(n.span);
            if constexpr (std::is_same_v<T, Group>)
              for (Statement& s : n.statements) adopt(s.span);
            if constexpr (std::is_same_v<T, Branch> || std::is_same_v<T, When>) {
              body(n.then_body);
              body(n.else_body);
            } else if constexpr (std::is_same_v<T, While> || std::is_same_v<T, Sweep> ||
                                 std::is_same_v<T, Repeat>) {
              body(n.body);
            }
          },
          item.node);
  }

 private:
  Program& program_;
};

}  // namespace

std::optional<Span> parse_recorded_span(const SourceMap& sources, std::string_view text) {
  const auto bytes = take_number(text, '+');
  const auto column = take_number(text, ':');
  const auto line = take_number(text, ':');
  if (!bytes || !column || !line || *line == 0 || *column == 0) return std::nullopt;
  for (std::uint32_t id = 0; id < sources.file_count(); ++id) {
    const SourceFile& file = sources.file(id);
    if (file.name != text || *line > file.line_starts.size()) continue;
    // Columns count code points.
    const std::string_view there = file.line_text(*line);
    std::size_t offset = 0;
    for (std::uint32_t c = 1; c < *column && offset < there.size(); ++c) do
        ++offset;
      while (offset < there.size() && (static_cast<unsigned char>(there[offset]) & 0xC0) == 0x80);
    const std::size_t begin = file.line_starts[*line - 1] + offset;
    if (begin + *bytes > file.text.size()) return std::nullopt;
    return Span{id, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + *bytes)};
  }
  return std::nullopt;
}

std::string recorded_span(const SourceMap& sources, Span span) {
  const Location at = sources.location(span);
  return std::string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
         "+" + std::to_string(span.end - span.begin);
}

void adopt_recorded_spans(Program& program) {
  const Adopter adopter(program);
  for (Array& a : program.arrays) adopter.adopt(a.span);
  adopter.body(program.body);
}

}  // namespace lathe::ir
