// SPDX-License-Identifier: Apache-2.0
// How close to the machine's limit does Lathe come, and who comes closer? Runs the rows, one after
// the other, prints them, and writes results.json. tools/bench prepares what it needs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "api/predict.h"
#include "device/host/limits.h"
#include "device/host/machine.h"
#include "road/check_small.h"
#include "road/contender.h"
#include "road/latency.h"
#include "road/measure.h"
#include "road/options.h"
#include "road/records.h"

namespace lathe::bench {
namespace {

bool is_wanted(const Row& row, const Options& options) {
  if (options.only.empty()) return row.quick || !options.quick;
  return has_part(options.only, row.text());
}

// On a busy machine one measurement is worth little: several, until one was left alone.
host::Machine measured_well() {
  host::Machine out = host::measured(true);
  for (int i = 0; i < 3 && out.hurried; ++i) host::keep_better(out, host::measured(true));
  return out;
}

struct Bench {
  const Options& options;
  const host::Machine& machine;
  std::vector<std::unique_ptr<Peer>> peers;
  std::vector<Record> records;
  std::vector<std::string> missed, missing;
  bool wrong = false;

  void start_peers() {
    for (const char* who : {"numpy", "openblas", "torch"}) {
      if (options.python.empty()) {
        missing.push_back(fmt::format("{} is missing: no Python with NumPy was found", who));
        continue;
      }
      auto peer =
          std::make_unique<Peer>(who, options.python, options.peers + "/peer.py", options.threads);
      if (peer->is_ready()) {
        fmt::print("{}: {}\n", who, peer->what());
        peers.push_back(std::move(peer));
      } else {
        missing.push_back(fmt::format("{} is missing: {}", who, peer->what()));
      }
    }
  }

  // In matrix products NumPy is OpenBLAS.
  bool takes_part(const Peer& peer, const Row& row) const {
    if (peer.who() == "numpy") return !row.blas;
    return peer.who() == "torch" ? row.torch : row.blas;
  }

