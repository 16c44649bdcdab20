// SPDX-License-Identifier: Apache-2.0
#include "frontend/array/compose.h"

namespace lathe::array {

std::vector<Composed> composed_functions() {
  std::vector<Composed> out;
  add_creation(out);
  add_shapes(out);
  add_numbers(out);
  add_orders(out);
  add_lookups(out);
  add_elementwise(out);
  add_joins(out);
  add_unique(out);
  add_statistics(out);
  add_linear(out);
  add_norms(out);
  add_random(out);
  return out;
}

const NodeRef& given_operand(const Maker& m, const Request& r, std::size_t i) {
  if (i >= r.operands.size())
    refuse(m, "needs " + std::to_string(i + 1) + (i == 0 ? " array" : " arrays") + ", not " +
                  std::to_string(r.operands.size()));
  return r.operands[i];
}

std::int64_t given_int(const Request& r, std::size_t i, std::int64_t otherwise) {
  return i < r.ints.size() ? r.ints[i] : otherwise;
}

NodeRef binary_of(const Maker& m, std::string_view name, const NodeRef& a, const NodeRef& b) {
  return elementwise(m, name, {a, b});
}
NodeRef integer(std::int64_t v) { return constant(ir::Scalar::of_int(ir::DType::I64, v), true); }
NodeRef real(double v) { return constant(ir::Scalar::of_double(ir::DType::F64, v), true); }

NodeRef as_float(const Maker& m, const NodeRef& x) {
  return ir::is_float(x->dtype) ? x : cast(x, ir::DType::F64, m.place);
}

std::pair<NodeRef, NodeRef> as_floats(const Maker& m, const NodeRef& a, const NodeRef& b) {
  const ir::DType t = float_for(m, {a, b});
  return {converted(m, a, t), converted(m, b, t)};
}

NodeRef flat(const Maker& m, const NodeRef& x) {
  return x->rank() == 1 ? x : reshape(m, x, {product(x->shape)});
}

NodeRef call(const Maker& m, const char* function, Nodes inputs, ir::DType t, const Shape& shape,
             std::vector<std::int64_t> ints) {
  Node n;
  n.kind = Kind::Call;
  n.dtype = t;
  n.shape = shape;
  n.operands = std::move(inputs);
  n.text = function;
  n.ints = std::move(ints);
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef last_axis(const Maker& m, const NodeRef& x, std::size_t axis) {
  Axes order;
  for (std::size_t a = 0; a < x->rank(); ++a)
    if (a != axis) order.push_back(static_cast<int>(a));
  order.push_back(static_cast<int>(axis));
  return permute(m, x, order);
}

NodeRef axis_back(const Maker& m, const NodeRef& x, std::size_t axis) {
  Axes order;
  for (std::size_t a = 0; a + 1 < x->rank(); ++a) order.push_back(static_cast<int>(a));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<int>(x->rank()) - 1);
  return permute(m, x, order);
}

NodeRef reverse_axes(const Maker& m, const NodeRef& x) {
  Axes order;
  for (std::size_t a = x->rank(); a-- > 0;) order.push_back(static_cast<int>(a));
  return permute(m, x, order);
}

NodeRef axis_index(const Maker& m, const Dim& length, std::size_t axis, std::size_t rank) {
  Axes added;
  for (std::size_t a = 0; a + axis + 1 < rank; ++a) added.push_back(static_cast<int>(a) + 1);
  const NodeRef i = iota(length, m.place);
  return added.empty() ? i : expand_dims(m, i, added);
}

}  // namespace lathe::array
