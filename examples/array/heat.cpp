// SPDX-License-Identifier: Apache-2.0
// The heat equation by slicing: one compiled step for every size of the plate.
#include <lathe/array.h>

#include <iostream>

int main() {
  using namespace lathe;
  const Size n = size("n"), m = size("m");
  Array u = input<double>("u", {n, m});
  const Index inner = range(1, -1);
  const Array sides = u(range(_, -2), inner) + u(range(2, _), inner) + u(inner, range(_, -2)) +
                      u(inner, range(2, _));
  u(inner, inner) += 0.2 * (sides - 4 * u(inner, inner));

  Array plate = zeros({6, 8});
  plate(0) = 100;
  plate = plate.eval();
  for (int i = 0; i < 50; ++i) plate = u.eval({{"u", plate.view()}});
  std::cout << round(plate, 2).eval() << "\n";
}
