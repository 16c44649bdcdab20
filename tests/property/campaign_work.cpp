// SPDX-License-Identifier: Apache-2.0
#include "campaign_work.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "harness.h"
#include "reduce.h"
#include "road_reduce.h"

namespace lathe::testing {
namespace {

using Json = nlohmann::json;

void say(int fd, const Json& event) {
  const std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t n = write(fd, line.data() + at, line.size() - at);
    if (n <= 0) _exit(3);
    at += static_cast<std::size_t>(n);
  }
}

Json failure(const std::string& check, const std::string& message, const std::string& text) {
  return {{"check", check}, {"message", message}, {"text", text}};
}

// ---- Passes.

Json check_passes(const WorkSettings& settings, std::uint64_t seed) {
  Json failures = Json::array();
  try {
    const Case c = affordable(random_case(seed));
    for (const Check& check : all_checks()) {
      if (!settings.check.empty() && settings.check != check.name) continue;
      const std::string message = run_check(check, c);
      if (message.empty()) continue;
      if (check.name == "verify" || check.name == "interpret") {  // nothing else can be trusted
        failures.push_back(failure(check.name, message, describe(c, check.name, message)));
        break;
      }
      Case small = c;
      if (settings.tries > 0)
        small = reduce(c, fails_like(check, message), 4 * settings.tries).smallest;
      const std::string again = run_check(check, small);
      const std::string& shown = again.empty() ? message : again;
      failures.push_back(failure(check.name, shown, describe(small, check.name, shown)));
    }
  } catch (const std::exception& e) {
    failures.push_back(failure("generate", e.what(), ""));
  }
  return failures;
}

// ---- Targets.

// Seeds whose programs share C files.
class RoadBatch {
 public:
  RoadBatch(const WorkSettings& settings, int fd) : settings_(settings), fd_(fd) {}

  void run(const std::vector<std::uint64_t>& seeds) {
    std::vector<Trial> trials;
    std::map<std::uint64_t, Json> failures;
    for (std::uint64_t seed : seeds) {
      say(fd_, {{"begin", seed}});
      failures[seed] = Json::array();
      try {
        for (Trial& t : road_trials(seed, settings_.everything))
          if (settings_.check.empty() || settings_.check == t.name) trials.push_back(std::move(t));
      } catch (const std::exception& e) {
        failures[seed].push_back(failure("schedule", e.what(), ir_text(seed)));
      }
    }
    RoadOptions options = road_options(seeds.front());
    options.begins = [this](const Trial& t) { say(fd_, {{"begin", t.subject->c.seed}}); };
    const std::vector<Verdict> verdicts = run_trials(trials, options);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      if (verdicts[t].message.empty()) continue;
      const std::uint64_t seed = trials[t].subject->c.seed;
      say(fd_, {{"begin", seed}});
      failures[seed].push_back(report(trials[t], verdicts[t], options));
    }
    for (const auto& [seed, list] : failures) say(fd_, {{"done", seed}, {"failures", list}});
  }

 private:
  static std::string ir_text(std::uint64_t seed) {
    return describe(road_case(seed), "schedule", "");
  }

  // The first few of a kind are reduced: that takes longer than the rest of a batch.
  Json report(const Trial& t, const Verdict& v, const RoadOptions& options) {
    const bool is_new = ++seen_[kind_of(v.message)] <= 4 && settings_.tries > 0;
    SmallTrial small{t, v, options};
    if (is_new) small = reduce_trial(t, v, options, settings_.tries);
    return failure(t.name, v.message, to_file(small));
  }

  const WorkSettings& settings_;
  int fd_;
  std::map<std::string, int> seen_;
};

}  // namespace

std::vector<std::string> check_names(const WorkSettings& settings) {
  if (settings.targets) return {"plain", "default", "random"};
  std::vector<std::string> names;
  for (const Check& c : all_checks()) names.push_back(c.name);
  return names;
}

void work(const WorkSettings& settings, const std::vector<std::uint64_t>& seeds, int fd) {
  if (settings.targets) {
    RoadBatch batch(settings, fd);
    for (std::size_t at = 0; at < seeds.size(); at += settings.batch) {
      const auto begin = seeds.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t n = std::min(settings.batch, seeds.size() - at);
      batch.run({begin, begin + static_cast<std::ptrdiff_t>(n)});
    }
    return;
  }
  for (std::uint64_t seed : seeds) {
    say(fd, {{"begin", seed}});
    const Json failures = check_passes(settings, seed);
    say(fd, {{"done", seed}, {"failures", failures}});
  }
  Json use = Json::array();
  for (const Usage& u : transform_usage())
    use.push_back({{"name", u.name}, {"asked", u.asked}, {"applied", u.applied}});
  say(fd, {{"usage", use}});
}

int replay(const std::string& path) {
  const std::vector<Trial> trials = read_trials(path);
  int failing = 0;
  for (bool stream : {false, true})
    for (int bytes : {0, 16}) {
      RoadOptions options;
      options.stream = stream;
      options.vector_bytes = bytes;
      options.checked_every = 1;
      for (const Verdict& v : run_trials(trials, options)) {
        if (v.message.empty()) continue;
        ++failing;
        printf("%s%s%s: %s\n", path.c_str(), stream ? ", streaming" : "",
               bytes > 0 ? ", narrow vectors" : "", v.message.c_str());
      }
    }
  if (failing == 0) printf("%s: the same bits everywhere\n", path.c_str());
  return failing;
}

}  // namespace lathe::testing
