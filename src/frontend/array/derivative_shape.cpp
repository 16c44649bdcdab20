// SPDX-License-Identifier: Apache-2.0
// Shape functions move elements; their derivatives move them back. What was read twice is added up.

#include <algorithm>

#include "frontend/array/compose.h"
#include "frontend/array/derivative.h"

namespace lathe::array {
namespace {

// x[start + step * i] back to where it was read.
NodeRef view_adjoint(const Maker& m, const NodeRef& node, NodeRef g) {
  const NodeRef& x = node->operands[0];
  std::vector<int> from;  // per axis of x
  for (std::size_t a = 0; a < x->rank(); ++a)
    from.push_back(static_cast<int>(node->ints[2 * a + 1]));
  // Axes of the result that read one element again and again.
  Axes spread;
  for (std::size_t a = 0; a < node->rank(); ++a)
    if (!std::count(from.begin(), from.end(), static_cast<int>(a)))
      spread.push_back(static_cast<int>(a));
  g = reduce(m, ir::Op::Add, g, spread, true);
  // g by the axes of x; a diagonal's second axis is spread, and masked below.
  std::vector<AxisView> axes(node->rank());
  Shape shape;
  std::vector<Dim> starts;
  std::vector<std::int64_t> steps;
  std::vector<std::pair<std::size_t, std::size_t>> diagonals;
  bool whole = true;
  for (std::size_t a = 0; a < x->rank(); ++a) {
    const Dim& start = node->dims[a];
    const std::int64_t step = from[a] < 0 ? 1 : node->ints[2 * a];
    std::size_t earlier = a;
    for (std::size_t b = 0; b < a; ++b)
      if (from[a] >= 0 && from[b] == from[a]) earlier = b;
    if (earlier != a) {
      diagonals.emplace_back(earlier, a);
      shape.push_back(x->shape[a]);
      starts.push_back(Dim(0));
      steps.push_back(1);
      continue;
    }
    if (from[a] >= 0) axes[static_cast<std::size_t>(from[a])].from = static_cast<int>(a);
    shape.push_back(from[a] < 0 ? Dim(1) : node->shape[static_cast<std::size_t>(from[a])]);
    starts.push_back(start);
    steps.push_back(step);
    whole = whole && start.is(0) && step == 1 && shape.back() == x->shape[a];
  }
  NodeRef out = view(m, g, axes, shape);
  if (!whole) out = update(m, zeros_like(m, *x), out, starts, steps);
  for (const auto& [a, b] : diagonals) {
    const NodeRef i = axis_index(m, x->shape[a], a, x->rank());
    const NodeRef j = axis_index(m, x->shape[b], b, x->rank());
    const NodeRef shift = size_value(node->dims[a] - node->dims[b], m.place);
    out = elementwise(m, "where",
                      {binary_of(m, "equal", i, binary_of(m, "add", j, shift)), out, real(0)});
  }
  return out;
}

// The elements of g that v was written to.
NodeRef updated_part(const Maker& m, const Node& node, const NodeRef& g) {
  const Node& v = *node.operands[1];
  std::vector<AxisView> axes(node.rank());
  for (std::size_t a = 0; a < node.rank(); ++a) {
    axes[a].start = node.dims[a];
    axes[a].step = node.ints[a];
    axes[a].from = static_cast<int>(a);
  }
  return view(m, g, axes, v.shape);
}

// A node like `like`, of that kind, with other operands.
NodeRef indexed(const Node& like, Kind kind, ir::Op op, Nodes operands, Shape shape) {
  Node n;
  n.kind = kind;
  n.op = op;
  n.dtype = like.dtype;
  n.shape = std::move(shape);
  n.operands = std::move(operands);
  n.ints = like.ints;
  n.conditions = like.conditions;
  n.text = like.text;
  n.place = like.place;
  return intern(std::move(n));
}

Nodes with_indices(const Nodes& first, const Node& node, std::size_t skip) {
  Nodes out = first;
  out.insert(out.end(), node.operands.begin() + static_cast<std::ptrdiff_t>(skip),
             node.operands.end());
  return out;
}

}  // namespace

Nodes shape_adjoints(const Maker& m, const NodeRef& node, const NodeRef& g) {
  switch (node->kind) {
    case Kind::View: return {view_adjoint(m, node, g)};
    case Kind::Reshape: return {reshape(m, g, node->operands[0]->shape)};
    case Kind::Roll: {
      std::vector<std::int64_t> back;
      for (std::int64_t s : node->ints) back.push_back(-s);
      return {roll(m, g, back)};
    }
    case Kind::Update: {
      const NodeRef& v = node->operands[1];
      return {update(m, g, zeros_like(m, *v), node->dims, node->ints), updated_part(m, *node, g)};
    }
    case Kind::Concat: {
      const auto axis = static_cast<std::size_t>(node->ints[0]);
      Nodes out;
      Dim before(0);
      for (const NodeRef& part : node->operands) {
        std::vector<AxisView> axes(node->rank());
        for (std::size_t a = 0; a < node->rank(); ++a) axes[a].from = static_cast<int>(a);
        axes[axis].start = before;
        out.push_back(view(m, g, axes, part->shape));
        before = before + part->shape[axis];
      }
      return out;
    }
    case Kind::Gather: {
      const NodeRef& x = node->operands[0];
      return {indexed(*node, Kind::Scatter, ir::Op::Add,
                      with_indices({zeros_like(m, *x), g}, *node, 1), x->shape)};
    }
    case Kind::Scatter: {
      const NodeRef& v = node->operands[1];
      NodeRef to_v =
          indexed(*node, Kind::Gather, ir::Op::Const, with_indices({g}, *node, 2), v->shape);
      if (node->op == ir::Op::Add) return {g, to_v};
      // Of values that meet in one place the last one stays: the one whose number is found there.
      const NodeRef number = reshape(m, iota(product(v->shape), m.place), v->shape);
      const NodeRef none = constant(ir::Scalar::of_int(ir::DType::I64, 0));
      Node whole;
      whole.ints = node->ints;
      whole.conditions = node->conditions;
      whole.text = node->text;
      whole.place = node->place;
      whole.dtype = ir::DType::I64;
      const NodeRef placed = indexed(
          whole, Kind::Scatter, ir::Op::Const,
          with_indices({broadcast_to(m, none, node->shape), number}, *node, 2), node->shape);
      const NodeRef last =
          indexed(whole, Kind::Gather, ir::Op::Const, with_indices({placed}, *node, 2), v->shape);
      to_v = elementwise(m, "where", {binary_of(m, "equal", last, number), to_v, real(0)});
      return {indexed(*node, Kind::Scatter, ir::Op::Const,
                      with_indices({g, zeros_like(m, *v)}, *node, 2), node->shape),
              to_v};
    }
    default: return {};
  }
}

}  // namespace lathe::array
