// SPDX-License-Identifier: Apache-2.0
// Questions about piecewise-affine expressions, and maps over their leaves. Each map rebuilds with
// the operators, so the result is in normal form again: n*m with n = 3 is affine afterwards.

#include <set>

#include "base/checked.h"
#include "ir/domain.h"
#include "ir/set_names.h"

namespace lathe::ir {
namespace {

using Kind = PwAff::Kind;

template <class F>
void for_each_leaf(const PwAff& e, F&& f) {
  if (e.operands().empty())
    f(e);
  else
    for (const PwAff& o : e.operands()) for_each_leaf(o, f);
}

}  // namespace

bool PwAff::is_affine() const {
  if (kind() == Kind::Read) return false;
  if (kind() == Kind::Product) {
    int symbols = 0;
    for (const PwAff& o : operands()) symbols += o.is_number() ? 0 : 1;
    if (symbols > 1) return false;
  }
  if ((kind() == Kind::FloorDiv || kind() == Kind::Mod) && !operands()[1].is_number()) return false;
  for (const PwAff& o : operands())
    if (!o.is_affine()) return false;
  return true;
}

std::vector<std::string> PwAff::variables() const {
  std::set<std::string> names;
  for_each_leaf(*this, [&](const PwAff& e) {
    if (e.kind() == Kind::Var) names.insert(e.name());
    names.insert(e.read_variables().begin(), e.read_variables().end());
  });
  return {names.begin(), names.end()};
}

std::vector<std::string> PwAff::parameters() const {
  std::set<std::string> names;
  for_each_leaf(*this, [&](const PwAff& e) {
    if (e.kind() == Kind::Param) names.insert(e.name());
  });
  return {names.begin(), names.end()};
}

PwAff PwAff::map_leaves(FunctionRef<std::optional<PwAff>(const PwAff&)> leaf) const {
  if (operands().empty()) {
    auto replaced = leaf(*this);
    return replaced ? *replaced : *this;
  }
  PwAff result = operands()[0].map_leaves(leaf);
  for (std::size_t k = 1; k < operands().size(); ++k) {
    const PwAff next = operands()[k].map_leaves(leaf);
    switch (kind()) {
      case Kind::Sum: result = result + next; break;
      case Kind::Product: result = result * next; break;
      case Kind::FloorDiv: result = floor_div(result, next); break;
      case Kind::Mod: result = mod(result, next); break;
      case Kind::Min: result = min(result, next); break;
      case Kind::Max: result = max(result, next); break;
      case Kind::Var:
      case Kind::Param:
      case Kind::Zero:
      case Kind::Int:
      case Kind::Read: break;
    }
  }
  return result;
}

PwAff PwAff::substitute(const std::map<std::string, std::int64_t>& values) const {
  return map_leaves([&](const PwAff& e) -> std::optional<PwAff> {
    if (e.kind() != Kind::Param) return std::nullopt;
    const auto at = values.find(e.name());
    if (at == values.end()) return std::nullopt;
    return PwAff::integer(at->second);
  });
}

PwAff PwAff::rename(const std::map<std::string, std::string>& names) const {
  return map_leaves([&](const PwAff& e) -> std::optional<PwAff> {
    if (e.kind() == Kind::Var) {
      const auto at = names.find(e.name());
      if (at != names.end()) return PwAff::var(at->second);
    }
    if (e.kind() == Kind::Read)
      return PwAff::read(rename_words(e.name(), names), rename_all(e.read_variables(), names));
    return std::nullopt;
  });
}

std::optional<std::int64_t> PwAff::evaluate(
    const std::map<std::string, std::int64_t>& values) const {
  switch (kind()) {
    case Kind::Zero: return 0;
    case Kind::Int: return value();
    case Kind::Read: return std::nullopt;
    case Kind::Var:
    case Kind::Param: {
      const auto at = values.find(name());
      if (at == values.end()) return std::nullopt;
      return at->second;
    }
    default: break;
  }
  auto result = operands()[0].evaluate(values);
  for (std::size_t k = 1; k < operands().size() && result; ++k) {
    const auto next = operands()[k].evaluate(values);
    if (!next) return std::nullopt;
    switch (kind()) {
      case Kind::Sum: result = checked_add(result, next); break;
      case Kind::Product: result = checked_mul(result, next); break;
      case Kind::Min: result = std::min(*result, *next); break;
      case Kind::Max: result = std::max(*result, *next); break;
      case Kind::FloorDiv:
        if (*next == 0 || (*next == -1 && *result == INT64_MIN)) return std::nullopt;
        result = lathe::floor_div(*result, *next);
        break;
      case Kind::Mod:
        if (*next == 0) return std::nullopt;
        result = floor_mod(*result, *next);
        break;
      case Kind::Var:
      case Kind::Param:
      case Kind::Zero:
      case Kind::Int:
      case Kind::Read: break;
    }
  }
  return result;
}

}  // namespace lathe::ir
