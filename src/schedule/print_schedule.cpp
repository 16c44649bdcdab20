// SPDX-License-Identifier: Apache-2.0
// A schedule as text, one node a line:
//
//   schedule hdiff machine x86-64-v4
//   variant k == 3
//   parallel k:                         # 80 or more iterations, none depends on another
//     for j:
//       fly(j = j+1) -> window(j, 2)    # the last two rows are kept
//     prefetch in 1024, coeff 1024
//
//   of header 5c01f0a7d2b3e490
//   of statement fly 09d1b7f2c4a3568e
//
// Reasons stand in one column, as far as the lines are not too long for that.

#include <algorithm>
#include <array>

#include "schedule/schedule.h"

namespace lathe::schedule {
namespace {

constexpr std::size_t kReasonColumn = 60;  // lines longer than this keep their reason at their end

struct Line {
  std::string text, reason;
};

std::string_view word(NodeKind kind) {
  switch (kind) {
    case NodeKind::For: return "for";
    case NodeKind::Parallel: return "parallel";
    case NodeKind::Vector: return "vector";
    case NodeKind::Unroll: return "unroll";
    case NodeKind::Jam: return "jam";
    case NodeKind::Forward: return "forward";
    case NodeKind::Backward: return "backward";
    case NodeKind::Repeat: return "repeat";
    case NodeKind::When: return "when";
    case NodeKind::Call: return "call";
    case NodeKind::Copy: return "copy";
    case NodeKind::Prefetch: return "prefetch";
    case NodeKind::Compute: return "";
  }
  internal_error("a kind of node");
}

std::string layout_text(const Place& place) {
  std::string axes;
  for (const Symbol a : place.layout) {
    axes += axes.empty() ? " [" : ", ";
    axes += a.text();
  }
  if (!axes.empty()) axes += "]";
  return axes;
}

std::string place_text(const Place& place) {
  switch (place.kind) {
    case PlaceKind::Whole: return place.layout.empty() ? "" : " -> whole" + layout_text(place);
    case PlaceKind::Nowhere: return " -> nowhere";
    case PlaceKind::Register: return " -> register";
    case PlaceKind::Window:
      return " -> window(" + std::string(place.window.text()) + ", " + std::to_string(place.depth) +
             ")";
    case PlaceKind::Tile: return " -> tile" + layout_text(place);
    case PlaceKind::Stream: return " -> stream";
    case PlaceKind::InPlace: return " -> in place " + std::string(place.over.text());
  }
  internal_error("a kind of place");
}

std::string compute_text(const Node& n) {
  std::string binds;
  for (const Bind& b : n.binds) {
    binds += binds.empty() ? "(" : ", ";
    binds += std::string(b.variable.text()) + " = " + std::string(b.loop.text());
    if (b.shift > 0) binds += "+";
    if (b.shift != 0) binds += std::to_string(b.shift);
  }
  if (!binds.empty()) binds += ")";
  return std::string(n.name.text()) + binds + place_text(n.place);
}

std::string copy_text(const Node& n) {
  std::string axes;
  for (const PackAxis& a : n.layout) {
    axes += axes.empty() ? " [" : ", ";
    axes += a.name ? std::string(a.name.text()) : std::to_string(a.axis);
    if (a.part == PackAxis::Part::Quotient) axes += "/" + std::to_string(a.tile);
    if (a.part == PackAxis::Part::Remainder) axes += "%" + std::to_string(a.tile);
  }
  if (!axes.empty()) axes += "]";
  return "copy " + std::string(n.name.text()) + " -> tile" + axes;
}

std::string prefetch_text(const Node& n) {
  const std::string out = std::string(n.name.text()) + " ";
  return n.next ? out + "next " + std::string(n.next.text()) : out + std::to_string(n.bytes);
}

std::string node_text(const Node& n) {
  if (n.kind == NodeKind::Compute) return compute_text(n);
  if (n.kind == NodeKind::Copy) return copy_text(n);
  if (n.kind == NodeKind::Prefetch) return std::string(word(n.kind)) + " " + prefetch_text(n);
  std::string out = std::string(word(n.kind)) + " " + std::string(n.name.text());
  if (n.kind == NodeKind::Call) return out;
  if (n.tile != 0) out += "/" + std::to_string(n.tile);
  return out + ":";
}

// What would end the line, or the comment, becomes a blank.
std::string one_line(std::string_view reason) {
  std::string out;
  for (const char c : reason) {
    const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

void add_lines(const std::vector<Node>& body, std::size_t indent, std::vector<Line>& lines) {
  const std::string blanks(2 * indent, ' ');
  bool joins = false;  // the line before is prefetches, without a reason yet
  for (const Node& n : body) {
    if (joins && n.kind == NodeKind::Prefetch) {
      lines.back().text += ", " + prefetch_text(n);
      lines.back().reason = one_line(n.reason);
    } else {
      lines.push_back({blanks + node_text(n), one_line(n.reason)});
    }
    joins = n.kind == NodeKind::Prefetch && lines.back().reason.empty();
    add_lines(n.body, indent + 1, lines);
    if (n.kind != NodeKind::When || n.otherwise.empty()) continue;
    lines.push_back({blanks + "else:", {}});
    add_lines(n.otherwise, indent + 1, lines);
  }
}

std::string aligned(const std::vector<Line>& lines) {
  std::size_t column = 0;
  for (const Line& l : lines)
    if (!l.reason.empty() && l.text.size() <= kReasonColumn)
      column = std::max(column, l.text.size());
  std::string out;
  for (const Line& l : lines) {
    out += l.text;
    if (!l.reason.empty()) {
      out.append(l.text.size() < column ? column - l.text.size() : 0, ' ');
      out += "    # " + l.reason;
    }
    out += "\n";
  }
  return out;
}

std::string hex(std::uint64_t x) {
  std::string out(16, '0');
  for (std::size_t at = 16; at-- > 0; x >>= 4) out[at] = "0123456789abcdef"[x & 15];
  return out;
}

}  // namespace

std::string print_tree(const Schedule& schedule) {
  std::string out;
  for (const Variant& v : schedule.variants)
    out += "variant " + std::string(v.size.text()) + " == " + std::to_string(v.value) + "\n";
  std::vector<Line> lines;
  add_lines(schedule.body, 0, lines);
  return out + aligned(lines);
}

std::string print(const Schedule& schedule) {
  std::string out = "schedule " + schedule.program;
  if (const std::string machine = one_line(schedule.machine); !machine.empty())
    out += " machine " + machine;
  out += "\n";
  out += print_tree(schedule);
  if (!schedule.parts.empty()) out += "\n";
  for (const Fingerprint& f : schedule.parts) out += "of " + f.part + " " + hex(f.hash) + "\n";
  return out;
}

}  // namespace lathe::schedule
