// SPDX-License-Identifier: Apache-2.0
// Expressions as the user wrote them, cut off when they are long.

#include "frontend/array/print.h"

#include <algorithm>

#include "frontend/array/make.h"

namespace lathe::array {
namespace {

std::string_view infix(const Node& n) {
  if (n.kind != Kind::Map || ir::info(n.op).form != ir::Form::Infix) return {};
  return ir::info(n.op).spelling;
}

std::string leaf_text(const Node& n) {
  switch (n.kind) {
    case Kind::Input: return n.text;
    case Kind::Data:
      return n.rank() == 0 ? ir::to_text(ir::Scalar::load(n.dtype, n.storage->data))
                           : "array" + to_text(n.shape);
    case Kind::Constant: return ir::to_text(n.value);
    case Kind::SizeValue: return to_text(n.dims[0]);
    case Kind::Iota: return "arange(" + to_text(n.shape[0]) + ")";
    default: return {};
  }
}

// An operand that is an infix expression needs parentheses inside another one.
struct Piece {
  const Node* node = nullptr;
  std::string text;
};

}  // namespace

std::string expression_text(const Node& root, std::size_t max_nodes) {
  std::vector<Piece> todo{{&root, {}}};
  std::string out;
  std::size_t shown = 0;
  while (!todo.empty()) {
    Piece p = std::move(todo.back());
    todo.pop_back();
    if (!p.node) {
      out += p.text;
      continue;
    }
    const Node& n = *p.node;
    if (++shown > max_nodes) {
      out += "...";
      continue;
    }
    const std::string leaf = leaf_text(n);
    if (!leaf.empty()) {
      out += leaf;
      continue;
    }
    std::vector<Piece> parts;
    const std::string_view op = infix(n);
    if (!op.empty()) {
      for (std::size_t i = 0; i < n.operands.size(); ++i) {
        if (i > 0) parts.push_back({nullptr, " " + std::string(op) + " "});
        const bool group = !infix(*n.operands[i]).empty();
        if (group) parts.push_back({nullptr, "("});
        parts.push_back({n.operands[i].get(), {}});
        if (group) parts.push_back({nullptr, ")"});
      }
    } else {
      const std::string name = n.kind == Kind::Cast ? std::string(ir::name(n.dtype)) : n.text;
      parts.push_back({nullptr, name + "("});
      for (std::size_t i = 0; i < n.operands.size(); ++i) {
        if (i > 0) parts.push_back({nullptr, ", "});
        parts.push_back({n.operands[i].get(), {}});
      }
      if (n.kind == Kind::Reduce) {
        std::string axes;
        for (std::int64_t a : n.ints) axes += (axes.empty() ? "" : ", ") + std::to_string(a);
        parts.push_back({nullptr, "; " + axes});
      }
      if (n.kind == Kind::Reshape) parts.push_back({nullptr, "; " + to_text(n.shape)});
      parts.push_back({nullptr, ")"});
    }
    for (auto it = parts.rbegin(); it != parts.rend(); ++it) todo.push_back(std::move(*it));
  }
  return out;
}

std::string to_text(const Node& n, std::size_t max_nodes) {
  if (n.kind == Kind::Data) {
    const std::string before = describe(n) + (n.rank() > 1 ? "\n" : " ");
    return before + values_text(n, n.rank() > 1 ? 0 : before.size());
  }
  return describe(n) + " = " + expression_text(n, max_nodes);
}

}  // namespace lathe::array
