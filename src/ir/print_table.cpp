// SPDX-License-Identifier: Apache-2.0
#include "ir/text_printer.h"

namespace lathe::ir {
namespace {

std::string row_text(std::span<const std::size_t> shape, std::span<const Scalar> values,
                     std::size_t& next) {
  if (shape.empty()) return next < values.size() ? to_text(values[next++]) : std::string("0");
  std::string out = "[";
  for (std::size_t i = 0; i < shape[0]; ++i)
    out += (i > 0 ? ", " : "") + row_text(shape.subspan(1), values, next);
  return out + "]";
}

}  // namespace

std::string table_text(std::span<const Axis> axes, std::span<const Scalar> values) {
  std::vector<std::size_t> shape;
  for (const Axis& x : axes) {
    if (!is_const(x.lo) || !is_const(x.hi)) return "[]";  // refused by the verifier
    const std::int64_t extent = x.hi->scalar().as_int() - x.lo->scalar().as_int();
    shape.push_back(extent < 0 ? 0 : static_cast<std::size_t>(extent));
  }
  std::size_t next = 0;
  return row_text(shape, values, next);
}

}  // namespace lathe::ir
