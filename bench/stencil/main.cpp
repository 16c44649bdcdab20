// SPDX-License-Identifier: Apache-2.0
// How close to the machine's limit do stencils come, and whose come closer? Runs the rows, prints
// them, and adds them to results.json. tools/bench --stencils prepares what it needs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "base/diagnostics.h"
#include "device/host/limits.h"
#include "device/host/machine.h"
#include "road/options.h"
#include "road/records.h"
#include "stencil/contenders.h"
#include "stencil/groups.h"
#include "stencil/latency.h"
#include "stencil/options.h"

namespace lathe::bench {
namespace {

constexpr const char* kPeers[] = {"numpy", "numba", "gt:cpu_ifirst", "gt:cpu_kfirst",
                                  "jax",   "torch", "halide",        "halide-adams"};
constexpr double kNoise = 0.97;

bool has_part(const std::vector<std::string>& parts, const std::string& text) {
  for (const std::string& part : parts)
    if ((" " + text + " ").find(part) != std::string::npos) return true;
  return false;
}

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

using Missing = std::vector<std::pair<std::string, std::string>>;  // who, and why

class StencilBench {
 public:
  explicit StencilBench(const StencilBenchOptions& options) : options_(options) {}

  // Peers start with the first row that wants them: some take seconds for it.
  void run(const StencilRow& row, Progress& progress) {
    progress.begin(row.row.text());
    const lathe::Stencil stencil = load_stencil(options_.examples, *row.definition, row.row.dtype);
    Missing missing;
    const std::vector<std::string> able = check_small(stencil, row, missing);
    const std::vector<Result> results = measure_row(stencil, row, able, progress);
    progress.end();
    std::vector<Record> found = records_of(row.row, results, std::nullopt);
    for (Record& r : found) {
      if (const auto at = wrong_.find(r.who); at != wrong_.end()) r.note = at->second;
      is_wrong_ |= !r.note.empty();
    }
    fmt::print("{}", table_of(row.row, found));
    std::string line;
    for (const auto& [who, why] : missing) {
      line += fmt::format("{}{} ({})", line.empty() ? "  missing: " : ", ", who, why);
      found.push_back(missing_record(row.row, who, why));
    }
    if (!line.empty()) fmt::print("{}\n", line);
    std::fflush(stdout);
    records.insert(records.end(), found.begin(), found.end());
    Row goals = row.row;
    for (const Result& r : results)
      if (r.who != "limit" && r.who != "lathe") goals.goals.push_back({r.who, kNoise});
    for (const std::string& line : missed_goals(goals, results)) missed.push_back(line);
  }

  // Small sizes only: no times.
  void check(const StencilRow& row, Progress& progress) {
    progress.begin(row.row.text());
    const lathe::Stencil stencil = load_stencil(options_.examples, *row.definition, row.row.dtype);
    Missing missing;
    std::string able;
    for (const std::string& who : check_small(stencil, row, missing)) able += " " + who;
    progress.end();
    fmt::print("{} {} {}: agree with lathe:{}\n", row.definition->name, row.row.dtype, row.layout,
               able);
    for (const auto& [who, how] : wrong_) fmt::print("  WRONG: {}, {}\n", who, how);
    for (const auto& [who, why] : missing) fmt::print("  missing: {} ({})\n", who, why);
    std::fflush(stdout);
    is_wrong_ |= !wrong_.empty();
  }

  bool is_wrong() const { return is_wrong_; }

  std::vector<Record> records;
  std::vector<std::string> missed;

 private:
  // GT4Py has a backend for each of two layouts; in the rows of one the other takes no part.
  std::vector<std::string> wanted_peers(const StencilRow& row) const {
    std::vector<std::string> out;
    for (const std::string who : kPeers) {
      const bool other = (who == "gt:cpu_ifirst" && row.layout == "IJK") ||
                         (who == "gt:cpu_kfirst" && row.layout == "KJI");
      if (!other && (options_.who.empty() || has_part(options_.who, who))) out.push_back(who);
    }
    return out;
  }

  Peer& peer(const std::string& who) {
    std::unique_ptr<Peer>& at = peers_[who];
    if (!at)
      at = std::make_unique<Peer>(who, options_.python, options_.peers + "/peer.py",
                                  options_.threads);
    return *at;
  }

