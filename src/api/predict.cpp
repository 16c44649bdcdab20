// SPDX-License-Identifier: Apache-2.0
#include "api/predict.h"

#include <algorithm>

#include "ir/traverse.h"

namespace lathe::api {
namespace {

bool has_computed_extents(const ir::Array& a) {
  return std::any_of(a.axes.begin(), a.axes.end(), [](const ir::Axis& x) {
    return !ir::arrays_read(x.lo).empty() || !ir::arrays_read(x.hi).empty();
  });
}

}  // namespace

schedule::CostMachine cost_machine(const host::Machine& measured, int threads) {
  const auto rates = [](const host::Rates& r) {
    return schedule::CostMachine::Rates{r.best_read(), r.write, r.triad};
  };
  schedule::CostMachine out;
  out.threads = threads > 0 ? std::min(threads, measured.threads) : measured.threads;
  out.vector_bytes = std::max(16, measured.vector_bytes);
  if (measured.l1d_bytes > 0) out.l1 = measured.l1d_bytes;
  if (measured.l2_bytes > 0) out.l2 = measured.l2_bytes;
  // Strangers use the last cache too, however large it is: Compiled streams from the same size on.
  if (measured.l3_bytes > 0) out.last = std::min<std::int64_t>(measured.l3_bytes, 16 << 20);
  if (!measured.has_rates) return out;
  // Two units for fused multiply-adds, two operations in each.
  const double lanes = static_cast<double>(out.vector_bytes) / 8;
  out.clock = measured.one.fma_f64 / (4 * lanes);
  const auto cycles = [&](double rate) { return lanes * out.clock / rate; };
  if (measured.one.mixed_f64 > 0) out.units = std::max(1.0, 1 / cycles(measured.one.mixed_f64));
  if (measured.one.div_f64 > 0) out.division = cycles(measured.one.div_f64);
  if (measured.one.sqrt_f64 > 0) out.root = cycles(measured.one.sqrt_f64);
  out.one = rates(measured.one);
  out.all = out.threads > 1 ? rates(measured.all) : out.one;
  return out;
}

schedule::Cost predict(const Compiled& compiled, const schedule::SizeNumbers& sizes,
                       const host::Machine& measured, int threads) {
  // As a call decides it, from the size of what it writes.
  interp::State state;
  for (const ir::Parameter& p : compiled.prepared().parameters) {
    const auto it = sizes.find(std::string(p.name.text()));
    state.parameters[std::string(p.name.text())] =
        it != sizes.end() ? ir::Scalar::of_int(ir::DType::I64, it->second).cast(p.dtype)
                          : ir::Scalar::of_int(ir::DType::I64, 0).cast(p.dtype);
  }
  const schedule::CostMachine machine = cost_machine(measured, threads);
  double written = 0;
  for (const ir::Array& a : compiled.prepared().arrays) {
    if (a.role != ir::Role::Output || has_computed_extents(a)) continue;
    const interp::Bounds b = interp::declared_bounds(compiled.prepared(), a, state);
    double bytes = static_cast<double>(ir::size_bytes(a.dtype));
    for (std::size_t x = 0; x < b.lo.size(); ++x)
      bytes *= static_cast<double>(std::max<std::int64_t>(0, b.hi[x] - b.lo[x]));
    written = std::max(written, bytes);
  }
  const bool stream = written >= static_cast<double>(machine.last);
  const auto nest = schedule::resolve(compiled.prepared(), compiled.schedule());
  return schedule::predict(*nest, sizes, machine, stream);
}

}  // namespace lathe::api
