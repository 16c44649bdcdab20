// SPDX-License-Identifier: Apache-2.0
// Wrong lockfiles and what Lathe says about them, in full. Each file of tests/errors/schedule holds
// a program and cases:
//
//   program text
//   === name of the case
//   lockfile
//   ---
//   the messages
//
// LATHE_UPDATE=1 rewrites the messages; read the difference before you commit it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "pipeline.h"
#include "schedule/legal.h"
#include "schedule/schedule.h"
#include "source_dir.h"

namespace lathe::schedule {
namespace {

struct Case {
  std::string name, lockfile, messages;
};
struct Cases {
  std::string program;
  std::vector<Case> cases;
};

Cases read_cases(const std::string& text) {
  Cases out;
  bool in_messages = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("=== ")) {
      out.cases.push_back({line.substr(4), {}, {}});
      in_messages = false;
    } else if (line == "---") {
      in_messages = true;
    } else if (out.cases.empty()) {
      out.program += line + "\n";
    } else {
      (in_messages ? out.cases.back().messages : out.cases.back().lockfile) += line + "\n";
    }
  }
  return out;
}

std::string messages_of(const std::string& program_text, const std::string& lockfile) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto program = ir::parse_program("program.lathe", program_text, diagnostics, sources);
  if (!program || !ir::verify(*program, diagnostics)) {
    ADD_FAILURE() << render_text(diagnostics, *sources);
    return {};
  }
  const auto schedule = parse_schedule("wrong.lock", lockfile, *program, diagnostics);
  EXPECT_NE(schedule.has_value(), diagnostics.has_errors());
  if (!schedule) return render_text(diagnostics, *sources);
  // It can be read: then it is legal() that refuses it, on the prepared program.
  try {
    const ir::Program prepared = run_preparation(run_pipeline(*program));
    const auto again = parse_schedule("wrong.lock", lockfile, prepared, diagnostics);
    if (again) resolve_legal(prepared, *again);
  } catch (const UserError& e) {
    diagnostics.add(e.diagnostic());
  }
  return render_text(diagnostics, *sources);
}

TEST(ScheduleErrors, EveryMessageIsAsWritten) {
  const bool update = std::getenv("LATHE_UPDATE") != nullptr;
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/errors/schedule")) {
    const std::string file = entry.path().string();
    const Cases cases = read_cases(read_file(file));
    std::string rewritten = cases.program;
    for (const Case& c : cases.cases) {
      const std::string messages = messages_of(cases.program, c.lockfile);
      if (!update) {
        EXPECT_EQ(messages, c.messages) << file << ": " << c.name;
      }
      EXPECT_FALSE(messages.empty()) << file << ": " << c.name << " is accepted";
      rewritten += "=== " + c.name + "\n" + c.lockfile + "---\n" + messages;
      ++count;
    }
    if (update) write_file(file, rewritten);
  }
  EXPECT_GE(count, 40u);
}

}  // namespace
}  // namespace lathe::schedule
