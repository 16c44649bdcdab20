// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that several tests and golden files share.

#include "unit/emit/kernel_builder.h"

namespace lathe::testing {

// v = u + a * laplacian(u) inside of n x m; vectors of `width`.
inline void make_diffusion(KernelBuilder& k, std::int64_t width, bool stream = false,
                           bool unit = true) {
  const E n = k.size("n"), m = k.size("m"), a = k.scalar("a", DType::F64);
  k.argument("u", DType::F64, {{k.num(0), n}, {k.num(0), m}}, ir::Role::Input, unit);
  k.argument("v", DType::F64, {{k.num(0), n}, {k.num(0), m}}, ir::Role::Output, unit);
  const E i = k.var("i"), j = k.var("j"), t = k.param("lap", DType::F64);
  const E around = k.read("u", {i - 1, j}) + k.read("u", {i + 1, j}) + k.read("u", {i, j - 1}) +
                   k.read("u", {i, j + 1});
  const E u = k.read("u", {i, j});
  k.kernel.body = {k.comment("lap: examples/diffusion.lathe:8 */ \\ // \n"),
                   k.parallel("i", k.num(1), n - 1,
                              {k.vector("j", k.num(1), m - 1, width,
                                        {k.let("lap", around - k.real(4.0) * u),
                                         k.store("v", {i, j}, u + a * t, stream)})})};
}

// r[i] = tree sum of row i, by the language's order: lane e mod 64, lanes join in halves. Rows of
// at most 4096.
inline void make_tree_sum(KernelBuilder& k, DType t = DType::F64) {
  const E n = k.size("n"), m = k.size("m");
  k.argument("u", t, {{k.num(0), n}, {k.num(0), m}}, ir::Role::Input);
  k.argument("r", t, {{k.num(0), n}}, ir::Role::Output);
  const E i = k.var("i"), l = k.var("l"), b = k.var("b"), whole = k.param("whole", DType::I64);
  loops::Buffer acc = k.buffer("acc", t, Space::Lanes, {{k.num(0), k.num(64)}});
  loops::Buffer s = k.buffer("s", t, Space::Stack, {{k.num(0), k.num(64)}});
  const auto lanes = [&](Body body) {
    return k.vector("l", k.num(0), k.num(64), 64, std::move(body));
  };
  Body row = {
      k.alloc(acc),
      k.alloc(s),
      k.let("whole", k.op(Op::FloorDiv, {m, k.num(64)}) * 64),
      lanes({k.store("acc", {l}, k.real(-0.0, t))}),
      k.serial("b", k.num(0), k.op(Op::FloorDiv, {m, k.num(64)}),
               {lanes({k.store("acc", {l}, k.read("acc", {l}) + k.read("u", {i, b * 64 + l}))})}),
      lanes({k.store("s", {l}, k.read("acc", {l}))}),
      k.serial("l", k.num(0), m - whole,
               {k.store("s", {l}, k.read("s", {l}) + k.read("u", {i, whole + l}))})};
  for (int half = 32; half > 0; half /= 2)
    row.push_back(k.vector("l", k.num(0), k.num(half), half,
                           {k.store("s", {l}, k.read("s", {l}) + k.read("s", {l + half}))}));
  row.push_back(k.store("r", {i}, k.read("s", {k.num(0)})));
  k.kernel.body = {k.parallel("i", k.num(0), n, std::move(row))};
}

// c += a . b for one tile of 6 x 64 f32, k in order by fma. a is packed [k][6], b [k][64].
inline void make_tile(KernelBuilder& k) {
  const E kk = k.size("k");
  const auto axes = [&](E rows, std::int64_t columns) {
    return std::vector<std::pair<E, E>>{{k.num(0), rows}, {k.num(0), k.num(columns)}};
  };
  k.argument("a", DType::F32, axes(kk, 6), ir::Role::Input);
  k.argument("b", DType::F32, axes(kk, 64), ir::Role::Input);
  k.argument("c", DType::F32, axes(k.num(6), 64), ir::Role::InOut);
  const E p = k.var("p"), l = k.var("l");
  const auto lanes = [&](Body body) {
    return k.vector("l", k.num(0), k.num(64), 64, std::move(body));
  };
  Body all, step;
  for (int row = 0; row < 6; ++row) {
    const std::string acc = "acc" + std::to_string(row);
    all.push_back(k.alloc(k.buffer(acc, DType::F32, Space::Lanes, {{k.num(0), k.num(64)}})));
    all.push_back(lanes({k.store(acc, {l}, k.read("c", {k.num(row), l}))}));
    step.push_back(lanes({k.store(
        acc, {l}, k.fma(k.read("a", {p, k.num(row)}), k.read("b", {p, l}), k.read(acc, {l})))}));
  }
  all.push_back(k.serial("p", k.num(0), kk, std::move(step)));
  for (int row = 0; row < 6; ++row) {
    const std::string acc = "acc" + std::to_string(row);
    all.push_back(lanes({k.store("c", {k.num(row), l}, k.read(acc, {l}))}));
  }
  k.kernel.body = std::move(all);
}

}  // namespace lathe::testing
