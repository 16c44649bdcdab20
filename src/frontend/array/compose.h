// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions that are made of others: each is a few nodes, and has no meaning of its own below.

#include <span>

#include "frontend/array/make.h"

namespace lathe::array {

struct Composed {
  const char* name;
  NodeRef (*make)(const Maker& m, const Request& r);
};
std::vector<Composed> composed_functions();
void add_creation(std::vector<Composed>& out);     // compose_create.cpp
void add_shapes(std::vector<Composed>& out);       // compose_shape.cpp
void add_numbers(std::vector<Composed>& out);      // compose_number.cpp
void add_orders(std::vector<Composed>& out);       // compose_order.cpp: sorting
void add_lookups(std::vector<Composed>& out);      // compose_lookup.cpp: among sorted ones
void add_elementwise(std::vector<Composed>& out);  // compose_elementwise.cpp
void add_joins(std::vector<Composed>& out);        // compose_join.cpp: of several arrays
void add_unique(std::vector<Composed>& out);       // compose_unique.cpp
void add_statistics(std::vector<Composed>& out);   // compose_statistics.cpp
void add_linear(std::vector<Composed>& out);       // compose_linear.cpp
void add_norms(std::vector<Composed>& out);        // compose_norm.cpp
void add_random(std::vector<Composed>& out);       // compose_random.cpp

NodeRef reverse_axes(const Maker& m, const NodeRef& x);
void add_elementwise_names(std::vector<std::string>& out);

// Shorthands.
NodeRef call(const Maker& m, const char* function, Nodes inputs, ir::DType t, const Shape& shape,
             std::vector<std::int64_t> ints = {});
NodeRef last_axis(const Maker& m, const NodeRef& x, std::size_t axis);  // with that axis last
NodeRef axis_back(const Maker& m, const NodeRef& x, std::size_t axis);  // the last axis there again
NodeRef flat(const Maker& m, const NodeRef& x);                         // one axis, row-major
NodeRef binary_of(const Maker& m, std::string_view name, const NodeRef& a, const NodeRef& b);
NodeRef integer(std::int64_t v);                     // weak
NodeRef real(double v);                              // weak
NodeRef as_float(const Maker& m, const NodeRef& x);  // integers as float64
// Both in one dtype, as NumPy's functions of two floats take them.
std::pair<NodeRef, NodeRef> as_floats(const Maker& m, const NodeRef& a, const NodeRef& b);
// The index along an axis as an array that broadcasts against arrays of that rank.
NodeRef axis_index(const Maker& m, const Dim& length, std::size_t axis, std::size_t rank);
const NodeRef& given_operand(const Maker& m, const Request& r, std::size_t i);
std::int64_t given_int(const Request& r, std::size_t i, std::int64_t otherwise = 0);

}  // namespace lathe::array
