// SPDX-License-Identifier: Apache-2.0
// k-means: distances, argmin and sums by label, each step one evaluation of several arrays.
#include <lathe/array.h>

#include <cmath>
#include <iostream>

int main() {
  using namespace lathe;
  std::vector<double> points;
  for (int i = 0; i < 300; ++i) {
    const int group = i % 3;
    points.push_back(group * 4.0 + std::sin(i * 1.1));
    points.push_back((group == 1 ? 5.0 : 0.0) + std::cos(i * 2.3));
  }
  const Array x = array(points, {300, 2});
  Array centres = x(range(_, 3)).eval();
  for (int round = 0; round < 10; ++round) {
    const Array apart = x(_, newaxis) - centres(newaxis);
    const Array label = argmin(sum(apart * apart, -1), 1);
    const Array member = astype<double>(label(_, newaxis) == arange(3));
    centres = (matmul(transpose(member), x) / sum(member, 0)(_, newaxis)).eval();
  }
  std::cout << round(centres, 4).eval() << "\n";
}
