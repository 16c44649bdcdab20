// SPDX-License-Identifier: Apache-2.0
#include "array/array_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/diagnostics.h"

namespace lathe::bench {
namespace {

constexpr const char* kPeers[] = {"numpy", "numba", "jax", "torch"};
constexpr double kNoise = 0.97;

double rounding_for(const ArrayRow& row) {
  return rounding_of(row.row.dtype) * row.formula->rounding_times;
}

}  // namespace

bool ArrayBench::wants(const std::string& who) const {
  const auto& all = options_.who;
  return all.empty() || std::find(all.begin(), all.end(), who) != all.end();
}

// Lathe first: its results are what the others' are compared with.
std::vector<std::unique_ptr<Contender>> ArrayBench::everybody(const ArrayRow& row,
                                                              const ArrayData& data,
                                                              Missing& missing) {
  std::vector<std::unique_ptr<Contender>> out;
  out.push_back(make_lathe(row, data, options_.threads));
  const std::string type = row.row.dtype == "f32" ? "float" : "double";
  const auto add_c = [&](const char* who, const std::string& library) {
    if (!wants(who)) return;
    if (auto made = make_c(who, options_.libraries + "/" + library, row, data))
      out.push_back(std::move(made));
    else
      missing.emplace_back(who, library + " has no such function, or is not there");
  };
  add_c("c", "array_" + type + ".so");
  if (row.row.by_hand && row.scale == Scale::Memory) add_c("hand", "by_hand.so");
  for (const std::string who : kPeers) {
    if (!wants(who)) continue;
    if (options_.python.empty()) {
      missing.emplace_back(who, "no Python with NumPy was found");
      continue;
    }
    std::unique_ptr<Peer>& peer = peers_[who];
    if (!peer)
      peer = std::make_unique<Peer>(who, options_.python, options_.peers + "/peer.py",
                                    options_.threads);
    std::string why;
    try {
      if (auto made = make_peer(*peer, row, why))
        out.push_back(std::move(made));
      else
        missing.emplace_back(who, why);
    } catch (const UserError& e) {
      missing.emplace_back(who, e.diagnostic().message);
      peers_.erase(who);  // the next row starts it again
    }
  }
  return out;
}

std::string ArrayBench::difference_at_odd_size(const ArrayRow& row, Missing& missing) {
  constexpr std::size_t kAll = 100'000;
  ArrayRow odd = row;
  odd.scale = Scale::Odd;
  odd.repeat = 1;
  ArrayData data(*row.formula, row.row.dtype, odd.scale);
  std::vector<double> expected;
  std::string out;
  for (const auto& contender : everybody(odd, data, missing)) {
    data.poison();
    std::vector<double> got;
    try {
      contender->run();
      got = contender->sample(kAll);
    } catch (const UserError& e) {
      out += contender->who + ": " + e.diagnostic().message + "; ";
      peers_.erase(contender->who);
      continue;
    }
    if (contender->who == "lathe") expected = got;
    const std::string apart = difference(expected, got, rounding_for(row));
    if (!apart.empty()) out += contender->who + ": " + apart + "; ";
  }
  return out;
}

void ArrayBench::report(const ArrayRow& row, const std::vector<Result>& results,
                        const Missing& missing) {
  std::vector<Record> found = records_of(row.row, results, std::nullopt);
  for (const Record& r : found) has_failed_ |= !r.note.empty();
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
    if (r.who != "limit" && r.who != "lathe" && r.who != "hand")
      goals.goals.push_back({r.who, kNoise});
  for (const std::string& goal : missed_goals(goals, results)) missed.push_back(goal);
}

void ArrayBench::run(const ArrayRow& row, Progress& progress) {
  progress.begin(row.row.text());
  try {
    const std::string key = row.formula->name + row.row.dtype;
    if (!checked_.count(key)) {
      Missing ignored;
      checked_[key] = difference_at_odd_size(row, ignored);
    }
    Plan plan{.rounds = 9, .seconds = 3, .slow = 0.3};
    if (options_.quick) plan = {.rounds = 5, .seconds = 1, .slow = 0.3};
    plan.rounding = rounding_for(row);
    Missing missing;
    ArrayData data(*row.formula, row.row.dtype, row.scale);
    std::vector<std::unique_ptr<Contender>> all = everybody(row, data, missing);
    if (has_limit(row)) all.insert(all.begin(), make_limit(row.row, options_.threads));
    const auto reset = [&] { data.poison(); };
    const auto tick = [&](int done, int of) { progress.round(done, of); };
    const std::vector<Result> results = measure(all, reset, plan, tick);
    progress.end();
    report(row, results, missing);
    if (!checked_[key].empty()) {
      has_failed_ = true;
      fmt::print("  WRONG at an odd size: {}\n", checked_[key]);
    }
    for (const auto& [who, peer] : peers_)
      if (peer->is_ready()) peer->ask("drop");
  } catch (const UserError& e) {  // a peer ended, or there is no memory: the other rows go on
    progress.end();
    has_failed_ = true;
    fmt::print("{}\n  not measured: {}\n", row.row.text(), e.diagnostic().message);
    std::erase_if(peers_, [](const auto& peer) { return !peer.second->is_ready(); });
  }
}

void ArrayBench::check(const ArrayRow& row, Progress& progress) {
  progress.begin(row.row.text());
  Missing missing;
  const std::string apart = difference_at_odd_size(row, missing);
  progress.end();
  fmt::print("{} {}: {}\n", row.formula->name, row.row.dtype,
             apart.empty() ? "all agree" : "WRONG: " + apart);
  for (const auto& [who, why] : missing) fmt::print("  missing: {} ({})\n", who, why);
  std::fflush(stdout);
  has_failed_ |= !apart.empty();
}

}  // namespace lathe::bench
