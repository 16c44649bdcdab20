// SPDX-License-Identifier: Apache-2.0
// Faults: errors that count only where their value does. A value with faults has a row of numbers
// beside it, at each point the step that failed, or 0. What exactly happened is found by running
// that one point again.

#include <algorithm>
#include <utility>

#include "interp/row_program.h"
#include "ir/traverse.h"

namespace lathe::interp {

using ir::Op;

std::uint32_t* RowProgram::fault_row(Id v) {
  std::vector<std::uint32_t>& row = fault_storage_[v];
  if (faults_[v] == nullptr) row.assign(kRow, 0);
  faults_[v] = row.data();
  faulty_ = true;
  return row.data();
}

void RowProgram::record_fault(const Step& s, std::size_t p, Fault fault) {
  fault_row(s.out)[p] = s.id;
  if (explaining_) records_.emplace_back(s.id, std::move(fault));
}

void RowProgram::add_fault(const Step& s, std::size_t p, Fault::Kind kind, const AccessPlan& plan,
                           std::int64_t first) {
  Fault fault;
  if (explaining_) {
    fault.kind = kind;
    fault.node = s.node;
    fault.array = space_.array(plan.array).name;
    fault.index = index_at(plan, first, p);
  }
  record_fault(s, p, std::move(fault));
}

// Checked mode: integer division by zero, and negative powers of integers.
void RowProgram::check_operands(const Step& s, std::size_t n) {
  const Op op = s.node->op;
  const DType t = s.node->dtype;
  const bool divides =
      op == Op::FloorDiv || op == Op::Mod || op == Op::TruncDiv || op == Op::TruncMod;
  if ((!divides && op != Op::Pow) || !ir::is_int(t)) return;
  const std::size_t size = ir::size_bytes(t);
  const auto* left = static_cast<const std::byte*>(operand(s, 0));
  const auto* right = static_cast<const std::byte*>(operand(s, 1));
  for (std::size_t p = 0; p < n; ++p) {
    const ir::Scalar b = ir::Scalar::load(t, right + p * size);
    Fault fault;
    fault.node = s.node;
    fault.kind = divides ? Fault::Kind::DivisionByZero : Fault::Kind::NegativePower;
    if (divides && b.is_zero()) record_fault(s, p, std::move(fault));
    if (divides || !ir::is_signed_int(t) || b.as_int() >= 0) continue;
    const std::int64_t a = ir::Scalar::load(t, left + p * size).as_int();
    if (a != 1 && a != -1) record_fault(s, p, std::move(fault));
  }
}

// A fault of an operand that counts is a fault of the result. The first one wins.
void RowProgram::pass_faults(const Step& s, std::size_t n) {
  bool any = faults_[s.out] != nullptr;
  for (std::uint32_t a = 0; a < s.arg_count; ++a) any |= faults_[args_[s.first_arg + a]] != nullptr;
  if (!any) return;
  const auto fault = [&](std::uint32_t a, std::size_t p) -> std::uint32_t {
    const std::uint32_t* row = faults_[args_[s.first_arg + a]];
    return row != nullptr ? row[p] : 0;
  };
  const Op op = s.kind == Kind::Apply ? s.node->op : Op::Add;
  const auto* condition =
      ir::has(op, ir::kLazy) ? static_cast<const std::uint8_t*>(operand(s, 0)) : nullptr;
  std::uint32_t* out = fault_row(s.out);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::uint32_t a = 0; a < s.arg_count && out[p] == 0; ++a) {
      bool counts = true;
      if (a > 0 && op == Op::Select) counts = (condition[p] != 0) == (a == 1);
      if (a > 0 && (op == Op::Gate || op == Op::And)) counts = condition[p] != 0;
      if (a > 0 && op == Op::Or) counts = condition[p] == 0;
      if (counts) out[p] = fault(a, p);
    }
  }
  spread_cell_fault(s);
}

// A fault of a cell is a fault of the whole row.
void RowProgram::spread_cell_fault(const Step& s) {
  if (s.level == Level::Piece || faults_[s.out] == nullptr) return;
  std::uint32_t* row = fault_row(s.out);
  std::fill_n(row, kRow, row[0]);
}

bool RowProgram::targets_faulty() const {
  return std::any_of(target_plans_.begin(), target_plans_.end(),
                     [](const AccessPlan& t) { return t.has_faults; });
}

bool RowProgram::target_fault(std::size_t target, std::size_t p) const {
  const AccessPlan& plan = target_plans_[target];
  if (plan.has_faults && plan.outside[p] != 0) return true;
  if (!faulty_) return false;
  for (const AxisPlan& axis : plan.axes) {
    if (axis.row != kNone && fault_at(axis.row, p)) return true;
    for (const auto& [term, factor] : axis.terms)
      if (fault_at(term, p)) return true;
  }
  return false;
}

void RowProgram::run_again(std::int64_t x) {
  explaining_ = true;
  records_.clear();
  if (variable_ != kNone) space_.value(variable_) = x;
  if (constant_faulty_) run_steps(constant_steps_, 0, 1);
  start();
  run(x, 1);
  explaining_ = false;
}

Expr RowProgram::node_of(std::uint32_t step) const {
  for (const auto* steps : {&constant_steps_, &row_steps_, &piece_steps_})
    for (const Step& s : *steps)
      if (s.id == step && s.kind != Kind::Mask) return s.node;
  internal_error("a step of the program");
}

// A local stands for its value at the point of the group.
std::vector<Symbol> RowProgram::variables_of(Expr node) const {
  const auto local = node->op == Op::Read ? space_.locals.find(node->name) : space_.locals.end();
  std::vector<Symbol> variables;
  if (local != space_.locals.end())
    for (Expr index : local->second.indices) variables.push_back(index->name);
  for (Symbol v : ir::free_variables(node)) variables.push_back(v);
  return variables;
}

void RowProgram::throw_record(std::uint32_t fault) {
  for (auto& [id, record] : records_) {
    if (id != fault) continue;
    // A fault from inside a reduction knows its own point already, but not the one around.
    const auto inner = std::exchange(record.point, {});
    for (Symbol v : variables_of(inner.empty() ? record.node : node_of(fault)))
      record.point.emplace_back(v, space_.value(space_.variable(v)));
    for (const auto& at : inner)
      if (std::none_of(record.point.begin(), record.point.end(),
                       [&](const auto& known) { return known.first == at.first; }))
        record.point.push_back(at);
    throw Fault(record);
  }
  internal_error("a fault that happens again");
}

void RowProgram::explain_root(std::size_t root, std::int64_t x) {
  run_again(x);
  check(fault_at(roots_[root], 0), "the fault of a root");
  throw_record(faults_[roots_[root]][0]);
}

void RowProgram::explain_target(std::size_t target, std::int64_t x) {
  run_again(x);
  const AccessPlan& plan = target_plans_[target];
  for (const AxisPlan& axis : plan.axes) {
    if (axis.row != kNone && fault_at(axis.row, 0)) throw_record(faults_[axis.row][0]);
    for (const auto& [term, factor] : axis.terms)
      if (fault_at(term, 0)) throw_record(faults_[term][0]);
  }
  Fault fault;
  fault.array = space_.array(plan.array).name;
  fault.index = index_at(plan, x, 0);
  for (Symbol v : plan.variables) fault.point.emplace_back(v, space_.value(space_.variable(v)));
  throw fault;
}

}  // namespace lathe::interp
