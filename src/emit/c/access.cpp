// SPDX-License-Identifier: Apache-2.0
// Where elements lie. Indices that are linear in the variable of a vector loop make addresses with
// a constant distance between lanes: one element if that is 1, so the lanes are one load.

#include <algorithm>

#include "emit/c/evaluate.h"
#include "emit/c/types.h"

namespace lathe::emit {

namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

void add_term(Value& sum, const std::string& text, Strength strength) {
  if (text == "0") return;
  if (sum.text.empty()) {
    sum = {text, strength, DType::I64};
  } else {
    sum = {sum.wrapped(kSum) + " + " + (strength < kSum ? "(" + text + ")" : text), kSum,
           DType::I64};
  }
}

}  // namespace

// Index as i64: the language takes any integer there.
Value Evaluator::flat(Place& p, std::span<const Expr> indices, Mode mode) {
  Value sum{"", kAtom, DType::I64};
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    Value index = known(indices[axis], mode);
    if (indices[axis]->dtype != DType::I64) index = {"(i64)" + index.wrapped(kAtom)};
    if (index.text == "0") continue;
    const std::string stride = printer_.stride(p, axis);
    if (stride == "0") continue;
    if (stride == "1") {
      add_term(sum, index.text, index.strength);
    } else if (is_number(stride) && is_number(index.text)) {
      add_term(sum, std::to_string(std::stoll(index.text) * std::stoll(stride)), kAtom);
    } else {
      add_term(sum, index.wrapped(kProduct) + " * " + stride, kProduct);
    }
  }
  if (sum.text.empty()) sum.text = "0";
  if (p.offset != 0) {
    const std::int64_t shift = -p.offset;
    sum = {sum.wrapped(kSum) + (shift < 0 ? " - " : " + ") + std::to_string(std::abs(shift)), kSum,
           DType::I64};
  }
  return sum;
}

Evaluator::Access Evaluator::access(Place& p, std::span<const Expr> indices) {
  Access result;
  bool linear = true, varying = false;
  for (Expr index : indices) {
    varying |= varies(index);
    linear &= !varies(index) || lanes_.slope(index).has_value();
  }
  if (linear) {
    for (Expr index : indices) evaluate(index, Mode::First);
    result.at = flat(p, indices, Mode::First);
    if (!varying) return result;
    std::string stride;
    bool contiguous = true;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      const std::int64_t slope = varies(indices[axis]) ? *lanes_.slope(indices[axis]) : 0;
      if (slope == 0) continue;
      const std::string step = printer_.stride(p, axis);
      contiguous &= slope == 1 && step == "1";
      if (!stride.empty()) stride += " + ", contiguous = false;
      stride += slope == 1 ? step : literal(slope) + (step == "1" ? "" : " * " + step);
    }
    result.kind = contiguous ? Access::Contiguous : Access::Strided;
    result.stride = stride.empty() ? "0" : stride;
    return result;
  }
  // A sum of vectors and scalars, wrapping like the indices themselves.
  result.kind = Access::Scattered;
  const std::string type = printer_.value_type(DType::I64, form_.lanes, 0);
  Library& library = printer_.library();
  const std::string splat_name = library.function("splat", DType::I64, form_.lanes);
  Value uniform{"", kAtom, DType::I64};
  std::string sum;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    const Value index = evaluate(indices[axis], Mode::Lanes);
    const std::string stride = printer_.stride(p, axis);
    if (index.lanes == 1) {
      add_term(uniform, index.wrapped(kProduct) + (stride == "1" ? "" : " * " + stride), kProduct);
      continue;
    }
    std::string wide = index.wrapped(kAtom);
    if (index.dtype != DType::I64)
      wide = "__builtin_convertvector(" + index.text + ", " + type + ")";
    if (stride != "1") wide += " * " + splat_name + "(" + stride + ")";
    sum += (sum.empty() ? "" : " + ") + wide;
  }
  if (p.offset != 0) add_term(uniform, literal(-p.offset), kAtom);
  if (!uniform.text.empty()) sum += " + " + splat_name + "(" + uniform.text + ")";
  const std::string name = printer_.temporary();
  out_->line("const " + type + " " + name + " = " + sum + ";");
  result.at = {name, kAtom, DType::I64, form_.lanes};
  return result;
}

std::string Evaluator::inside(Place& p, std::span<const Expr> indices) {
  std::string test;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    Value index = evaluate(indices[axis], Mode::First);
    // Unsigned numbers would turn the bounds that they are compared with unsigned, too.
    if (index.strength != kAtom || indices[axis]->dtype != DType::I64) {
      const std::string name = printer_.temporary();
      out_->line("const i64 " + name + " = " + index.text + ";");
      index = {name};
    }
    if (!test.empty()) test += " && ";
    test += printer_.low(p, axis) + " <= " + index.text + " && " + index.text + " < " +
            printer_.high(p, axis);
  }
  return test;
}

std::string Evaluator::report_outside(Symbol array, std::span<const Expr> indices, bool store) {
  std::string list;
  for (Expr index : indices) list += (list.empty() ? "" : ", ") + evaluate(index, Mode::First).text;
  return "outside(context, " + std::to_string(printer_.add_check(array, store)) + ", " +
         std::to_string(indices.size()) + ", (const i64[]){" + list + "})";
}

}  // namespace lathe::emit
