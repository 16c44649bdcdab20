// SPDX-License-Identifier: Apache-2.0
// Trials as files: see road_reduce.h.

#include <sstream>

#include "base/files.h"
#include "ir/detach.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "pipeline.h"
#include "road_reduce.h"
#include "schedule/default_schedule.h"

namespace lathe::testing {

std::string to_file(const SmallTrial& small) {
  std::string out = "# ";
  for (char c : small.verdict.message) out += c == '\n' ? std::string("\n# ") : std::string(1, c);
  if (small.options.stream) out += "\n# with streaming stores";
  if (small.options.vector_bytes > 0)
    out += "\n# in vectors of " + std::to_string(small.options.vector_bytes) + " bytes";
  const Case& c = small.trial.subject->c;
  out += "\n" + ir::print(c.program) + "=== schedule\n";
  out += small.trial.lockfile + "=== runs\n";
  for (const RoadRun& r : small.trial.subject->runs)
    out += "seed " + std::to_string(c.seed) + (r.sizes.empty() ? "" : " " + text(r.sizes)) + "\n";
  return out;
}

std::vector<Trial> read_trials(const std::string& path) {
  const std::string whole = read_file(path);
  const auto section = [&](const std::string& title) -> std::string {
    const std::size_t at = whole.find("=== " + title + "\n");
    if (at == whole.npos) return "";
    const std::size_t begin = whole.find('\n', at) + 1;
    return whole.substr(begin, whole.find("=== ", begin) - begin);
  };
  Diagnostics diagnostics;
  const auto program = ir::parse_program(path, whole.substr(0, whole.find("=== ")), diagnostics);
  if (!program || !ir::verify(*program, diagnostics)) throw UserError(diagnostics.all().front());
  std::uint64_t seed = 1;
  std::vector<Sizes> sizes;
  std::istringstream lines(section("runs"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Sizes s;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (word == "seed")
        words >> seed;
      else if (equals != word.npos)
        s[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
    }
    sizes.push_back(s);
  }
  const Case c{*program, seed, {}};
  if (sizes.empty()) sizes = road_sizes(c.program, seed);
  const auto subject = make_subject(c, sizes);
  if (subject->runs.empty()) throw UserError("the interpreter cannot run '" + path + "'");
  const std::string lockfile = section("schedule");
  if (!lockfile.empty()) return {{subject, lockfile, "as given", all_builds()}};
  const ir::Program prepared = run_preparation(run_pipeline(ir::detach(c.program)));
  return {{subject, tree_text(schedule::plain_schedule(prepared)), "plain", all_builds()},
          {subject, tree_text(schedule::default_schedule(prepared)), "default", all_builds()}};
}

}  // namespace lathe::testing
