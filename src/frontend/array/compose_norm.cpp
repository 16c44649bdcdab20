// SPDX-License-Identifier: Apache-2.0
// Lengths of vectors and matrices.

#include <cmath>
#include <span>

#include "base/quoted.h"
#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

// A root of a sum of sizes. Where all are 0, or there are none, its slope is infinite: there a
// derivative is 0 in any direction, not infinity times 0.
template <class Root>
NodeRef root_of_sizes(const Maker& m, const NodeRef& sum, Root root) {
  const NodeRef none = binary_of(m, "equal", sum, real(0));
  const NodeRef found = root(elementwise(m, "where", {none, real(1), sum}));
  return elementwise(m, "where", {none, real(0), found});
}

NodeRef euclidean(const Maker& m, const NodeRef& x, const ReduceHow& how) {
  const NodeRef squares = reduction(m, "sum", binary_of(m, "multiply", x, x), how);
  return root_of_sizes(m, squares, [&](const NodeRef& s) { return elementwise(m, "sqrt", {s}); });
}

// reals: the order, any number, inf or -inf; without one ints say it: 1, 2, or 0 for the largest.
// ints: order, keepdims, axes.
NodeRef make_vector_norm(const Maker& m, const Request& r) {
  const NodeRef x = as_float(m, given_operand(m, r, 0));
  ReduceHow how;
  how.keepdims = given_int(r, 1) != 0;
  if (r.ints.size() > 2) how.axes = normal_axes(m, std::span(r.ints).subspan(2), x->rank());
  double order = static_cast<double>(given_int(r, 0, 2));
  if (!r.reals.empty()) {
    order = r.reals[0];
  } else {
    if (order != 0 && order != 1 && order != 2)
      refuse(m,
             "knows the orders 1, 2 and 0 (the largest), not " + std::to_string(given_int(r, 0)));
    if (order == 0) order = HUGE_VAL;
  }
  if (std::isnan(order)) refuse(m, "the order is not a number");
  const NodeRef size = elementwise(m, "absolute", {x});
  if (std::isinf(order)) return reduction(m, order > 0 ? "max" : "min", size, how);
  if (order == 0) return cast(reduction(m, "count_nonzero", x, how), x->dtype, m.place);
  if (order == 1) return reduction(m, "sum", size, how);
  if (order == 2) return euclidean(m, x, how);
  const NodeRef total = reduction(m, "sum", binary_of(m, "power", size, real(order)), how);
  const auto root = [&](const NodeRef& s) { return binary_of(m, "power", s, real(1 / order)); };
  return order > 0 ? root_of_sizes(m, total, root) : root(total);
}

// Of the last two axes. text: "fro" (also when there is neither), "nuc"; reals: 1, 2, inf and their
// negatives. ints: keepdims.
NodeRef make_matrix_norm(const Maker& m, const Request& r) {
  const NodeRef x = as_float(m, given_operand(m, r, 0));
  if (x->rank() < 2) refuse(m, "takes matrices, not " + describe(*x));
  const int rows = static_cast<int>(x->rank()) - 2, columns = rows + 1;
  NodeRef out;
  const auto values = [&](const char* name) {
    Request svd;
    svd.name = "svdvals";
    svd.operands = {x};
    svd.place = m.place;
    ReduceHow last;
    last.axes = Axes{rows};
    return reduction(m, name, apply(svd), last);
  };
  if (!r.reals.empty()) {
    const double order = r.reals[0];
    const char* pick = order > 0 ? "max" : "min";
    if (std::fabs(order) == 2) {
      out = values(pick);
    } else if (std::fabs(order) == 1 || std::isinf(order)) {
      ReduceHow summed, picked;
      summed.axes = Axes{std::isinf(order) ? columns : rows};
      picked.axes = Axes{rows};
      out =
          reduction(m, pick, reduction(m, "sum", elementwise(m, "absolute", {x}), summed), picked);
    } else {
      refuse(m, "knows the orders 1, 2, inf and their negatives, 'fro' and 'nuc', not " +
                    ir::to_text(ir::Scalar::of_double(ir::DType::F64, order)));
    }
  } else if (r.text.empty() || r.text == "fro") {
    ReduceHow both;
    both.axes = Axes{rows, columns};
    out = euclidean(m, x, both);
  } else if (r.text == "nuc") {
    out = values("sum");
  } else {
    refuse(m, "knows the orders 1, 2, inf and their negatives, 'fro' and 'nuc', not " +
                  quoted(r.text));
  }
  return given_int(r, 0) == 0 ? out : expand_dims(m, out, {rows, columns});
}

}  // namespace

void add_norms(std::vector<Composed>& out) {
  out.push_back({"vector_norm", make_vector_norm});
  out.push_back({"matrix_norm", make_matrix_norm});
}

}  // namespace lathe::array
