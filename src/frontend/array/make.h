// SPDX-License-Identifier: Apache-2.0
#pragma once
// Making nodes: shapes and dtypes are found, what is provably wrong is refused, what cannot be
// proved becomes a condition of the node. All functions throw UserError.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/array/node.h"

namespace lathe::array {

using Nodes = std::vector<NodeRef>;
using Axes = std::vector<int>;

// The user's line and word for what is being made, for messages.
struct Maker {
  std::string_view operation;
  Place place;
};

// A mistake in the making of an array: "where: message", the line, what to do.
[[noreturn]] void refuse(const Maker& m, const std::string& message, const std::string& help = {},
                         ErrorKind kind = ErrorKind::Other);
std::string describe(const Node& n);  // "f64(n, 3)"

// ---- Leaves.
NodeRef input(const std::string& name, ir::DType t, const Shape& shape, Place place);
// Of no axes; a weak one takes the dtype of what it meets, and is an f64.
NodeRef scalar(const std::string& name, ir::DType t, bool weak, Place place);
NodeRef data(std::shared_ptr<const Storage> storage, ir::DType t, Place place);
NodeRef constant(const ir::Scalar& value, bool weak = false);
NodeRef size_value(const Dim& d, Place place);
NodeRef iota(const Dim& length, Place place);

// ---- Elementwise.
// Operands of Map have the dtype that op needs already.
NodeRef map(const Maker& m, ir::Op op, ir::DType t, Nodes operands);
NodeRef cast(const NodeRef& x, ir::DType t, Place place);
// By NumPy's name: "add", "sqrt", "where", "less" ...; promotes. Null: no such function.
NodeRef elementwise(const Maker& m, std::string_view name, const Nodes& operands);
// One dtype for all (NEP 50: numbers of the host language are weak).
ir::DType common_dtype(const Maker& m, const Nodes& operands);
// Floats stay; of integers the smallest float that NumPy's functions of floats take.
ir::DType float_for(ir::DType t);
// Of several arrays: the smallest float that holds each of them, f16 of u8 and i8.
ir::DType float_for(const Maker& m, const Nodes& operands);
NodeRef converted(const Maker& m, const NodeRef& x, ir::DType t);
bool fits(const ir::Scalar& value, ir::DType t);  // does an integer keep its value?
// Of integers that have no common dtype; null: others.
NodeRef exact_comparison(const Maker& m, ir::Op op, const Nodes& operands);
Shape broadcast_shapes(const Maker& m, const Nodes& operands, std::vector<Condition>& conditions);

// ---- Shapes.
int normal_axis(const Maker& m, std::int64_t axis, std::size_t rank);
Axes normal_axes(const Maker& m, std::span<const std::int64_t> axes, std::size_t rank);
// Per axis of x: where its index comes from.
struct AxisView {
  Dim start = 0;
  std::int64_t step = 1;
  int from = -1;
};
NodeRef view(const Maker& m, const NodeRef& x, const std::vector<AxisView>& axes, Shape shape,
             std::vector<Condition> conditions = {});
NodeRef permute(const Maker& m, const NodeRef& x, const Axes& order);
NodeRef broadcast_to(const Maker& m, const NodeRef& x, const Shape& shape);
// The same for lengths of x that may turn out to be 1 when the program runs.
NodeRef spread_to(const Maker& m, const NodeRef& x, const Shape& shape);
NodeRef expand_dims(const Maker& m, const NodeRef& x, const Axes& axes);  // of the result
NodeRef squeeze(const Maker& m, const NodeRef& x, const Axes& axes);
NodeRef reshape(const Maker& m, const NodeRef& x, Shape shape);  // one -1 allowed
NodeRef concatenate(const Maker& m, const Nodes& parts, int axis);
NodeRef roll(const Maker& m, const NodeRef& x, const std::vector<std::int64_t>& shifts);
NodeRef update(const Maker& m, const NodeRef& x, const NodeRef& v, std::vector<Dim> starts,
               std::vector<std::int64_t> steps, std::vector<Condition> conditions = {});

// ---- Reductions, scans, contractions.
NodeRef reduce(const Maker& m, ir::Op op, const NodeRef& x, const Axes& axes, bool keepdims);
// "sum", "mean", "argmin" ...; null: no such function.
struct ReduceHow {
  std::optional<Axes> axes;  // none: all
  bool keepdims = false;
  double correction = 0;           // of var and std
  std::optional<ir::DType> dtype;  // of sums and products
};
NodeRef reduction(const Maker& m, std::string_view name, const NodeRef& x, const ReduceHow& how);
NodeRef scan(const Maker& m, ir::Op op, const NodeRef& x, int axis, bool exclusive,
             std::optional<ir::DType> dtype = {});
// Lengths of labels of the result broadcast; those that are summed over must be equal, but einsum
// (not `strict`) spreads an axis of length 1 there, too.
NodeRef contract(const Maker& m, Nodes factors, const std::vector<std::vector<int>>& labels,
                 const std::vector<int>& result, bool strict = true);
NodeRef einsum(const Maker& m, const std::string& text, const Nodes& operands);
NodeRef matmul(const Maker& m, const NodeRef& a, const NodeRef& b);
NodeRef tensordot(const Maker& m, const NodeRef& a, const NodeRef& b, const Axes& of_a,
                  const Axes& of_b);

// ---- Indexing.
struct IndexItem {
  enum class Kind : std::uint8_t { All, Integer, Slice, NewAxis, Ellipsis, Array } kind = Kind::All;
  std::optional<Dim> start, stop;  // Integer: start
  std::int64_t step = 1;
  NodeRef array;
};
NodeRef index(const Maker& m, const NodeRef& x, const std::vector<IndexItem>& items);
NodeRef set_index(const Maker& m, const NodeRef& x, const std::vector<IndexItem>& items,
                  const NodeRef& value, bool add = false);
NodeRef positions(const Maker& m, const NodeRef& mask);
NodeRef take(const Maker& m, const NodeRef& x, const NodeRef& indices, int axis);

// ---- Any function of the surface by its name; what the C interface calls.
struct Request {
  std::string_view name;
  Nodes operands;
  std::vector<std::int64_t> ints;
  std::vector<Dim> dims;
  std::vector<double> reals;
  std::string text;
  std::optional<ir::DType> dtype;
  std::vector<IndexItem> items;
  Place place;
};
NodeRef apply(const Request& request);
std::vector<std::string> function_names();

}  // namespace lathe::array
