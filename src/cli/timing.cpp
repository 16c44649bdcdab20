// SPDX-License-Identifier: Apache-2.0
// Arguments lie in the pool's memory, as in a program that calls kernels again and again: fresh
// pages and small ones would be timed otherwise.

#include "cli/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "api/predict.h"
#include "device/host/machine.h"
#include "device/host/memory.h"

namespace lathe::cli {
namespace {

struct Argument {
  const ir::Array* array;
  host::Block memory;
};

api::ArrayView view_of(const interp::Buffer& b, void* data) {
  api::ArrayView view{static_cast<std::byte*>(data), b.dtype, b.lo, b.hi,
                      std::vector<std::int64_t>(b.lo.size())};
  std::int64_t stride = static_cast<std::int64_t>(ir::size_bytes(b.dtype));
  for (std::size_t x = b.lo.size(); x-- > 0;) {
    view.strides[x] = stride;
    stride *= b.extent(x);
  }
  return view;
}

// The least that the call must do: every argument through memory once, every operation in a unit.
void add_limit(TimeReport& report, const api::Compiled& compiled, const interp::State& results,
               int threads) {
  const host::Machine machine = host::measured();
  const bool alone = threads == 1 || machine.threads == 1;
  const host::Rates& rates = alone ? machine.one : machine.all;
  double read = 0, written = 0, widest = 4;
  for (const ir::Array& a : compiled.prepared().arrays) {
    const auto it = results.arrays.find(std::string(a.name.text()));
    if (it == results.arrays.end() || a.role == ir::Role::Temp || a.role == ir::Role::Const)
      continue;
    const double bytes = static_cast<double>(it->second.data.size());
    if (a.role != ir::Role::Output) read += bytes;
    if (a.role != ir::Role::Input) written += bytes;
    widest = std::max(widest, static_cast<double>(ir::size_bytes(a.dtype)));
  }
  report.bytes = read + written;
  schedule::SizeNumbers sizes;
  for (const auto& [name, value] : results.parameters)
    if (!ir::is_float(value.dtype)) sizes[name] = value.as_int();
  const schedule::Cost cost = api::predict(compiled, sizes, machine, threads);
  report.predicted = cost.seconds;
  if (!machine.has_rates) return;
  double operations = 0;
  for (const schedule::NestCost& n : cost.nests) operations += n.operations;
  // One operation of an element takes the place of one fused multiply-add, which counts as two; or
  // processors have units for additions beside those for products.
  const double one_each = std::max(rates.fma_f64 / 2, rates.mixed_f64) * (widest > 4 ? 1 : 2);
  const double arithmetic = operations / one_each;
  const double memory = std::max({read / rates.best_read(), written / rates.write,
                                  (read + written) / std::max(rates.triad, rates.best_read())});
  report.limit_is_memory = memory >= arithmetic;
  report.limit_seconds = std::max(memory, arithmetic);
}

}  // namespace

TimeReport time_runs(api::Compiled& compiled, const interp::State& inputs,
                     const interp::State& results, int threads, int repeat) {
  std::deque<Argument> memory;
  api::Compiled::Arguments arguments;
  arguments.parameters = inputs.parameters;
  for (const ir::Array& a : compiled.prepared().arrays) {
    const std::string name(a.name.text());
    const auto it = results.arrays.find(name);
    if (a.role == ir::Role::Temp || a.role == ir::Role::Const || it == results.arrays.end())
      continue;
    host::Allocation got =
        host::MemoryPool::shared().allocate(static_cast<std::int64_t>(it->second.data.size()));
    if (got.error) throw UserError(*got.error);
    arguments.arrays[name] = view_of(it->second, got.block.data());
    memory.push_back({&a, std::move(got.block)});
  }
  auto allocate = [&](const std::string& name, const std::vector<std::int64_t>&,
                      const std::vector<std::int64_t>&) { return arguments.arrays.at(name); };
  FunctionRef<api::ArrayView(const std::string&, const std::vector<std::int64_t>&,
                             const std::vector<std::int64_t>&)>
      allocator(allocate);
  arguments.allocate = &allocator;
  api::RunOptions how;
  how.threads = threads;
  std::vector<double> seconds;
  for (int i = -1; i < repeat; ++i) {
    for (const Argument& a : memory) {
      const auto it = inputs.arrays.find(std::string(a.array->name.text()));
      if (it != inputs.arrays.end() && (i < 0 || a.array->role != ir::Role::Input))
        std::memcpy(a.memory.data(), it->second.data.data(), it->second.data.size());
    }
    const double one = compiled.run(arguments, how).seconds;
    if (i >= 0) seconds.push_back(one);
  }
  std::sort(seconds.begin(), seconds.end());
  TimeReport report;
  report.runs = repeat;
  report.median = seconds[seconds.size() / 2];
  report.fastest = seconds.front();
  add_limit(report, compiled, results, threads);
  return report;
}

std::string to_text(const TimeReport& r) {
  return fmt::format(
      "median of {} run{}: {:.4g} ms, fastest {:.4g} ms\n"
      "{:.4g} GB/s; {:.2f} of this machine's limit, which is {:.4g} ms ({}); predicted {:.4g} ms\n",
      r.runs, r.runs == 1 ? "" : "s", r.median * 1e3, r.fastest * 1e3, r.bytes / r.median / 1e9,
      r.of_limit(), r.limit_seconds * 1e3, r.limit_is_memory ? "memory" : "arithmetic",
      r.predicted * 1e3);
}

}  // namespace lathe::cli
