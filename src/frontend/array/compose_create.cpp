// SPDX-License-Identifier: Apache-2.0
// Arrays made of numbers.

#include <cmath>

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

// dims: start, stop, step. Integers.
NodeRef make_arange(const Maker& m, const Request& r) {
  if (r.dims.size() != 3) refuse(m, "needs start, stop and step");
  const Dim &start = r.dims[0], &stop = r.dims[1], &step = r.dims[2];
  if (!step.is_constant()) refuse(m, "the step must be a number, not " + to_text(step));
  if (step.is(0)) refuse(m, "the step cannot be 0");
  const std::int64_t by = step.constant();
  const Dim length = by > 0 ? floor_div(stop - start + Dim(by - 1), step)
                            : floor_div(start - stop + Dim(-by - 1), Dim(-by));
  NodeRef out = iota(max(Dim(0), length), m.place);
  if (by != 1) out = binary_of(m, "multiply", out, integer(by));
  if (!start.is(0)) out = binary_of(m, "add", out, size_value(start, m.place));
  return cast(out, r.dtype.value_or(ir::DType::I64), m.place);
}

// reals: start, stop, step. NumPy's way: the second element decides about the step.
NodeRef make_arange_real(const Maker& m, const Request& r) {
  if (r.reals.size() != 3) refuse(m, "needs start, stop and step");
  const double start = r.reals[0], stop = r.reals[1], step = r.reals[2];
  const double count = std::ceil((stop - start) / step);
  if (step == 0 || !std::isfinite(count)) refuse(m, "the step and the ends give no length");
  const ir::DType t = r.dtype.value_or(ir::DType::F64);
  const NodeRef i =
      cast(iota(Dim(static_cast<std::int64_t>(std::max(count, 0.0))), m.place), t, m.place);
  const double delta = (start + step) - start;
  return binary_of(m, "add", real(start), binary_of(m, "multiply", i, real(delta)));
}

// reals: start, stop; dims: how many; ints: 1 if the stop belongs to it.
NodeRef make_linspace(const Maker& m, const Request& r) {
  if (r.reals.size() != 2 || r.dims.size() != 1)
    refuse(m, "needs start, stop and a number of points");
  const double start = r.reals[0], stop = r.reals[1];
  const bool endpoint = given_int(r, 0, 1) != 0;
  const Dim& count = r.dims[0];
  if (count.is_constant() && count.constant() < 0) refuse(m, "the number of points is negative");
  const ir::DType t = r.dtype.value_or(ir::DType::F64);
  const NodeRef i = iota(count, m.place);
  const NodeRef gaps =
      cast(elementwise(m, "maximum",
                       {size_value(endpoint ? count - Dim(1) : count, m.place), integer(1)}),
           ir::DType::F64, m.place);
  const NodeRef step = binary_of(m, "divide", real(stop - start), gaps);
  NodeRef out = binary_of(
      m, "add", binary_of(m, "multiply", cast(i, ir::DType::F64, m.place), step), real(start));
  if (endpoint) {
    const NodeRef last = size_value(count - Dim(1), m.place);
    const NodeRef many = binary_of(m, "greater", i, integer(0));
    const NodeRef at_end = binary_of(m, "logical_and", binary_of(m, "equal", i, last), many);
    out = elementwise(m, "where", {at_end, real(stop), out});
  }
  return cast(out, t, m.place);
}

// dims: rows, columns; ints: which diagonal.
NodeRef make_eye(const Maker& m, const Request& r) {
  if (r.dims.size() != 2) refuse(m, "needs rows and columns");
  const NodeRef i = axis_index(m, r.dims[0], 0, 2), j = iota(r.dims[1], m.place);
  const NodeRef on = binary_of(m, "equal", binary_of(m, "add", i, integer(given_int(r, 0))), j);
  return cast(on, r.dtype.value_or(ir::DType::F64), m.place);
}

}  // namespace

void add_creation(std::vector<Composed>& out) {
  out.push_back({"arange", make_arange});
  out.push_back({"arange_real", make_arange_real});
  out.push_back({"linspace", make_linspace});
  out.push_back({"eye", make_eye});
}

}  // namespace lathe::array
