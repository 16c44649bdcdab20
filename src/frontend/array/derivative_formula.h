// SPDX-License-Identifier: Apache-2.0
#pragma once
// A few operators on nodes, for derivatives that read as formulas do. For derivative*.cpp.

#include "frontend/array/compose.h"

namespace lathe::array {

struct F {
  const Maker* m;
  NodeRef x;

  const Shape& shape() const { return x->shape; }
  std::size_t rank() const { return x->rank(); }
};
inline F combine(const char* name, const F& a, const F& b) {
  return {a.m, binary_of(*a.m, name, a.x, b.x)};
}
inline F operator+(const F& a, const F& b) { return combine("add", a, b); }
inline F operator-(const F& a, const F& b) { return combine("subtract", a, b); }
inline F operator*(const F& a, const F& b) { return combine("multiply", a, b); }
inline F operator/(const F& a, const F& b) { return combine("divide", a, b); }
inline F operator-(const F& a) { return {a.m, elementwise(*a.m, "negative", {a.x})}; }
inline F of(const char* name, const F& a) { return {a.m, elementwise(*a.m, name, {a.x})}; }
inline F choose(const F& c, const F& a, const F& b) {
  return {a.m, elementwise(*a.m, "where", {c.x, a.x, b.x})};
}
inline F num(const F& like, double v) { return {like.m, real(v)}; }

}  // namespace lathe::array
