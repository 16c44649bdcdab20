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

bool Array::is_extended_along(std::size_t axis) const {
  if (!extended || extended_axes.empty()) return extended;
  return std::find(extended_axes.begin(), extended_axes.end(), axes[axis].name) !=
         extended_axes.end();
}

std::vector<std::int64_t> as_users_write(const std::vector<std::size_t>& users_order,
                                         const std::vector<std::int64_t>& index) {
  if (users_order.size() != index.size()) return index;
  std::vector<std::int64_t> users;
  for (std::size_t axis : users_order) users.push_back(index[axis]);
  return users;
}

std::vector<std::int64_t> as_stored(const std::vector<std::size_t>& users_order,
                                    const std::vector<std::int64_t>& users_index) {
  if (users_order.size() != users_index.size()) return users_index;
  std::vector<std::int64_t> index(users_index.size());
  for (std::size_t p = 0; p < index.size(); ++p) index[users_order[p]] = users_index[p];
  return index;
}

const Array* Program::find_array(Symbol name) const { return find_by_name(arrays, name); }
const Parameter* Program::find_parameter(Symbol name) const {
  return find_by_name(parameters, name);
}
const Combiner* Program::find_combiner(Symbol name) const { return find_by_name(combiners, name); }

}  // namespace lathe::ir
