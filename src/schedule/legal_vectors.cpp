// SPDX-License-Identifier: Apache-2.0
// How wide vectors may be. Lanes beyond one register become a group of registers; a group that
// takes more than a quarter of all that a processor has is spilled at every operation, and C
// compilers take long for it: gcc 0.9 s for a blur of f64 in 64 lanes, 2 s in 128, 14 s in 256.

#include "base/quoted.h"
#include "schedule/legal_parts.h"

namespace lathe::schedule {
namespace {

// 8 of the 32 registers of AVX-512. Default decisions take up to 4.
constexpr std::int64_t kMostBytes = 512;

}  // namespace

std::optional<Diagnostic> refused_width(const Nest& nest, const Leaf& leaf,
                                        const ir::Statement& s) {
  for (const Node* n : leaf.path) {
    if (n->kind != NodeKind::Vector) continue;
    for (const ir::Target& t : s.targets) {
      const ir::Array* const array = nest.program.find_array(t.array);
      if (!array) continue;
      const auto size = static_cast<std::int64_t>(ir::size_bytes(array->dtype));
      if (n->tile * size <= kMostBytes) continue;
      Diagnostic d;
      d.message = "a vector of " + std::to_string(n->tile) + " " +
                  std::string(ir::name(array->dtype)) + " has " + std::to_string(n->tile * size) +
                  " bytes, and at most " + std::to_string(kMostBytes) + " fit into registers";
      d.span = n->span;
      d.note(quoted(t.array) + " is computed in it", s.span);
      d.help =
          "write vector " + std::string(n->name.text()) + "/" + std::to_string(kMostBytes / size);
      return d;
    }
  }
  return std::nullopt;
}

}  // namespace lathe::schedule
