// SPDX-License-Identifier: Apache-2.0
// Elementary functions: the graph of elementary::expand, printed once per dtype and number of
// lanes. A function of float32 that computes with 64-bit words inside has twice the vectors there:
// it works on half of its lanes at a time.

#include <algorithm>

#include "elementary/symbolic.h"
#include "emit/c/evaluate.h"
#include "emit/c/types.h"
#include "ir/traverse.h"

namespace lathe::emit {

namespace {

std::string lanes_from(int begin, int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += ", " + std::to_string(begin + i);
  return list;
}

}  // namespace

std::string Printer::elementary(Op op, DType t, int lanes) {
  std::string name;
  for (char c : ir::info(op).name)
    name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const std::string type = library_.type(t, lanes);
  name += "_" + type;
  if (!library_.begin(name)) return name;

  ir::Graph graph;
  ir::RawMaker maker(graph);
  std::vector<Expr> args;
  std::vector<std::string> names;
  const int arity = ir::info(op).arity;
  for (int i = 0; i < arity; ++i) {
    names.emplace_back(1, "xy"[i]);
    args.push_back(graph.param(graph.symbol(names.back()), t));
  }
  const Expr root = elementary::expand(maker, graph.apply(op, t, args));
  std::string parameters;
  for (const std::string& n : names)
    parameters += (parameters.empty() ? "" : ", ") + type + " " + n;

  std::size_t widest = 1;
  for (Expr e : ir::post_order(root)) widest = std::max(widest, ir::size_bytes(e->dtype));
  Block block;
  block.open("static inline " + type + " " + name + "(" + parameters + ")");
  if (lanes > 1 && static_cast<int>(widest) * lanes > options_.vector_bytes && lanes > 2) {
    const int half = lanes / 2;
    const std::string inner = elementary(op, t, half);
    std::string low, high;
    for (const std::string& n : names) {
      const std::string cut = "__builtin_shufflevector(" + n + ", " + n;
      low += (low.empty() ? "" : ", ") + cut + lanes_from(0, half) + ")";
      high += (high.empty() ? "" : ", ") + cut + lanes_from(half, half) + ")";
    }
    const std::string half_type = library_.type(t, half);
    block.line("const " + half_type + " low = " + inner + "(" + low + ");");
    block.line("const " + half_type + " high = " + inner + "(" + high + ");");
    block.line("return __builtin_shufflevector(low, high" + lanes_from(0, lanes) + ");");
  } else {
    const int outer_temporary = std::exchange(next_temporary_, 0);
    const Scope scope(*this);
    for (std::size_t i = 0; i < names.size(); ++i) {
      Binding b;
      b.dtype = t;
      b.varies = lanes > 1;
      b.chunks = {{names[i], type, frame_->number}};
      bind(args[i]->name, std::move(b));
    }
    Form form;
    form.lanes = lanes;
    Evaluator evaluator(*this, block, form);
    evaluator.raw_bits = true;
    constexpr int kScaling = 64;  // bytes of the vectors that have an instruction for it
    if (static_cast<int>(ir::size_bytes(t)) * lanes == kScaling)
      evaluator.scalings = elementary::find_scalings(root);
    const Value v = evaluator.in_lanes(root);
    block.line("return " + v.text + ";");
    next_temporary_ = outer_temporary;
  }
  block.close();
  std::string text;
  block.print(text);
  library_.define(text);
  return name;
}

}  // namespace lathe::emit
