// SPDX-License-Identifier: Apache-2.0
#include "ir/program.h"

#include <algorithm>

namespace lathe::ir {
namespace {

constexpr std::string_view kRoles[] = {"input", "output", "inout", "state", "temp", "const"};

template <class T>
const T* find_by_name(const std::vector<T>& items, Symbol name) {
  const auto at =
      std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
  return at == items.end() ? nullptr : &*at;
}

}  // namespace

std::string_view name(Role r) { return kRoles[static_cast<int>(r)]; }

Span SpanTable::find(Symbol label, Expr e) const {
  for (const auto& [use, span] : uses)
    if (use.first == label && use.second == e) return span;
  return {};
}

const Array* Program::find_array(Symbol name) const { return find_by_name(arrays, name); }
const Parameter* Program::find_parameter(Symbol name) const {
  return find_by_name(parameters, name);
}
const Combiner* Program::find_combiner(Symbol name) const { return find_by_name(combiners, name); }

}  // namespace lathe::ir
