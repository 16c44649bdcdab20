// SPDX-License-Identifier: Apache-2.0
#include "base/quoted.h"
#include "interp/fault_words.h"
#include "interp/space.h"
#include "ir/text.h"

namespace lathe::interp {
namespace {

// 'u' at [3, 4]; a local is one value per point, and the point is named elsewhere.
std::string element_text(const FaultReport& r) {
  if (!r.what.empty()) return r.what;
  if (r.index.empty()) return quoted(r.array);
  return quoted(r.array) + " at " + index_text(ir::as_users_write(r.users_order, r.index));
}

std::string reach_text(const FaultReport& r) {
  if (!r.covered) return std::string(r.array.text()) + " does not reach there";
  return covers_text(r.array, {ir::as_users_write(r.users_order, r.covered->lo),
                               ir::as_users_write(r.users_order, r.covered->hi)});
}

std::string range_help(const FaultReport& r) {
  const std::string array(r.array.text());
  if (r.writes) return "shrink the domain of the statement, or declare a larger range for " + array;
  if (r.trusted)
    return "'trusted' promises that the index is inside; correct the index or drop the promise";
  return "shrink the domain of the statement, or say what lies outside: " + array +
         "[...; zero], clamp, wrap, mirror or value v";
}

}  // namespace

std::string point_text(const std::vector<std::pair<Symbol, std::int64_t>>& point) {
  std::string text;
  for (const auto& [variable, x] : point)
    text += (text.empty() ? "" : ", ") + std::string(variable.text()) + " = " + std::to_string(x);
  return text;
}

std::string covers_text(Symbol array, const Bounds& bounds) {
  const std::string name(array.text());
  for (std::size_t k = 0; k < bounds.lo.size(); ++k)
    if (bounds.hi[k] <= bounds.lo[k]) return name + " is empty";
  return name + " covers " + range_text(bounds.lo, bounds.hi);
}

void throw_fault(const FaultReport& r) {
  const std::string who = "statement " + quoted(r.label);
  Diagnostic d;
  d.span = r.span;
  bool point_said = false;
  switch (r.kind) {
    case FaultReport::Kind::Range:
      d.message =
          who + (r.writes ? " writes " : " reads ") + element_text(r) + ", but " + reach_text(r);
      d.help = range_help(r);
      d.kind = ErrorKind::Index;
      break;
    case FaultReport::Kind::Unwritten:
      d.message = who + " reads " + element_text(r) + ", which nothing has written";
      d.help = "write it in an earlier statement, or shrink the domain of this one";
      break;
    case FaultReport::Kind::Twice:
      d.message = who + " writes " + element_text(r) + " twice";
      d.help = "let each point write an element of its own, or accumulate: += max= ...";
      break;
    case FaultReport::Kind::Division:
      d.message = who + " divides by zero in '" + r.operation + "'";
      d.help = "guard it: select(b != 0, a // b, 0); without checking the result is 0";
      d.kind = ErrorKind::Division;
      break;
    case FaultReport::Kind::NegativePower:
      d.message = who + " takes a negative power of an integer in '" + r.operation + "'";
      d.help = "compute in floats: f64(a) ** b; without checking the result is 0";
      d.kind = ErrorKind::Power;
      break;
    case FaultReport::Kind::WhileCap:
      d.message = quoted(r.label) + " is still on at " + point_text(r.point) + " after " +
                  std::to_string(r.rounds) + " rounds";
      d.help = "make its condition false at some time, or allow more rounds: --while-cap N";
      point_said = true;
      break;
  }
  if (!r.point.empty() && !point_said) d.note("at " + point_text(r.point));
  throw UserError(std::move(d));
}

void Space::fail(const Fault& fault) const {
  FaultReport r;
  r.label = label;
  r.span = span;
  if (fault.node != nullptr && program.spans) {
    const Span use = program.spans->find(label, fault.node);
    if (use.known()) r.span = use;
  }
  r.array = fault.array;
  if (const ir::Array* a = program.find_array(fault.array)) r.users_order = a->users_order;
  if (const auto it = array_ids_.find(fault.array); it != array_ids_.end())
    r.what = arrays_[it->second].what;
  r.index = fault.index;
  r.point = fault.point;
  switch (fault.kind) {
    case Fault::Kind::OutOfRange:
      r.kind = FaultReport::Kind::Range;
      r.writes = fault.node == nullptr;
      r.trusted = !r.writes && fault.node->policy == ir::Policy::Trusted;
      r.covered = bounds_of(*arrays_[array_ids_.at(fault.array)].buffer);
      break;
    case Fault::Kind::Unwritten: r.kind = FaultReport::Kind::Unwritten; break;
    case Fault::Kind::DivisionByZero: r.kind = FaultReport::Kind::Division; break;
    case Fault::Kind::NegativePower: r.kind = FaultReport::Kind::NegativePower; break;
  }
  if (r.kind == FaultReport::Kind::Division || r.kind == FaultReport::Kind::NegativePower)
    r.operation = ir::print(fault.node, 12);
  throw_fault(r);
}

void Space::fail_twice(const RunArray& a, std::int64_t offset) const {
  FaultReport r;
  r.kind = FaultReport::Kind::Twice;
  r.label = label;
  r.span = span;
  r.array = a.name;
  r.index = a.index_of(offset);
  if (const ir::Array* of = program.find_array(a.name)) r.users_order = of->users_order;
  throw_fault(r);
}

}  // namespace lathe::interp
