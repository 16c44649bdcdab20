// SPDX-License-Identifier: Apache-2.0
// A comparison becomes the difference of its sides, each a sum of integer multiples of terms:
//
//   i - 1 < n     n - i + 1 - 1 >= 0      terms {n: 1, i: -1}, constant 0

#include "lower/linear_fact.h"

#include <algorithm>

namespace lathe::lower {
namespace {

using ir::DType;
using ir::Op;

constexpr std::size_t kLargestTest = 24;  // operations of a test that is looked into

bool is_index_operation(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg:
    case Op::Min:
    case Op::Max: return true;
    default: return false;
  }
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

void add_term(LinearFact& sum, Expr term, std::int64_t factor) {
  for (auto& [t, f] : sum.terms) {
    if (t == term) {
      f = wrapping_add(f, factor);
      return;
    }
  }
  sum.terms.push_back({term, factor});
}

// sum += factor * e.
void add_scaled(LinearFact& sum, Expr e, std::int64_t factor) {
  if (!is_index_arithmetic(e, kLargestTest)) {
    add_term(sum, e, factor);
    return;
  }
  std::vector<std::pair<Expr, std::int64_t>> stack = {{e, factor}};
  while (!stack.empty()) {
    const auto [x, f] = stack.back();
    stack.pop_back();
    switch (x->op) {
      case Op::Const:
        sum.constant = wrapping_add(sum.constant, wrapping_mul(f, x->scalar().as_int()));
        break;
      case Op::Add:
        stack.push_back({x->arg(1), f});
        stack.push_back({x->arg(0), f});
        break;
      case Op::Sub:
        stack.push_back({x->arg(1), wrapping_mul(f, -1)});
        stack.push_back({x->arg(0), f});
        break;
      case Op::Neg: stack.push_back({x->arg(0), wrapping_mul(f, -1)}); break;
      case Op::Mul:
        if (is_const(x->arg(0))) {
          stack.push_back({x->arg(1), wrapping_mul(f, x->arg(0)->scalar().as_int())});
          break;
        }
        if (is_const(x->arg(1))) {
          stack.push_back({x->arg(0), wrapping_mul(f, x->arg(1)->scalar().as_int())});
          break;
        }
        add_term(sum, x, f);
        break;
      default: add_term(sum, x, f); break;
    }
  }
}

// larger - smaller - strict >= 0.
LinearFact at_least(Expr larger, Expr smaller, bool strict) {
  LinearFact fact;
  add_scaled(fact, larger, 1);
  add_scaled(fact, smaller, -1);
  if (strict) fact.constant = wrapping_add(fact.constant, -1);
  // `p[i] <= p[i]` is no reason not to read p[i]: such a term stays.
  std::erase_if(fact.terms,
                [](const auto& t) { return t.second == 0 && is_index_arithmetic(t.first, 1); });
  std::stable_sort(fact.terms.begin(), fact.terms.end(),
                   [](const auto& a, const auto& b) { return a.first->hash < b.first->hash; });
  return fact;
}

}  // namespace

bool is_index_arithmetic(Expr e, std::size_t budget) {
  std::vector<Expr> stack = {e};
  while (!stack.empty()) {
    const Expr x = stack.back();
    stack.pop_back();
    if (x->dtype != DType::I64) return false;
    if (x->op == Op::Const || x->op == Op::Index || x->op == Op::Param) continue;
    if (!is_index_operation(x->op) || budget-- == 0) return false;
    for (Expr a : x->args()) stack.push_back(a);
  }
  return true;
}

bool is_bounds_test(Expr e) {
  if (e->op < Op::Lt || e->op > Op::Ne) return false;
  return is_index_arithmetic(e->arg(0), kLargestTest) &&
         is_index_arithmetic(e->arg(1), kLargestTest);
}

std::vector<LinearFact> facts_of(Expr test, bool holds) {
  if (test->op < Op::Lt || test->op > Op::Ne) return {};
  const Expr left = test->arg(0), right = test->arg(1);
  if (left->dtype != DType::I64) return {};
  switch (test->op) {
    case Op::Lt: return {holds ? at_least(right, left, true) : at_least(left, right, false)};
    case Op::Le: return {holds ? at_least(right, left, false) : at_least(left, right, true)};
    case Op::Gt: return {holds ? at_least(left, right, true) : at_least(right, left, false)};
    case Op::Ge: return {holds ? at_least(left, right, false) : at_least(right, left, true)};
    default: break;
  }
  if ((test->op == Op::Eq) != holds) return {};
  return {at_least(left, right, false), at_least(right, left, false)};
}

bool implies(const LinearFact& known, const LinearFact& asked) {
  if (asked.terms.empty()) return asked.constant >= 0;
  return known.constant <= asked.constant && known.terms == asked.terms;
}

LinearFact negation(const LinearFact& fact) {
  LinearFact opposite = fact;
  for (auto& [term, factor] : opposite.terms) factor = wrapping_mul(factor, -1);
  opposite.constant = wrapping_add(wrapping_mul(fact.constant, -1), -1);
  return opposite;
}

Offset split_offset(Expr index) {
  Offset offset{index, 0};
  while (offset.base && offset.base->dtype == DType::I64) {
    const Expr e = offset.base;
    if (is_const(e)) {
      offset.constant = wrapping_add(offset.constant, e->scalar().as_int());
      offset.base = nullptr;
    } else if (e->op == Op::Add && is_const(e->arg(1))) {
      offset.constant = wrapping_add(offset.constant, e->arg(1)->scalar().as_int());
      offset.base = e->arg(0);
    } else if (e->op == Op::Add && is_const(e->arg(0))) {
      offset.constant = wrapping_add(offset.constant, e->arg(0)->scalar().as_int());
      offset.base = e->arg(1);
    } else if (e->op == Op::Sub && is_const(e->arg(1))) {
      offset.constant =
          wrapping_add(offset.constant, wrapping_mul(e->arg(1)->scalar().as_int(), -1));
      offset.base = e->arg(0);
    } else {
      break;
    }
  }
  return offset;
}

}  // namespace lathe::lower
