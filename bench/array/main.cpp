// SPDX-License-Identifier: Apache-2.0
// How fast are lazy arrays, and whose are faster? Runs the rows, prints them, and adds them to
// results.json. tools/bench --arrays prepares what it needs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "array/array_bench.h"
#include "array/latency.h"
#include "base/diagnostics.h"
#include "device/host/limits.h"
#include "device/host/machine.h"

namespace lathe::bench {
namespace {

std::string text_of(const ArrayRow& row) { return row.row.text() + " " + name_of(row.scale); }

std::vector<ArrayRow> wanted_rows(const ArrayBenchOptions& options) {
  std::vector<ArrayRow> out;
  if (options.latency) return out;
  for (const ArrayRow& row : array_rows())
    if (options.only.empty() ? row.row.quick || !options.quick
                             : has_part(options.only, text_of(row)))
      out.push_back(row);
  return out;
}

int run_bench(const ArrayBenchOptions& options) {
  const std::vector<ArrayRow> rows = wanted_rows(options);
  const bool latency = options.latency || (options.only.empty() && !options.check);
  if (rows.empty() && !latency) {
    fmt::print(stderr, "error: no row matches --only; the rows are\n");
    for (const ArrayRow& row : array_rows()) fmt::print(stderr, "  {}\n", text_of(row));
    return 2;
  }
  ArrayBench bench(options);
  Progress progress(rows.size());
  if (options.check) {
    for (const ArrayRow& row : rows)
      if (row.scale == Scale::Small) bench.check(row, progress);
    return bench.has_failed() ? 1 : 0;
  }
  const host::Machine machine = host::measured();
  fmt::print("{}, {}, {} threads; L1 {} KiB, L2 {} KiB, L3 {} MiB\n", machine.model, machine.name,
             options.threads, machine.l1d_bytes >> 10, machine.l2_bytes >> 10,
             machine.l3_bytes >> 20);
  const std::string path = options.json.empty() ? options.out + "/results.json" : options.json;
  for (const ArrayRow& row : rows) {
    bench.run(row, progress);
    write_json(path, bench.records);  // an interrupted run keeps its rows
  }
  if (latency) {
    const std::vector<Record> found = array_latency(options);
    fmt::print("{}", latency_table(found));
    write_json(path, found);
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
  bench::ArrayBenchOptions options;
  CLI::App app("Measures lazy arrays against this machine's limits and other people's libraries.");
  app.add_option("--only", options.only,
                 "rows whose name has this in it: softmax, f32, memory, 'sort f32 '");
  app.add_option("--who", options.who, "only these beside Lathe: c, numpy, numba, jax, torch");
  app.add_flag("--quick", options.quick, "few rows of the size of memory, few rounds");
  app.add_flag("--check", options.check, "only whether all results agree, at an odd size");
  app.add_flag("--latency", options.latency, "no rows: first evaluation, overhead");
  app.add_flag("--latency-child", options.latency_child)->group("");
  app.add_option("--threads", options.threads, "default: all");
  app.add_option("--python", options.python, "runs the peers");
  app.add_option("--libraries", options.libraries, "folder of the C contenders");
  app.add_option("--peers", options.peers, "folder of peer.py");
  app.add_option("--out", options.out, "folder of results.json");
  app.add_option("--json", options.json, "a file for the results, in place of results.json");
  CLI11_PARSE(app, argc, argv);
  if (options.threads <= 0) options.threads = host::hardware_threads();
  try {
    return options.latency_child ? bench::print_array_latency() : bench::run_bench(options);
  } catch (const UserError& e) {
    std::fputs(render_text(e.diagnostic(), SourceMap()).c_str(), stderr);
  } catch (const lathe::Error& e) {
    std::fputs(e.what(), stderr);
  }
  return 1;
}