  // Everybody at a small size: who can run the row at all, and whose results differ from Lathe's.
  std::vector<std::string> check_small(const lathe::Stencil& stencil, const StencilRow& row,
                                       Missing& missing) {
    wrong_.clear();
    constexpr auto kAll =
        static_cast<std::size_t>(kSmallDomain[0] * kSmallDomain[1] * kSmallDomain[2]);
    const double rounding = rounding_of(row.row.dtype) * row.definition->rounding_times;
    Fields fields(*row.definition, row.row.dtype, row.layout, kSmallDomain);
    make_lathe(stencil, row, fields, options_.threads)->run();
    const std::vector<double> expected = fields.sample(kAll);
    std::vector<std::string> able;
    const auto check = [&](const std::string& who, auto&& make) {
      std::string why;
      try {
        fields.restore();
        fields.poison();
        const std::unique_ptr<Contender> contender = make(why);
        if (!contender) return missing.emplace_back(who, why), void();
        contender->run();
        const std::string apart =
            fields.difference(expected, contender->sample(kAll), kAll, rounding);
        if (!apart.empty()) wrong_[who] = "at a small size, " + apart;
        if (apart.empty() || !options_.check) able.push_back(who);
      } catch (const UserError& e) {
        missing.emplace_back(who, e.diagnostic().message);
        peers_.erase(who);  // the next row starts it again
      }
    };
    if (options_.who.empty() || has_part(options_.who, "gridtools"))
      check("gridtools",
            [&](std::string& why) { return make_gridtools(options_.libraries, row, fields, why); });
    for (const std::string& who : wanted_peers(row))
      check(who, [&](std::string& why) -> std::unique_ptr<Contender> {
        if (options_.python.empty()) return why = "no Python with NumPy was found", nullptr;
        return make_peer(peer(who), options_.examples, row, kSmallDomain, why);
      });
    return able;
  }

  std::vector<Result> measure_row(const lathe::Stencil& stencil, const StencilRow& row,
                                  const std::vector<std::string>& able, Progress& progress) {
    Plan plan{.rounds = 9, .seconds = 8, .slow = 0.6};
    if (options_.quick) plan = {.rounds = 5, .seconds = 2, .slow = 0.6};
    plan.rounding = rounding_of(row.row.dtype) * row.definition->rounding_times;
    Fields fields(*row.definition, row.row.dtype, row.layout, row.domain);
    const auto reset = [&] {
      fields.restore();
      fields.poison();
    };
    std::vector<std::string> others(able.begin(), able.end());
    const bool gridtools = !others.empty() && others.front() == "gridtools";
    if (gridtools) others.erase(others.begin());
    const std::size_t size = peers_at_once(row);
    const std::size_t groups = std::max<std::size_t>(1, (others.size() + size - 1) / size);
    std::vector<Result> all;
    for (std::size_t g = 0; g < groups; ++g) {
      std::string why;
      std::vector<std::unique_ptr<Contender>> contenders;
      contenders.push_back(make_limit(row.row, options_.threads));
      contenders.push_back(make_lathe(stencil, row, fields, options_.threads));
      if (g == 0 && gridtools)
        contenders.push_back(make_gridtools(options_.libraries, row, fields, why));
      const std::size_t end = std::min(others.size(), (g + 1) * size);
      for (std::size_t i = g * size; i < end; ++i)
        if (auto made = make_peer(peer(others[i]), options_.examples, row, row.domain, why))
          contenders.push_back(std::move(made));
      const auto tick = [&](int done, int of) {
        progress.round(static_cast<int>(g) * of + done, static_cast<int>(groups) * of);
      };
      append(all, measure(contenders, reset, plan, tick));
      for (std::size_t i = g * size; i < end; ++i) peer(others[i]).ask("drop");
    }
    return all;
  }

  static Record missing_record(const Row& row, const std::string& who, const std::string& why) {
    Record record{.bench = row.bench, .dtype = row.dtype, .size = row.size_text, .who = who};
    record.missing = why.empty() ? "no reason given" : why;
    return record;
  }

  const StencilBenchOptions& options_;
  std::map<std::string, std::unique_ptr<Peer>> peers_;
  std::map<std::string, std::string> wrong_;  // of the row: who, and how
  bool is_wrong_ = false;
};

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
    return bench.is_wrong() ? 1 : 0;
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
  return bench.is_wrong() ? 1 : 0;
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
