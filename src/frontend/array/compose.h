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
void add_creation(std::vector<Composed>& out);  // compose_create.cpp
void add_shapes(std::vector<Composed>& out);    // compose_shape.cpp
void add_numbers(std::vector<Composed>& out);   // compose_number.cpp
void add_orders(std::vector<Composed>& out);    // compose_order.cpp: sorting and searching
void add_random(std::vector<Composed>& out);    // compose_random.cpp

NodeRef reverse_axes(const Maker& m, const NodeRef& x);
void add_elementwise_names(std::vector<std::string>& out);

// Shorthands.
NodeRef binary_of(const Maker& m, std::string_view name, const NodeRef& a, const NodeRef& b);
NodeRef integer(std::int64_t v);  // weak
NodeRef real(double v);           // weak
// The index along an axis as an array that broadcasts against arrays of that rank.
NodeRef axis_index(const Maker& m, const Dim& length, std::size_t axis, std::size_t rank);
const NodeRef& given_operand(const Maker& m, const Request& r, std::size_t i);
std::int64_t given_int(const Request& r, std::size_t i, std::int64_t otherwise = 0);

}  // namespace lathe::array
