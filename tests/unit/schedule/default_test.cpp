// SPDX-License-Identifier: Apache-2.0
// Default decisions about programs that no golden file would want to show.

#include <fmt/format.h>

#include "pipeline.h"
#include "schedule/default_schedule.h"
#include "schedule/legal.h"
#include "unit/schedule/parse.h"

namespace lathe::schedule {
namespace {

std::string chain_of_temporaries(int n) {
  std::string declared, body;
  for (int k = 0; k < n; ++k) {
    declared += fmt::format("  temp   t{}: f64[i: n]\n", k);
    body += fmt::format("  for i in 0..n: t{}[i] = {}[i] * 0.5 + 1\n", k,
                        k == 0 ? "u" : fmt::format("t{}", k - 1));
  }
  return "program c(n: size)\n  input  u: f64[i: n]\n" + declared + "  output v: f64[i: n]\n" +
         body + fmt::format("  for i in 0..n: v[i] = t{}[i]\n", n - 1);
}

// One loop over all of it: what is too long to be moved on and on stays in registers.
TEST(DefaultScheduleTest, ALongChainIsCutIntoRegisters) {
  const ir::Program program = run_preparation(run_pipeline(parse(chain_of_temporaries(300))));
  const Schedule s = default_schedule(program, Machine{});
  EXPECT_NO_THROW(resolve_legal(program, s));
  std::size_t nowhere = 0, registers = 0, loops = 0;
  const auto count = [&](const auto& self, const std::vector<Node>& body) -> void {
    for (const Node& n : body) {
      loops += n.is_loop() ? 1 : 0;
      nowhere += n.place.kind == PlaceKind::Nowhere ? 1 : 0;
      registers += n.place.kind == PlaceKind::Register ? 1 : 0;
      self(self, n.body);
    }
  };
  count(count, s.body);
  EXPECT_EQ(nowhere, 298u);
  EXPECT_EQ(registers, 2u);
  EXPECT_EQ(loops, 2u);
}

}  // namespace
}  // namespace lathe::schedule
