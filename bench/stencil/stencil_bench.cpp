// SPDX-License-Identifier: Apache-2.0
#include "stencil/stencil_bench.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/diagnostics.h"
#include "stencil/groups.h"

namespace lathe::bench {
namespace {

constexpr const char* kPeers[] = {"numpy", "numba", "gt:cpu_ifirst", "gt:cpu_kfirst",
                                  "jax",   "torch", "halide",        "halide-adams"};
constexpr double kNoise = 0.97;

}  // namespace

// GT4Py has a backend for each of two layouts; in the rows of one the other takes no part.
std::vector<std::string> StencilBench::wanted_peers(const StencilRow& row) const {
  std::vector<std::string> out;
  for (const std::string who : kPeers) {
    const bool other = (who == "gt:cpu_ifirst" && row.layout == "IJK") ||
                       (who == "gt:cpu_kfirst" && row.layout == "KJI");
    if (!other && (options_.who.empty() || has_part(options_.who, who))) out.push_back(who);
  }
  return out;
}

Peer& StencilBench::peer(const std::string& who) {
  std::unique_ptr<Peer>& at = peers_[who];
  if (!at)
    at =
        std::make_unique<Peer>(who, options_.python, options_.peers + "/peer.py", options_.threads);
  return *at;
}

std::vector<std::string> StencilBench::check_small(const lathe::Stencil& stencil,
                                                   const StencilRow& row, Missing& missing) {
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

std::vector<Result> StencilBench::measure_row(const lathe::Stencil& stencil, const StencilRow& row,
                                              const std::vector<std::string>& able,
                                              Progress& progress) {
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

void StencilBench::report(const StencilRow& row, const std::vector<Result>& results,
                          const Missing& missing) {
  std::vector<Record> found = records_of(row.row, results, std::nullopt);
  for (Record& r : found) {
    if (const auto at = wrong_.find(r.who); at != wrong_.end()) r.note = at->second;
    has_failed_ |= !r.note.empty();
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
  for (const std::string& goal : missed_goals(goals, results)) missed.push_back(goal);
}

void StencilBench::run(const StencilRow& row, Progress& progress) {
  progress.begin(row.row.text());
  const lathe::Stencil stencil = load_stencil(options_.examples, *row.definition, row.row.dtype);
  Missing missing;
  const std::vector<std::string> able = check_small(stencil, row, missing);
  try {
    const std::vector<Result> results = measure_row(stencil, row, able, progress);
    progress.end();
    report(row, results, missing);
  } catch (const UserError& e) {  // a peer ended, or there is no memory: the other rows go on
    progress.end();
    has_failed_ = true;
    fmt::print("{}\n  not measured: {}\n", row.row.text(), e.diagnostic().message);
    std::erase_if(peers_, [](const auto& peer) { return !peer.second->is_ready(); });
  }
}

void StencilBench::check(const StencilRow& row, Progress& progress) {
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
  has_failed_ |= !wrong_.empty();
}

}  // namespace lathe::bench
