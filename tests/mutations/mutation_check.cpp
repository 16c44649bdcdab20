// SPDX-License-Identifier: Apache-2.0
// lathe_mutations: does the random test find deliberate mistakes? For each entry of mutations.txt,
// random programs go down the road with the mistake switched on until one fails that does not fail
// without it.
//
//   lathe_mutations                       all of them, a table, exit status 1 if one stays hidden
//   lathe_mutations NAME ... [--programs N] [--seed FIRST]

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "property/child.h"
#include "property/road_reduce.h"

namespace lathe::testing {

extern int active_mutation;
int active_mutation = 0;

namespace {

struct Mutation {
  const char *name, *file;
};
constexpr Mutation kMutations[] = {
#include "mutation_names.inc"
};

// A mistake in C text or in calls needs a compiler, others show in Loops.
bool needs_compiler(const Mutation& m) {
  return strstr(m.file, "/emit/") != nullptr || strstr(m.file, "/api/") != nullptr;
}

// What is wrong with the first program of the batch that fails with the mistake and not without it:
// "seed 4711 under random: difference: ..."; empty: nothing.
std::string find_in(int number, const std::vector<std::uint64_t>& seeds, bool compile) {
  std::vector<Trial> trials;
  active_mutation = number;
  for (std::uint64_t seed : seeds) {
    std::vector<Trial> mine;
    try {
      mine = road_trials(seed, false);
    } catch (const std::exception& e) {
      return "seed " + std::to_string(seed) + ": " + e.what();
    }
    for (Trial& t : mine) {
      t.builds.clear();
      if (compile) t.builds.push_back({"gcc", 0});
      trials.push_back(std::move(t));
    }
  }
  RoadOptions options = road_options(seeds.front());
  options.checked_every = 0;
  options.threads = {1, 3};
  const std::vector<Verdict> with = run_trials(trials, options);
  for (std::size_t t = 0; t < trials.size(); ++t) {
    if (with[t].message.empty()) continue;
    // Is it the mistake? A schedule that only a mistaken legal() accepts is refused without it.
    active_mutation = 0;
    const std::string without = run_trials({trials[t]}, options).front().message;
    active_mutation = number;
    const bool refused =
        without.find("the schedule") != without.npos || without.find("cannot live") != without.npos;
    if (!without.empty() && !refused) continue;
    return "seed " + std::to_string(trials[t].subject->c.seed) + " under " + trials[t].name + ": " +
           with[t].message.substr(0, with[t].message.find('\n'));
  }
  return "";
}

// The number of programs it took, 0 when none of `most` was enough.
std::uint64_t hunt(int number, std::uint64_t first, std::uint64_t most, std::string& how) {
  const bool compile = needs_compiler(kMutations[number - 1]);
  const std::uint64_t step = compile ? 12 : 6;
  for (std::uint64_t done = 0; done < most; done += step) {
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t s = 0; s < step; ++s) seeds.push_back(first + done + s);
    how = in_child([&] { return find_in(number, seeds, compile); }, 300);
    if (!how.empty()) return done + step;
  }
  return 0;
}

int main_of(const std::vector<std::string>& args) {
  std::uint64_t first = 1, most = 600;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--programs" && i + 1 < args.size())
      most = std::stoull(args[++i]);
    else if (args[i] == "--seed" && i + 1 < args.size())
      first = std::stoull(args[++i]);
    else
      names.push_back(args[i]);
  }
  int hidden = 0;
  const int count = static_cast<int>(std::size(kMutations));
  for (int number = 1; number <= count; ++number) {
    const Mutation& m = kMutations[number - 1];
    if (!names.empty() && std::find(names.begin(), names.end(), m.name) == names.end()) continue;
    std::string how;
    const std::uint64_t took = hunt(number, first, most, how);
    hidden += took == 0;
    if (took > 0)
      printf("%-36s within %4llu programs: %.120s\n", m.name, static_cast<unsigned long long>(took),
             how.c_str());
    else
      printf("%-36s NOT FOUND in %llu programs (%s)\n", m.name,
             static_cast<unsigned long long>(most), m.file);
    fflush(stdout);
  }
  printf("%d mutations, %d not found\n", names.empty() ? count : static_cast<int>(names.size()),
         hidden);
  return hidden == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lathe::testing

int main(int argc, char** argv) {
  try {
    return lathe::testing::main_of(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
