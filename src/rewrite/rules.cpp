// SPDX-License-Identifier: Apache-2.0
// All rules in one list, in the order in which they are tried, and what their conditions share.

#include "rewrite/rules.h"

#include <bit>
#include <cmath>
#include <limits>

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

std::vector<Rule> join_tables() {
  std::vector<Rule> all;
  for (const auto table :
       {arith_rules(), integer_rules(), min_max_rules(), compare_rules(), logic_rules(),
        select_rules(), bits_rules(), convert_rules(), algebraic_rules()})
    all.insert(all.end(), table.begin(), table.end());
  return all;
}

bool is_in_class(std::string_view word, ir::DType t) {
  if (word == "any") return true;
  if (word == "number") return !ir::is_bool(t);
  if (word == "int") return ir::is_int(t);
  if (word == "uint") return ir::is_unsigned_int(t);
  if (word == "sint") return ir::is_signed_int(t);
  if (word == "float") return ir::is_float(t);
  if (word == "bits") return !ir::is_float(t);
  return ir::parse_dtype(word) == t;
}

// Bits of precision of a float, and of the magnitude of an integer.
int digits(ir::DType t) {
  switch (t) {
    case ir::DType::Bool: return 1;
    case ir::DType::F16: return 11;
    case ir::DType::BF16: return 8;
    case ir::DType::F32: return 24;
    case ir::DType::F64: return 53;
    default: return ir::width_bits(t) - (ir::is_signed_int(t) ? 1 : 0);
  }
}

}  // namespace

std::span<const Rule> all_rules() {
  static const std::vector<Rule> kAll = join_tables();
  return kAll;
}

bool admits(std::string_view dtypes, ir::DType t) {
  while (!dtypes.empty()) {
    const std::size_t blank = dtypes.find(' ');
    if (is_in_class(dtypes.substr(0, blank), t)) return true;
    dtypes.remove_prefix(blank == std::string_view::npos ? dtypes.size() : blank + 1);
  }
  return false;
}

std::int64_t signed_value(const ir::Scalar& s) {
  const int unused = 64 - ir::width_bits(s.dtype);
  return static_cast<std::int64_t>(s.bits << unused) >> unused;
}

ir::Scalar lowest(ir::DType t) {
  return ir::Scalar::of_double(t, -std::numeric_limits<double>::infinity());
}

ir::Scalar highest(ir::DType t) {
  return ir::Scalar::of_double(t, std::numeric_limits<double>::infinity());
}

bool is_small_count(const ir::Scalar& s) {
  return s.bits < static_cast<std::uint64_t>(ir::width_bits(s.dtype));
}

bool is_power_of_two(const ir::Scalar& s) {
  if (ir::is_int(s.dtype))
    return std::has_single_bit(s.bits) && (ir::is_unsigned_int(s.dtype) || signed_value(s) > 0);
  const double value = s.as_double();
  int exponent = 0;
  return value > 0 && std::isfinite(value) && std::frexp(value, &exponent) == 0.5;
}

bool keeps_value(ir::DType from, ir::DType to) {
  if (from == to || ir::is_bool(from)) return true;
  if (ir::is_bool(to)) return false;
  if (ir::is_float(from)) {
    if (!ir::is_float(to)) return false;
    const bool halves = ir::is_half(from) && ir::is_half(to);  // neither holds the other
    return !halves && digits(from) < digits(to);
  }
  if (ir::is_float(to)) return digits(from) <= digits(to);
  const bool sign_fits = ir::is_unsigned_int(from) || ir::is_signed_int(to);
  return sign_fits && digits(from) <= digits(to);
}

}  // namespace lathe::rewrite
