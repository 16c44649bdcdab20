// SPDX-License-Identifier: Apache-2.0
// Items that work on whole arrays: calls match their table, rotated arrays match one another.

#include <algorithm>

#include "ir/calls.h"
#include "ir/verify_context.h"

namespace lathe::ir {

void Verifier::check_rotation(const Repeat& r, const Scope& scope, const Place& place) {
  if (scope.points && !r.rotate.empty())
    error(place.span,
          "arrays cannot rotate inside 'if' or 'while': their points see versions of them",
          "rotate around it, or copy from one array to the other");
  std::unordered_set<Symbol> seen;
  const Array* first = r.rotate.empty() ? nullptr : array(r.rotate[0]);
  if (r.rotate.size() == 1)
    error(place.span, "rotating one array changes nothing", "name two or more arrays");
  for (Symbol s : r.rotate) {
    const Array* a = array(s);
    if (!a) {
      error(place.span, "the array " + quoted(s.text()) + " to rotate is not declared");
      continue;
    }
    if (!seen.insert(s).second)
      error(place.span, quoted(s.text()) + " is rotated twice", "name it once");
    if (a->role == Role::Input || a->role == Role::Const)
      error(place.span, quoted(s.text()) + " is an input or constant and cannot be rotated",
            "copy it into a temp first");
    if (!first || a == first) continue;
    const bool same_shape =
        std::equal(a->axes.begin(), a->axes.end(), first->axes.begin(), first->axes.end(),
                   [](const Axis& x, const Axis& y) { return x.lo == y.lo && x.hi == y.hi; });
    if (a->dtype != first->dtype || !same_shape)
      error(place.span, quoted(s.text()) + " and " + quoted(first->name.text()) +
                            " cannot be rotated: they differ in dtype or extents");
  }
}

void Verifier::check_cap(const Repeat& r, const Place& place) {
  if (!r.capped) return;
  const Array* on = array(r.capped);
  if (!on || !is_bool(on->dtype) || on->axes.empty())
    error(place.span, "'capped' needs the bool array of the points that are on, not " +
                          quoted(r.capped.text()));
  if (!r.until)
    error(place.span, "a capped 'repeat' needs 'until': without it, it always runs out of rounds");
  if (!r.rotate.empty()) error(place.span, "a capped 'repeat' rotates nothing");
}

void Verifier::check_call(const Call& c, const Place& place) {
  std::vector<CallOperand> inputs, outputs;
  for (const auto* list : {&c.inputs, &c.outputs})
    for (Symbol s : *list) {
      const Array* a = array(s);
      if (!a) {
        error(place.span, "the array " + quoted(s.text()) + " is not declared");
        return;
      }
      (list == &c.inputs ? inputs : outputs)
          .push_back(
              {s, a->dtype, a->axes.size(), a->role != Role::Input && a->role != Role::Const});
    }
  for (Refusal& r : call_refusals(c.function.text(), inputs, outputs))
    error(place.span, std::move(r.message), std::move(r.help));
}

std::vector<Refusal> call_refusals(std::string_view function, const std::vector<CallOperand>& in,
                                   const std::vector<CallOperand>& outputs) {
  const CallInfo* call = find_call(function);
  if (!call) {
    std::string names;
    for (const CallInfo& i : all_calls())
      names += (names.empty() ? "" : ", ") + std::string(i.name);
    return {{"there is no operation " + quoted(function) + " to call", "one of " + names}};
  }
  if (in.size() != static_cast<std::size_t>(call->inputs) ||
      outputs.size() != static_cast<std::size_t>(call->outputs))
    return {{quoted(call->name) + " takes " +
                 plural(static_cast<std::size_t>(call->inputs), "input") + " and gives " +
                 plural(static_cast<std::size_t>(call->outputs), "output") + ", not " +
                 std::to_string(in.size()) + " and " + std::to_string(outputs.size()),
             {}}};
  std::vector<Refusal> refusals;
  const CallOperand& x = in.front();
  const CallOperand& out = outputs.back();
  const std::string result = "the result " + quoted(out.name.text()) + " of " + quoted(call->name);
  const auto needs = [&](bool holds, const std::string& what) {
    if (!holds) refusals.push_back({what, {}});
  };
  needs(out.writable, result + " is an input or constant and cannot be written");
  const auto rank = [&](const CallOperand& a, std::size_t n, const std::string& what) {
    needs(a.rank == n,
          what + " must have " + plural(n, "axis") + ", not " + std::to_string(a.rank));
  };
  const auto dtype = [&](const CallOperand& a, DType t, const std::string& what) {
    needs(a.dtype == t,
          what + " must be " + std::string(name(t)) + ", not " + std::string(name(a.dtype)));
  };
  const std::string operand = quoted(x.name.text()) + " in " + quoted(call->name);
  switch (call->kind) {
    case CallKind::Sort:
    case CallKind::Argsort:
      needs(x.rank > 0, operand + " must have an axis to sort along");
      rank(out, x.rank, result);
      dtype(out, call->kind == CallKind::Sort ? x.dtype : DType::I64, result);
      break;
    case CallKind::Searchsorted:
    case CallKind::SearchsortedRight:
    case CallKind::Contains:
      rank(x, 1, operand);
      needs(in[1].dtype == x.dtype, quoted(call->name) + " looks for " +
                                        std::string(name(in[1].dtype)) + " values among " +
                                        std::string(name(x.dtype)));
      rank(out, in[1].rank, result);
      dtype(out, call->kind == CallKind::Contains ? DType::Bool : DType::I64, result);
      break;
    case CallKind::NonzeroCount:
      rank(out, 0, result);
      dtype(out, DType::I64, result);
      break;
    case CallKind::Nonzero:
      rank(out, 1, result);
      dtype(out, DType::I64, result);
      break;
    case CallKind::Cholesky:
      needs(x.rank >= 2, operand + " must have at least 2 axes");
      needs(is_float(x.dtype) && !is_half(x.dtype), operand + " must be f32 or f64");
      rank(out, x.rank, result);
      dtype(out, x.dtype, result);
      break;
    case CallKind::StrictCholesky:
    case CallKind::Solve:
    case CallKind::Det:
    case CallKind::Slogdet:
    case CallKind::Cofactors:
    case CallKind::Qr:
    case CallKind::QrComplete:
    case CallKind::Eigh:
    case CallKind::Eigvalsh:
    case CallKind::Svd:
    case CallKind::SvdFull:
    case CallKind::Svdvals: {
      needs(x.rank >= 2, operand + " must have at least 2 axes");
      needs(is_float(x.dtype) && !is_half(x.dtype), operand + " must be f32 or f64");
      if (x.rank < 2) break;
      for (std::size_t i = 1; i < in.size(); ++i) {
        const std::string other = quoted(in[i].name.text()) + " in " + quoted(call->name);
        rank(in[i], x.rank, other);
        dtype(in[i], x.dtype, other);
      }
      const bool matrix = call->kind == CallKind::StrictCholesky || call->kind == CallKind::Solve ||
                          call->kind == CallKind::Cofactors;
      rank(out, matrix ? x.rank : call->kind == CallKind::Det ? x.rank - 2 : x.rank - 1, result);
      dtype(out, x.dtype, result);
      break;
    }
  }
  return refusals;
}

}  // namespace lathe::ir
