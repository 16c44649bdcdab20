// SPDX-License-Identifier: Apache-2.0
// Document 003's picture of a set:
/*
                                     OR
                 /------------------/  \-------------\
                 |                                   |
                AND                         { 0 <= i_dup < n }
       /-------/  \-------\
       |                  |
{ 0 <= i < n }     { 0 <= j < n }
*/
// A subtree is a block of lines. The constants below reproduce the document's drawings column by
// column: five columns between leaves and six more per level, each bar over the middle of what
// hangs on it, and the label over the gap between the outer blocks, a column to the right when
// it is three letters wide.

#include <algorithm>

#include "ir/set_layout.h"

namespace lathe::ir {
namespace {

struct Block {
  std::vector<std::string> lines;
  std::size_t width = 0;
  std::size_t anchor = 0;  // the column under which the parent's bar ends
  std::size_t height = 0;  // levels below
};

void put(std::string& line, std::size_t column, std::string_view text) {
  if (line.size() < column + text.size()) line.resize(column + text.size(), ' ');
  line.replace(column, text.size(), text);
}

Block draw(const SetExpr& s);

Block draw_node(std::string_view label, const std::vector<SetExpr>& children) {
  std::vector<Block> blocks;
  Block out;
  for (const SetExpr& child : children) {
    blocks.push_back(draw(child));
    out.height = std::max(out.height, blocks.back().height + 1);
  }
  const std::size_t gap = 6 * out.height - 1;

  out.lines.resize(3);
  std::vector<std::size_t> bars;
  std::size_t left = 0;
  for (const Block& block : blocks) {
    if (out.lines.size() < block.lines.size() + 3) out.lines.resize(block.lines.size() + 3);
    for (std::size_t k = 0; k < block.lines.size(); ++k)
      put(out.lines[3 + k], left, block.lines[k]);
    bars.push_back(left + block.anchor);
    out.width = left + block.width;
    left = out.width + gap;
  }

  const std::size_t gap_begin = blocks.front().width, gap_end = out.width - blocks.back().width;
  std::size_t start = (gap_begin + gap_end + label.size()) / 2 - 2;
  start = std::clamp(start, bars.front() + 2, bars.back() - 3);
  put(out.lines[0], start, label);
  std::string& arms = out.lines[1];
  put(arms, bars.front(), "/" + std::string(start - bars.front() - 2, '-') + "/");
  put(arms, start + 2, "\\" + std::string(bars.back() - start - 3, '-') + "\\");
  for (std::size_t k = 1; k + 1 < bars.size(); ++k)
    put(arms, bars[k], bars[k] + 1 >= start && bars[k] <= start + 2 ? "|" : "+");
  for (const std::size_t bar : bars) put(out.lines[2], bar, "|");
  out.anchor = start + label.size() / 2;
  out.width = std::max(out.width, start + label.size());
  return out;
}

Block draw(const SetExpr& s) {
  if (!is_leaf(s)) return draw_node(s.kind() == SetExpr::Kind::Union ? "OR" : "AND", branches(s));
  Block leaf;
  leaf.lines = {leaf_text(s)};
  leaf.width = leaf.lines[0].size();
  leaf.anchor = leaf.width / 2;
  return leaf;
}

}  // namespace

std::string to_tree(const SetExpr& s) {
  std::string text;
  for (const std::string& line : draw(s).lines) text += line + "\n";
  return text;
}

}  // namespace lathe::ir
