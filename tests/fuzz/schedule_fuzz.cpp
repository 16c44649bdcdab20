// SPDX-License-Identifier: Apache-2.0
// Any text as the lockfile of one program: the parser must say something sensible or give a
// schedule, which prints to text that parses to the same schedule.

#include <cstdint>
#include <cstdlib>

#include "ir/text.h"
#include "schedule/schedule.h"

using namespace lathe;

namespace {

constexpr const char* kProgram = R"(program p(n: size, m: size)
  input u: f64[i: n, j: m]
  temp t: f64[i: n, j: m]
  output v: f64[i: n, j: m]
  state w: f64[i: n]
  for i in 0..n, j in 0..m: t[i, j] = u[i, j]
  for i in 0..n, j in 0..m: v[i, j] = t[i, j]
  forward i in 1..n: w[i] = w[i-1] + w[i]
  repeat r in 0..3: for i in 0..n: w[i] = 2 * w[i]
  when n > 3: for i in 0..n: w[i] = 0
  else: for i in 0..n: w[i] = 1
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto program = ir::parse_program("fuzz.lathe", kProgram, diagnostics, sources);
  if (!program) std::abort();
  const auto parsed = schedule::parse_schedule("fuzz.lock", text, *program, diagnostics);
  render_text(diagnostics, *sources);
  if (!parsed) {
    if (!diagnostics.has_errors()) std::abort();
    return 0;
  }
  const std::string printed = schedule::print(*parsed);
  const auto again = schedule::parse_schedule("again.lock", printed, *program, diagnostics);
  if (!again || !schedule::same_tree(parsed->body, again->body) ||
      schedule::print(*again) != printed)
    std::abort();
  return 0;
}
