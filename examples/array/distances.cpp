// SPDX-License-Identifier: Apache-2.0
// Distances between all pairs of points; the intermediate array of all differences never exists.
#include <lathe/array.h>

#include <iostream>

int main() {
  using namespace lathe;
  const Array points = array(std::vector<double>{0, 0, 3, 4, 6, 8, 0, 5}, {4, 2});
  const Array apart = points(_, newaxis) - points(newaxis);
  const Array distance = sqrt(sum(apart * apart, -1));
  std::cout << distance << "\n" << distance.eval() << "\n";
  // The nearest other point of each.
  const Array others = where(eye<bool>(4), 1e9, distance);
  std::cout << argmin(others, 1).eval() << "\n";
}
