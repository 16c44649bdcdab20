// SPDX-License-Identifier: Apache-2.0
// A hot plate cools: a program from text, arrays with a border, calls that are bound once.

#include <lathe/lathe.h>

#include <cstdio>
#include <vector>

const char* const kCool = R"(
program cool(n: size, a: f64)
  input  u: f64[i: -1..n+1, j: -1..n+1]
  output v: f64[i: -1..n+1, j: -1..n+1]

  for i in 0..n, j in 0..n:
    v[i, j] = u[i, j] + a * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 * u[i, j])
)";

int main() {
  const std::int64_t n = 100, side = n + 2;
  std::vector<double> now(static_cast<std::size_t>(side * side)), next = now;
  for (std::int64_t i = 30; i < 70; ++i)
    for (std::int64_t j = 30; j < 70; ++j)
      now[static_cast<std::size_t>((i + 1) * side + j + 1)] = 100;

  try {
    const lathe::Kernel kernel = lathe::Program::from_text("cool.lathe", kCool).compile();
    // The border of zeros is part of the arrays, at index -1 and n.
    const lathe::View a = lathe::View(now.data(), {side, side}).from({-1, -1});
    const lathe::View b = lathe::View(next.data(), {side, side}).from({-1, -1});
    lathe::Call there = kernel.call(), back = kernel.call();
    there.set("n", n).set("a", 0.2).bind("u", a).bind("v", b);
    back.set("n", n).set("a", 0.2).bind("u", b).bind("v", a);
    for (int step = 0; step < 500; ++step) {
      there.run();
      back.run();
    }
  } catch (const lathe::Error& e) {
    std::fputs(e.what(), stderr);
    return 1;
  }
  std::printf("after 1000 steps: %.6f in the middle, %.6f near a corner\n",
              now[static_cast<std::size_t>((n / 2 + 1) * side + n / 2 + 1)],
              now[static_cast<std::size_t>(11 * side + 11)]);
  return 0;
}
