// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values of expressions over rows, for tests: parameters are bound to rows, every operation is the
// interpreter's. Reads and reductions have no meaning here.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "interp/row_ops.h"
#include "ir/expr.h"
#include "ir/traverse.h"

namespace lathe::testing {

struct Row {
  ir::DType dtype = ir::DType::F64;
  std::vector<std::byte> data;

  Row() = default;
  Row(ir::DType t, std::size_t n) : dtype(t), data(n * ir::size_bytes(t)) {}
  Row(ir::DType t, const std::vector<ir::Scalar>& values) : Row(t, values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) set(i, values[i]);
  }
  std::size_t size() const { return data.size() / ir::size_bytes(dtype); }
  ir::Scalar at(std::size_t i) const {
    return ir::Scalar::load(dtype, data.data() + i * ir::size_bytes(dtype));
  }
  void set(std::size_t i, const ir::Scalar& s) { s.store(data.data() + i * ir::size_bytes(dtype)); }
  friend bool operator==(const Row&, const Row&) = default;
};

using Environment = std::map<std::string, Row, std::less<>>;

inline Row constant_row(const ir::Scalar& s, std::size_t n) {
  Row row(s.dtype, n);
  if (n > 0) row.set(0, s);
  const std::size_t all = row.data.size();
  for (std::size_t done = ir::size_bytes(s.dtype); done < all; done *= 2)
    std::memcpy(row.data.data() + done, row.data.data(), std::min(done, all - done));
  return row;
}

// The row of each root.
inline std::vector<Row> evaluate(std::span<const ir::Expr> roots, const Environment& environment,
                                 std::size_t n) {
  std::unordered_map<ir::Expr, Row> made;  // references stay valid
  std::unordered_map<ir::Expr, const Row*> rows;
  for (ir::Expr e : ir::post_order(roots)) {
    if (e->op == ir::Op::Param || e->op == ir::Op::Index) {
      const auto found = environment.find(e->name.text());
      check(found != environment.end() && found->second.dtype == e->dtype, "a bound parameter");
      rows[e] = &found->second;
      continue;
    }
    Row& out = made[e];
    rows[e] = &out;
    if (e->op == ir::Op::Const) {
      out = constant_row(e->scalar(), n);
      continue;
    }
    out = Row(e->dtype, n);
    if (e->op == ir::Op::Lookup) {
      const Row& index = *rows[e->arg(0)];
      for (std::size_t i = 0; i < n; ++i)
        out.set(i, e->table().values.at(static_cast<std::size_t>(index.at(i).as_int())));
      continue;
    }
    std::vector<const void*> args;
    for (ir::Expr arg : e->args()) args.push_back(rows[arg]->data.data());
    interp::apply_row(e->op, e->args().back()->dtype, e->dtype, args, out.data.data(), n);
  }
  std::vector<Row> results;
  for (ir::Expr root : roots) results.push_back(*rows[root]);
  return results;
}

inline Row evaluate(ir::Expr root, const Environment& environment, std::size_t n) {
  return evaluate(std::span(&root, 1), environment, n)[0];
}

}  // namespace lathe::testing
