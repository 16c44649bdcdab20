// SPDX-License-Identifier: Apache-2.0
#include "road_trials.h"

#include <algorithm>

#include "api/compiled.h"
#include "child.h"
#include "interp/loops_interpreter.h"
#include "ir/detach.h"
#include "pipeline.h"
#include "random_schedule.h"
#include "road_run.h"
#include "schedule/default_schedule.h"

namespace lathe::testing {
namespace {

// A trial on its way.
struct Underway {
  const Trial* trial = nullptr;
  std::unique_ptr<api::Compiled> compiled, checked;
  api::VariantKey key;
  Verdict verdict;

  const Case& c() const { return trial->subject->c; }
};

std::string where(const std::string& how, const RoadRun& run) {
  return how + (run.sizes.empty() ? "" : ", " + text(run.sizes)) + ": ";
}

// "difference: 'v' ..." -> "difference: gcc -O3, n=17: 'v' ..."
std::string placed_at(const std::string& message, const std::string& place) {
  const std::size_t colon = message.find(": ");
  return message.substr(0, colon + 2) + place + message.substr(colon + 2);
}

std::string run_loops(Underway& u) {
  const loops::Kernel& kernel = u.compiled->variant(u.key).kernel;
  for (const RoadRun& run : u.trial->subject->runs) {
    interp::State state = run.start;
    interp::LoopsOptions how;
    how.poison = true;
    how.seed = u.c().seed;
    // A schedule may compute everything a thousand times. Compiled kernels do that in no time.
    how.operation_cap = 5'000'000;
    try {
      interp::run(kernel, state, how);
    } catch (const interp::TooLong&) {
      continue;
    } catch (const std::exception& e) {
      return "error: " + where("loops", run) + e.what();
    }
    const std::string d = difference(u.c().program, run.wanted, state);
    if (!d.empty()) return "difference: " + where("loops", run) + d;
  }
  return "";
}

// From the program to Loops and C text, and Loops by their interpreter.
void make_ready(Underway& u, const RoadOptions& options, bool checked) {
  api::CompileOptions how;
  how.lockfile_text = u.trial->lockfile;
  how.vector_bytes = options.vector_bytes;
  if (options.stream) how.stream_above = -1;
  try {
    u.compiled = std::make_unique<api::Compiled>(u.c().program, how);
    u.key = road_key(*u.compiled, u.c().seed, options.stream);
    u.verdict.message = run_loops(u);
    if (!checked) return;
    how.checked = true;
    // Without a lockfile it also finds what nobody wrote, and what is written twice: nothing here.
    if (u.trial->name == "plain") how.lockfile_text.clear();
    u.checked = std::make_unique<api::Compiled>(u.c().program, how);
    u.checked->variant(u.key);
  } catch (const std::exception& e) {
    u.verdict.message = std::string("error: ") + e.what();
  }
}

std::string run_all(Underway& u, api::Compiled& compiled, Entry entry, const std::string& how,
                    const std::vector<int>& threads) {
  compiled.adopt(u.key, entry);
  return in_child([&]() -> std::string {
    for (int n : threads)
      for (const RoadRun& run : u.trial->subject->runs) {
        const std::string message = run_compiled(compiled, u.c(), run, n);
        if (!message.empty())
          return placed_at(message, where(how + ", " + std::to_string(n) + " threads", run));
      }
    return "";
  });
}

// Everything that is due in one build, in one file. A file that does not compile is the fault of
// one of them: then each is tried alone.
void run_build(std::vector<Underway*> due, const Build& build, const RoadOptions& options,
               bool checked) {
  if (due.empty()) return;
  const std::string how = text(build) + (checked ? " checked" : "");
  KernelBatch batch;
  const auto of = [&](Underway& u) -> api::Compiled& { return checked ? *u.checked : *u.compiled; };
  for (Underway* u : due) batch.add(of(*u).variant(u->key).code);
  emit::EmitOptions print;
  print.checked = checked;
  if (options.vector_bytes > 0) print.vector_bytes = options.vector_bytes;
  std::vector<Entry> entries;
  try {
    entries = batch.compile(build, print);
  } catch (const UserError& e) {
    if (due.size() > 1) {
      for (Underway* u : due) run_build({u}, build, options, checked);
      return;
    }
    std::string words = e.what();
    for (const Note& n : e.diagnostic().notes) words += "\n" + n.message;
    due.front()->verdict = {"error: " + how + ": " + words, build, checked};
    return;
  }
  for (std::size_t k = 0; k < due.size(); ++k)
    due[k]->verdict = {run_all(*due[k], of(*due[k]), entries[k], how, options.threads), build,
                       checked};
}

}  // namespace

std::vector<Build> all_builds() {
  std::vector<Build> list;
  for (const Build& b : {Build{"gcc", 0}, Build{"gcc", 3}, Build{"clang", 3}})
    if (is_available(b)) list.push_back(b);
  return list;
}

RoadOptions road_options(std::uint64_t seed) {
  Rng rng(seed ^ 0x09710);
  RoadOptions options;
  options.checked_every = 8;
  constexpr int kBytes[] = {0, 0, 0, 32, 16};
  options.vector_bytes = rng.pick(kBytes);
  options.stream = rng.percent(30);
  return options;
}

std::vector<Verdict> run_trials(const std::vector<Trial>& trials, const RoadOptions& options) {
  std::vector<Underway> all(trials.size());
  for (std::size_t t = 0; t < trials.size(); ++t) {
    all[t].trial = &trials[t];
    if (options.begins) options.begins(trials[t]);
    const auto every = static_cast<std::size_t>(options.checked_every);
    make_ready(all[t], options, every > 0 && t % every == 0);
  }
  std::vector<Build> builds;
  for (const Trial& t : trials)
    for (const Build& b : t.builds)
      if (std::find(builds.begin(), builds.end(), b) == builds.end()) builds.push_back(b);
  for (const Build& build : builds) {
    std::vector<Underway*> due;
    for (Underway& u : all) {
      const auto& wanted = u.trial->builds;
      if (u.verdict.message.empty() &&
          std::find(wanted.begin(), wanted.end(), build) != wanted.end())
        due.push_back(&u);
    }
    run_build(std::move(due), build, options, false);
  }
  std::vector<Underway*> checked;
  for (Underway& u : all)
    if (u.checked && u.verdict.message.empty()) checked.push_back(&u);
  run_build(std::move(checked), {"gcc", 0}, options, true);
  std::vector<Verdict> verdicts;
  for (Underway& u : all) verdicts.push_back(std::move(u.verdict));
  return verdicts;
}

std::string tree_text(schedule::Schedule s) {
  s.parts.clear();
  return schedule::print(s);
}

std::vector<Trial> road_trials(std::uint64_t seed, bool everything) {
  const std::shared_ptr<const Subject> subject = road_subject(seed);
  // Names depend on the program alone, so a schedule made for one copy fits another.
  const ir::Program prepared = run_preparation(run_pipeline(ir::detach(subject->c.program)));
  const std::vector<Build> builds = all_builds();
  std::vector<Trial> trials;
  const auto add = [&](const std::string& name, const schedule::Schedule& s) {
    const std::string lockfile = tree_text(s);
    for (const Trial& t : trials)
      if (t.lockfile == lockfile) return;
    trials.push_back({subject, lockfile, name, {}});
  };
  Rng rng(seed ^ 0x5c4ed);
  if (everything || seed % 3 == 0) add("plain", schedule::plain_schedule(prepared));
  add("default", schedule::default_schedule(prepared, random_machine(rng)));
  add("random", random_schedule(prepared, rng));
  // gcc -O3 takes seven times as long as gcc -O0, clang -O3 three times.
  constexpr std::size_t kTurns[] = {0, 2, 0, 1, 0, 2};
  for (std::size_t t = 0; t < trials.size(); ++t)
    for (std::size_t b = 0; b < builds.size(); ++b)
      if (everything || kTurns[(seed + t) % std::size(kTurns)] % builds.size() == b)
        trials[t].builds.push_back(builds[b]);
  return trials;
}

}  // namespace lathe::testing
