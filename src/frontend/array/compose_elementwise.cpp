// SPDX-License-Identifier: Apache-2.0
// Elementwise functions made of others.

#include <cmath>

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

using ir::DType;

NodeRef make_signbit(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (ir::is_float(x->dtype))
    return binary_of(m, "less", binary_of(m, "copysign", real(1), x), real(0));
  if (ir::is_signed_int(x->dtype)) return binary_of(m, "less", x, integer(0));
  return binary_of(m, "not_equal", x, x);
}

// What is known of a float format: significant bits, and the exponent of its smallest number.
struct Format {
  int bits, least;
};
Format format_of(DType t) {
  if (t == DType::F64) return {53, -1074};
  if (t == DType::F32) return {24, -149};
  return t == DType::F16 ? Format{11, -24} : Format{8, -133};
}

// The next number above, by four operations that round to nearest (Rump, Zimmermann, Boldo,
// Melquiond: Computing predecessor and successor in rounding to nearest, 2009). |c| times a little
// more than half a unit in the last place is what rounds up to the next number; where that would
// vanish, numbers lie evenly or are scaled up first.
NodeRef next_above(const Maker& m, const NodeRef& c) {
  const Format f = format_of(c->dtype);
  const auto power = [&](int e) {
    return constant(ir::Scalar::of_double(c->dtype, std::ldexp(1.0, e)));
  };
  const double half = std::ldexp(1.0, -f.bits);
  const NodeRef more = constant(ir::Scalar::of_double(c->dtype, half * (1 + 2 * half)));
  const NodeRef size = elementwise(m, "absolute", {c});
  const auto raised = [&](const NodeRef& x) {
    return binary_of(m, "add", x, binary_of(m, "multiply", more, elementwise(m, "absolute", {x})));
  };
  const NodeRef even = binary_of(m, "add", c, power(f.least));
  const NodeRef scaled =
      binary_of(m, "multiply", raised(binary_of(m, "multiply", c, power(f.bits))), power(-f.bits));
  const NodeRef is_large = binary_of(m, "greater_equal", size, power(2 * f.bits - 1 + f.least));
  const NodeRef is_small = binary_of(m, "less", size, power(f.bits + f.least));
  const NodeRef finite = elementwise(
      m, "where", {is_large, raised(c), elementwise(m, "where", {is_small, even, scaled})});
  // Only from below: the next one above -inf is the largest number, negated.
  const double largest = (2 - 2 * half) * std::ldexp(1.0, 2 - f.least - f.bits);
  const NodeRef lowest = constant(ir::Scalar::of_double(c->dtype, -largest));
  return elementwise(m, "where", {elementwise(m, "isinf", {c}), lowest, finite});
}

NodeRef make_nextafter(const Maker& m, const Request& r) {
  const auto [x, to] = as_floats(m, given_operand(m, r, 0), given_operand(m, r, 1));
  const NodeRef up = next_above(m, x);
  const NodeRef down = elementwise(m, "negative", {next_above(m, elementwise(m, "negative", {x}))});
  const NodeRef moved = elementwise(m, "where", {binary_of(m, "less", x, to), up, down});
  // A step to zero keeps the sign; a step from it takes that of where it goes.
  const NodeRef is_zero = binary_of(m, "equal", x, real(0));
  const NodeRef known =
      elementwise(m, "where", {is_zero, moved, binary_of(m, "copysign", moved, x)});
  const NodeRef fine = elementwise(m, "where", {binary_of(m, "equal", x, to), to, known});
  const NodeRef bad =
      binary_of(m, "logical_or", elementwise(m, "isnan", {x}), elementwise(m, "isnan", {to}));
  return elementwise(m, "where", {bad, binary_of(m, "add", x, to), fine});
}

}  // namespace

void add_elementwise(std::vector<Composed>& out) {
  out.push_back({"signbit", make_signbit});
  out.push_back({"nextafter", make_nextafter});
}

}  // namespace lathe::array
