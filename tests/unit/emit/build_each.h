// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel under several compilers, levels and vector widths.

#include <gtest/gtest.h>

#include <vector>

#include "thorough.h"
#include "unit/emit/host.h"

namespace lathe::testing {

struct NamedBuild {
  Compiler compiler;
  emit::EmitOptions options;
};

inline std::vector<NamedBuild> kernel_builds() {
  std::vector<NamedBuild> all;
  for (const NamedBuild& b : {NamedBuild{{"gcc", 1, true}, {}}, NamedBuild{{"clang", 2, true}, {}},
                              NamedBuild{{"gcc", 3, false}, {.vector_bytes = 16}},
                              NamedBuild{{"gcc", 0, true}, {.vector_bytes = 0}}})
    if (available(b.compiler)) all.push_back(b);
  return all;
}

// Emits, compiles and calls `test(emitted, loaded)` for every build. In quick runs for every other
// one, the first ones or the second ones by the kernel's name: about half of the kernels meet each.
template <class F>
void each_build(const loops::Kernel& kernel, F test) {
  const std::vector<NamedBuild> builds = kernel_builds();
  const std::size_t turn = kernel.name.text().size() % 2;
  for (std::size_t n = 0; n < builds.size(); ++n) {
    if (n % 2 != turn && builds.size() > 1 && !is_thorough()) continue;
    const NamedBuild& b = builds[n];
    SCOPED_TRACE(text(b.compiler));
    const emit::EmitResult emitted = emit::emit_c(kernel, b.options);
    const Loaded loaded(emitted, b.options, b.compiler);
    test(emitted, loaded);
  }
}

}  // namespace lathe::testing