  void run(const Row& row, Progress& progress) {
    progress.begin(row.text());
    const ir::Program program = load_program(options.programs, row.bench, row.dtype);
    api::Compiled compiled(program);
    const std::string difference = check_small(program, compiled, row, options.threads);
    Workspace space(program, row.sizes);
    std::vector<std::unique_ptr<Contender>> contenders;
    contenders.push_back(make_limit(row, options.threads));
    const std::string type = row.dtype == "f32" ? "float" : "double";
    const auto add = [&](std::unique_ptr<Contender> contender, const char* who) {
      if (contender)
        contenders.push_back(std::move(contender));
      else
        missing.push_back(fmt::format("{}: {} is missing", row.text(), who));
    };
    add(make_c("c", options.libraries + "/straightforward_" + type + ".so", row, space), "c");
    add(make_lathe(compiled, space, options.threads), "lathe");
    if (row.by_hand) add(make_c("hand", options.libraries + "/by_hand.so", row, space), "hand");
    for (const auto& peer : peers)
      if (takes_part(*peer, row)) add(peer->make(row, space), peer->who().c_str());

    const schedule::Cost cost = api::predict(compiled, row.sizes, machine, options.threads);
    Plan plan;
    if (options.quick) plan = {.rounds = 5, .seconds = 1.5};
    plan.rounding = rounding_of(row.dtype);
    const auto tick = [&](int done, int of) { progress.round(done, of); };
    const std::vector<Result> results = measure(
        contenders, [&] { space.reset(); }, plan, tick);
    progress.end();
    std::vector<Record> found = records_of(row, results, cost.seconds);
    for (Record& r : found) {
      if (r.who == "lathe" && r.note.empty()) r.note = difference;
      wrong |= !r.note.empty();
    }
    fmt::print("{}", table_of(row, found));
    std::fflush(stdout);
    records.insert(records.end(), found.begin(), found.end());
    for (const std::string& goal : missed_goals(row, results)) missed.push_back(goal);
  }
};

void run_latency(Bench& bench) {
  for (const auto part : {compile_latency, compile_statements, call_overhead, peak_memory}) {
    const std::vector<Record> found = part(bench.options);
    fmt::print("{}", latency_table(found));
    std::fflush(stdout);
    bench.records.insert(bench.records.end(), found.begin(), found.end());
  }
}

void print_predictions(const std::vector<Row>& rows, const host::Machine& machine,
                       const Options& options) {
  for (const Row& row : rows) {
    const ir::Program program = load_program(options.programs, row.bench, row.dtype);
    const api::Compiled compiled(program);
    fmt::print("{}\n{}", row.text(),
               schedule::to_text(api::predict(compiled, row.sizes, machine, options.threads)));
  }
}

int run_bench(const Options& options) {
  std::vector<Row> rows;
  for (const Row& row : all_rows())
    if (!options.latency && is_wanted(row, options)) rows.push_back(row);
  const bool latency = options.latency || (options.only.empty() && !options.predict);
  if (rows.empty() && !latency) {
    fmt::print(stderr, "error: no row matches --only; the rows are\n");
    for (const Row& row : all_rows()) fmt::print(stderr, "  {}\n", row.text());
    return 2;
  }
  const host::Machine machine = measured_well();
  if (options.predict) {
    print_predictions(rows, machine, options);
    return 0;
  }
  fmt::print("{}, {}, {} threads; L1 {} KiB, L2 {} KiB, L3 {} MiB\n", machine.model, machine.name,
             options.threads, machine.l1d_bytes >> 10, machine.l2_bytes >> 10,
             machine.l3_bytes >> 20);
  Bench bench{options, machine, {}, {}, {}, {}};
  if (!rows.empty()) bench.start_peers();
  for (const std::string& line : bench.missing) fmt::print("{}\n", line);
  const std::size_t told = bench.missing.size();
  Progress progress(rows.size());
  for (const Row& row : rows) {
    bench.run(row, progress);
    write_json(options.out + "/results.json", bench.records);  // an interrupted run keeps its rows
  }
  if (latency) {
    run_latency(bench);
    write_json(options.out + "/results.json", bench.records);
  }
  for (std::size_t i = told; i < bench.missing.size(); ++i) fmt::print("{}\n", bench.missing[i]);
  if (!rows.empty())
    fmt::print("\n{}", bench.missed.empty() ? "every goal of these rows is reached\n"
                                            : "goals that are missed:\n");
  for (const std::string& line : bench.missed) fmt::print("  {}\n", line);
  return bench.wrong ? 1 : 0;
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  using namespace lathe;
  bench::Options options;
  CLI::App app("Measures Lathe against this machine's limits and other people's code.");
  app.add_option("--only", options.only,
                 "rows whose name has this in it: hdiff, f32, 'matmul f64 512'");
  app.add_flag("--quick", options.quick, "fewer rows, fewer rounds");
  app.add_flag("--latency", options.latency, "no rows: compile time, call overhead, memory");
  app.add_flag("--predict", options.predict, "measures nothing, shows what the cost model says");
  app.add_flag("--memory-child", options.memory_child)->group("");
  app.add_option("--threads", options.threads, "default: all");
  app.add_option("--python", options.python, "runs the peers");
  app.add_option("--programs", options.programs, "folder of the programs");
  app.add_option("--libraries", options.libraries, "folder of the C contenders");
  app.add_option("--peers", options.peers, "folder of peer.py");
  app.add_option("--out", options.out, "folder of results.json");
  CLI11_PARSE(app, argc, argv);
  if (options.threads <= 0) options.threads = host::hardware_threads();
  try {
    return options.memory_child ? bench::print_memory(options) : bench::run_bench(options);
  } catch (const UserError& e) {
    std::fputs(render_text(e.diagnostic(), SourceMap()).c_str(), stderr);
    return 1;
  }
}
