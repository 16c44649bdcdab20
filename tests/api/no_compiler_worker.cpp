// SPDX-License-Identifier: Apache-2.0
// Runs two programs twice and prints what they give: started by no_compiler_test.cpp in an
// environment without a C compiler, where warnings are to be seen on stderr.

#include <cstdio>

#include "api/examples.h"

using namespace lathe;
using namespace lathe::testing;

int main() {
  try {
    for (int round = 0; round < 2; ++round) {
      const Kernel k = kernel(kScale);
      double u[3] = {1, 2, 3}, v[6] = {};
      for (double a : {2.0, 3.0}) {
        const Timing t =
            k.run({{"n", 3}, {"a", a}}, {{"u", View(u, {3})}, {"v", View(v, {3}).strided({16})}});
        std::printf("%g %g %g %g %s\n", v[0], v[1], v[2], v[4],
                    t.interpreted ? "interpreted" : "compiled");
      }
    }
    const bool m[4] = {true, false, false, true};
    Call call = kernel(kPick).call();
    call.set("n", 4).bind("m", View(m, {4})).run();
    std::printf("%d found, the last at %d\n", static_cast<int>(call.array("p").shape()[0]),
                static_cast<int>(call.array("p").data_as<std::int64_t>()[1]));
    const Kernel gather = kernel(
        "program gather(n: size)\n  input at: i64[i: n]\n  output v: i64[i: n]\n"
        "  for i in 0..n: v[i] = at[at[i]]\n");
    std::int64_t at[2] = {1, 5};
    std::fputs(refusal([&] { gather.call().set("n", 2).bind("at", View(at, {2})).run(); }).c_str(),
               stdout);
  } catch (const std::exception& e) {
    std::printf("failed: %s\n", e.what());
    return 1;
  }
  return 0;
}
