// SPDX-License-Identifier: Apache-2.0
#include "api/array_facts.h"

#include <algorithm>
#include <cmath>

namespace lathe::api {

bool is_changing_number(const array::Node& n) {
  if (n.kind != array::Kind::Constant || !ir::is_float(n.dtype)) return false;
  const double v = n.value.as_double() * 4;
  return !(v == static_cast<double>(static_cast<int>(std::clamp(v, -200.0, 200.0))));
}

double work_of(const std::vector<const array::Node*>& order, const array::Sizes& sizes,
               const array::NodeSet& leaves) {
  const auto product = [&](const array::Shape& shape) {
    double n = 1;
    for (const array::Dim& d : shape)
      n *= d.is_constant() ? static_cast<double>(d.constant())
                           : static_cast<double>(sizes.value(d).value_or(1));
    return n;
  };
  double work = 0;
  for (const array::Node* n : order) {
    if (n->kind < array::Kind::Map || leaves.count(n)) continue;
    double mine = product(n->shape);
    for (const array::NodeRef& o : n->operands) mine = std::max(mine, product(o->shape));
    // Of two matrices: as many products as the root of what all three shapes have; they are cheap.
    if (n->kind == array::Kind::Contract && n->operands.size() == 2)
      mine = std::max(mine, std::sqrt(product(n->shape) * product(n->operands[0]->shape) *
                                      product(n->operands[1]->shape)) /
                                4);
    work += n->kind == array::Kind::Call ? 20 * mine : mine;
    if (work >= kWorkOfThreads) break;
  }
  return work;
}

bool is_dense(const array::Storage& s, ir::DType t) {
  auto step = static_cast<std::int64_t>(ir::size_bytes(t));
  for (std::size_t a = s.extents.size(); a-- > 0; step *= s.extents[a])
    if (s.extents[a] != 1 && s.strides[a] != step) return false;
  return true;
}

void set_dense_strides(array::Storage& s, ir::DType t) {
  auto step = static_cast<std::int64_t>(ir::size_bytes(t));
  s.strides.resize(s.extents.size());
  for (std::size_t a = s.extents.size(); a-- > 0; step *= s.extents[a]) s.strides[a] = step;
}

}  // namespace lathe::api
