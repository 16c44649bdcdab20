// SPDX-License-Identifier: Apache-2.0
#include "schedule/values.h"

#include <algorithm>
#include <unordered_set>

#include "ir/traverse.h"

namespace lathe::schedule {

bool Value::has(ir::Symbol dim) const {
  return std::any_of(dims.begin(), dims.end(), [&](const Dim& d) { return d.name == dim; });
}

const Value* ValueGraph::find(std::string_view name) const {
  for (const Value& v : values)
    if (!name.empty() && v.name == name) return &v;
  return nullptr;
}

std::vector<ValueId> operands_of(const Value& value) {
  std::vector<ValueId> out;
  if (!value.reads) return out;
  std::vector<ir::Expr> roots;
  const auto add = [&](ir::Expr e) {
    if (e != nullptr) roots.push_back(e);
  };
  if (const auto* inst = std::get_if<Inst>(&value.def)) {
    add(inst->value);
    add(inst->guard);
    for (const ir::Range& r : inst->domain) {
      add(r.lo);
      add(r.hi);
    }
  } else if (const auto* map = std::get_if<Map>(&value.def)) {
    for (ir::Expr e : map->indices) add(e);
    add(map->fill);
  } else {
    const auto* fby = std::get_if<Fby>(&value.def);
    const auto* last = std::get_if<Last>(&value.def);
    for (const Dim& d : fby ? fby->along : last ? last->along : std::vector<Dim>()) {
      add(d.lo);
      add(d.hi);
    }
  }
  // Below a Read or Reduce the expressions belong to the value that it stands for.
  std::vector<ir::Expr> pending(roots.rbegin(), roots.rend());
  std::unordered_set<ir::Expr> seen;
  std::unordered_set<ValueId> listed;
  while (!pending.empty()) {
    const ir::Expr e = pending.back();
    pending.pop_back();
    if (!seen.insert(e).second) continue;
    if (const auto found = value.reads->find(e); found != value.reads->end()) {
      if (listed.insert(found->second).second) out.push_back(found->second);
      continue;
    }
    for (std::size_t a = e->arg_count; a-- > 0;) pending.push_back(e->arg(a));
  }
  return out;
}

}  // namespace lathe::schedule
