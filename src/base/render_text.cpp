// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text for people.
//
// The hard part is the line of carets: it must stand under the right letters. So the source line is
// printed in cells: tabs become spaces up to the next stop, characters that would disturb a
// terminal become U+FFFD, wide letters take two cells, and a very long line is cut to a window
// around the span. The carets are then counted in the same cells.

#include <algorithm>

#include "base/diagnostics.h"
#include "base/utf8.h"

namespace lathe {
namespace {

constexpr std::size_t kTabStop = 4;
constexpr std::size_t kMaxCells = 160;    // longer lines are cut
constexpr std::size_t kCellsBefore = 60;  // kept before the span when cut
constexpr std::string_view kCut = "...";

struct Cell {
  std::string text;
  std::size_t width;
};

void add_cells(std::string_view text, std::size_t& column, std::vector<Cell>& cells) {
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    Cell cell;
    if (c.code == '\t') {
      cell.width = kTabStop - column % kTabStop;
      cell.text.assign(cell.width, ' ');
    } else if (!c.valid || is_unprintable(c.code)) {
      cell.width = 1;
      append_utf8(cell.text, kReplacementChar);
    } else {
      cell.width = static_cast<std::size_t>(display_width(c.code));
      cell.text.assign(text.substr(i, c.length));
    }
    column += cell.width;
    cells.push_back(std::move(cell));
    i += c.length;
  }
}

// Words of the user's file, quoted in a message, may hold anything: only line ends go through.
std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    if (c.code != '\n' && (!c.valid || is_unprintable(c.code)))
      append_utf8(out, kReplacementChar);
    else
      out += text.substr(i, c.length);
    i += c.length;
  }
  return out;
}

struct Excerpt {
  std::string line;
  std::size_t caret_at = 0;
  std::size_t caret_count = 1;
};

// `begin` and `end` are byte offsets into the line.
Excerpt make_excerpt(std::string_view line, std::size_t begin, std::size_t end) {
  // Text far from the span is never decoded: one line may be the whole of a generated file.
  constexpr std::size_t kFar = 4 * kMaxCells;
  bool cut_front = false, cut_back = false;
  if (begin > kFar) {
    std::size_t drop = begin - kFar;
    while (drop < begin && (static_cast<unsigned char>(line[drop]) & 0xc0) == 0x80) ++drop;
    line.remove_prefix(drop);
    begin -= drop;
    end -= drop;
    cut_front = true;
  }
  if (line.size() > begin + kFar) {
    line = line.substr(0, begin + kFar);
    end = std::min(end, line.size());
    cut_back = true;
  }

  std::vector<Cell> cells;
  std::size_t column = 0;
  add_cells(line.substr(0, begin), column, cells);
  const std::size_t first = cells.size();
  add_cells(line.substr(begin, end - begin), column, cells);
  const std::size_t last = cells.size();
  add_cells(line.substr(end), column, cells);

  std::size_t from = 0, to = cells.size();
  if (cut_front || cut_back || column > kMaxCells) {
    if (first > kCellsBefore) from = first - kCellsBefore;
    to = std::min(to, from + kMaxCells);
  }
  cut_front = cut_front || from > 0;
  cut_back = cut_back || to < cells.size();

  Excerpt out;
  if (cut_front) out.line = kCut;
  out.caret_at = out.line.size();
  std::size_t carets = 0;
  for (std::size_t i = from; i < to; ++i) {
    out.line += cells[i].text;
    if (i < first) out.caret_at += cells[i].width;
    if (i >= first && i < last) carets += cells[i].width;
  }
  if (cut_back) out.line += kCut;
  out.caret_count = std::max<std::size_t>(carets, 1);
  return out;
}

void add_place(std::string& out, Span span, const SourceMap& sources, std::size_t gutter) {
  const SourceFile& file = sources.file(span.file);
  const Location at = sources.location(span);
  const std::string_view line = file.line_text(at.line);
  const std::uint32_t start = file.line_starts[at.line - 1];
  const std::size_t begin = std::min<std::size_t>(span.begin - start, line.size());
  const std::size_t end =
      std::clamp<std::size_t>(std::max(span.end, span.begin) - start, begin, line.size());
  const Excerpt excerpt = make_excerpt(line, begin, end);

  const std::string number = std::to_string(at.line);
  const std::string margin = std::string(gutter + 1, ' ') + "|";
  out += "  --> " + printable(file.name) + ":" + number + ":" + std::to_string(at.column) + "\n";
  out += margin + "\n";
  out += std::string(gutter - number.size(), ' ') + number + " |";
  if (!excerpt.line.empty()) out += " " + excerpt.line;
  out += "\n" + margin + " " + std::string(excerpt.caret_at, ' ') +
         std::string(excerpt.caret_count, '^') + "\n";
}

// Digits of the largest line number shown, so that all gutters of one diagnostic line up.
std::size_t gutter_width(const Diagnostic& diagnostic, const SourceMap& sources) {
  std::size_t width = 2;
  const auto consider = [&](Span span) {
    if (!span.known()) return;
    const std::uint32_t line = sources.file(span.file).line_of(span.begin);
    width = std::max(width, std::to_string(line).size());
  };
  consider(diagnostic.span);
  for (const Note& note : diagnostic.notes) consider(note.span);
  return width;
}

}  // namespace

std::string render_text(const Diagnostic& diagnostic, const SourceMap& sources) {
  const std::size_t gutter = gutter_width(diagnostic, sources);
  std::string out(name(diagnostic.severity));
  out += ": " + printable(diagnostic.message) + "\n";
  if (diagnostic.span.known()) add_place(out, diagnostic.span, sources, gutter);
  for (const Note& note : diagnostic.notes) {
    out += "  note: " + printable(note.message) + "\n";
    if (note.span.known()) add_place(out, note.span, sources, gutter);
  }
  if (!diagnostic.help.empty()) out += "  help: " + printable(diagnostic.help) + "\n";
  return out;
}

std::string render_text(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.all()) out += render_text(diagnostic, sources);
  return out;
}

}  // namespace lathe
