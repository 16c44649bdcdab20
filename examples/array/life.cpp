// SPDX-License-Identifier: Apache-2.0
// Conway's game of life on a torus: a glider after some steps.
#include <lathe/array.h>

#include <iostream>

lathe::Array step(const lathe::Array& alive) {
  using namespace lathe;
  const Array cell = astype<std::int32_t>(alive);
  Array around = -cell;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) around += roll(roll(cell, i, 0), j, 1);
  return (around == 3) | (alive & (around == 2));
}

int main() {
  using namespace lathe;
  Array world = zeros<bool>({8, 10});
  for (const auto& [i, j] : {std::pair(0, 1), {1, 2}, {2, 0}, {2, 1}, {2, 2}}) world(i, j) = true;
  world = world.eval();
  for (int generation = 0; generation < 12; ++generation) world = step(world).eval();
  const std::vector<bool> cells = world.to_vector<bool>();
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 10; ++j) std::cout << (cells[i * 10 + j] ? '#' : '.');
    std::cout << "\n";
  }
}
