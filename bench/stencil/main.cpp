// SPDX-License-Identifier: Apache-2.0
// How close to the machine's limit do stencils come, and whose come closer? Runs the rows, prints
// them, and adds them to results.json. tools/bench --stencils prepares what it needs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/diagnostics.h"
#include "device/host/limits.h"
#include "device/host/machine.h"
#include "stencil/latency.h"
#include "stencil/stencil_bench.h"

namespace lathe::bench {
namespace {

// --quick leaves few of the rows that --only asks for, unless these are rows that it never has.
std::vector<StencilRow> wanted_rows(const StencilBenchOptions& options) {
  std::vector<StencilRow> all, few;
  if (options.latency) return all;
  for (const StencilRow& row : stencil_rows()) {
    if (!options.only.empty() && !has_part(options.only, row.row.text())) continue;
    all.push_back(row);
    if (row.row.quick) few.push_back(row);
  }
  return options.quick && !few.empty() ? few : all;
}

int run_bench(const StencilBenchOptions& options) {
  const std::vector<StencilRow> rows = wanted_rows(options);
  const bool latency = options.latency || (options.only.empty() && !options.check);
  if (rows.empty() && !latency) {
    fmt::print(stderr, "error: no row matches --only; the rows are\n");
    for (const StencilRow& row : stencil_rows()) fmt::print(stderr, "  {}\n", row.row.text());
    return 2;
  }
  StencilBench bench(options);
  Progress progress(rows.size());
  if (options.check) {
    for (const StencilRow& row : rows)
      if (row.domain[0] == 256) bench.check(row, progress);
    return bench.has_failed() ? 1 : 0;
  }
  const host::Machine machine = host::measured();
  fmt::print("{}, {}, {} threads; L1 {} KiB, L2 {} KiB, L3 {} MiB\n", machine.model, machine.name,
             options.threads, machine.l1d_bytes >> 10, machine.l2_bytes >> 10,
             machine.l3_bytes >> 20);
  const std::string path = options.out + "/results.json";
  const auto save = [&](const std::vector<Record>& found) { write_json(path, found); };
  for (const StencilRow& row : rows) {
    bench.run(row, progress);
    save(bench.records);  // an interrupted run keeps its rows
  }
  if (latency) {
    const std::vector<Record> found = stencil_latency(options);
    fmt::print("{}", latency_table(found));
    save(found);
  }
  if (!rows.empty())
    fmt::print("\n{}", bench.missed.empty() ? "every goal of these rows is reached\n"
                                            : "goals that are missed:\n");
  for (const std::string& line : bench.missed) fmt::print("  {}\n", line);
  return bench.has_failed() ? 1 : 0;
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  using namespace lathe;
  bench::StencilBenchOptions options;
  CLI::App app("Measures stencils against this machine's limits and other people's compilers.");
  app.add_option("--only", options.only,
                 "rows whose name has this in it: hdiff, f32, KJI, 'vadv f64 256'");
  app.add_option("--who", options.who, "only these peers: numba, gt:cpu_ifirst, halide ...");
  app.add_flag("--quick", options.quick, "one size and layout, few rounds");
  app.add_flag("--check", options.check, "only whether all results agree, at a small size");
  app.add_flag("--latency", options.latency, "no rows: compile time, call overhead");
  app.add_option("--latency-child", options.latency_child)->group("");
  app.add_option("--threads", options.threads, "default: all");
  app.add_option("--python", options.python, "runs the peers");
  app.add_option("--examples", options.examples, "folder of the stencils");
  app.add_option("--libraries", options.libraries, "folder of GridTools' shared objects");
  app.add_option("--peers", options.peers, "folder of peer.py");
  app.add_option("--out", options.out, "folder of results.json");
  CLI11_PARSE(app, argc, argv);
  if (options.threads <= 0) options.threads = host::hardware_threads();
  try {
    return options.latency_child.empty() ? bench::run_bench(options)
                                         : bench::print_latency(options);
  } catch (const UserError& e) {
    std::fputs(render_text(e.diagnostic(), SourceMap()).c_str(), stderr);
  } catch (const lathe::Error& e) {
    std::fputs(e.what(), stderr);
  }
  return 1;
}
