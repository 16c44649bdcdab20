// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rule tables, by concern, and what their conditions share. Only rules.cpp and they include
// this.

#include <span>

#include "rewrite/rules.h"

namespace lathe::rewrite {

std::span<const Rule> arith_rules();
std::span<const Rule> integer_rules();
std::span<const Rule> min_max_rules();
std::span<const Rule> compare_rules();
std::span<const Rule> logic_rules();
std::span<const Rule> select_rules();
std::span<const Rule> bits_rules();
std::span<const Rule> convert_rules();
std::span<const Rule> algebraic_rules();

// Marks in the tables.
inline constexpr Tag Exact = Tag::Exact;
inline constexpr Tag Algebraic = Tag::Algebraic;
inline constexpr bool kLazily = true;

// An integer constant read as a signed number of its width; the smallest and largest of its dtype.
std::int64_t signed_value(const ir::Scalar& s);
ir::Scalar lowest(ir::DType t);
ir::Scalar highest(ir::DType t);
// A shift count that shifts by less than the width.
bool is_small_count(const ir::Scalar& s);
// +2^n for some n, as a float or as a positive integer.
bool is_power_of_two(const ir::Scalar& s);
// Every value of `from` is a value of `to`: the conversion loses nothing.
bool keeps_value(ir::DType from, ir::DType to);

}  // namespace lathe::rewrite
