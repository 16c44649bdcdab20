// SPDX-License-Identifier: Apache-2.0
// The words of run-time errors. Each names the statement, the array and the index, says at which
// point it happened, and what can be done.

#include "base/quoted.h"
#include "interp/space.h"
#include "ir/text.h"

namespace lathe::interp {
namespace {

// 'u' at [3, 4]; a local is one value per point, and the point is named elsewhere.
std::string element_text(const RunArray& a, const std::vector<std::int64_t>& index) {
  if (!a.what.empty()) return a.what;
  return quoted(a.name) + (index.empty() ? "" : " at " + index_text(index));
}

std::string point_text(const std::vector<std::pair<Symbol, std::int64_t>>& point) {
  std::string text;
  for (const auto& [variable, x] : point)
    text +=
        (text.empty() ? "at " : ", ") + std::string(variable.text()) + " = " + std::to_string(x);
  return text;
}

}  // namespace

void Space::fail(const Fault& fault) const {
  const std::string who = "statement " + quoted(label);
  Span place = span;
  if (fault.node != nullptr && program.spans) {
    const Span use = program.spans->find(label, fault.node);
    if (use.known()) place = use;
  }
  Diagnostic d;
  d.span = place;
  const auto element = [&] {
    return element_text(arrays_[array_ids_.at(fault.array)], fault.index);
  };
  const auto covers = [&] {
    const RunArray& a = arrays_[array_ids_.at(fault.array)];
    const std::string name(fault.array.text());
    if (a.buffer->element_count() == 0 && a.rank() > 0) return name + " is empty";
    return name + " covers " + range_text(a.buffer->lo, a.buffer->hi);
  };
  switch (fault.kind) {
    case Fault::Kind::OutOfRange:
      d.message =
          who + (fault.node == nullptr ? " writes " : " reads ") + element() + ", but " + covers();
      if (fault.node == nullptr) {
        d.help = "shrink the domain of the statement, or declare a larger range for " +
                 std::string(fault.array.text());
      } else if (fault.node->policy == ir::Policy::Trusted) {
        d.help =
            "'trusted' promises that the index is inside; correct the index or drop the promise";
      } else {
        d.help = "shrink the domain of the statement, or say what lies outside: " +
                 std::string(fault.array.text()) + "[...; zero], clamp, wrap, mirror or value v";
      }
      break;
    case Fault::Kind::Unwritten:
      d.message = who + " reads " + element() + ", which nothing has written";
      d.help = "write it in an earlier statement, or shrink the domain of this one";
      break;
    case Fault::Kind::DivisionByZero:
      d.message = who + " divides by zero in '" + ir::print(fault.node, 12) + "'";
      d.help = "guard it: select(b != 0, a // b, 0); without checking the result is 0";
      break;
    case Fault::Kind::NegativePower:
      d.message =
          who + " takes a negative power of an integer in '" + ir::print(fault.node, 12) + "'";
      d.help = "compute in floats: f64(a) ** b; without checking the result is 0";
      break;
  }
  if (!fault.point.empty()) d.note(point_text(fault.point));
  throw UserError(std::move(d));
}

void Space::fail_twice(const RunArray& a, std::int64_t offset) const {
  throw UserError(
      "statement " + quoted(label) + " writes " + element_text(a, a.index_of(offset)) + " twice",
      span, "let each point write an element of its own, or accumulate: += max= ...");
}

}  // namespace lathe::interp
