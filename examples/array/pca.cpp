// SPDX-License-Identifier: Apache-2.0
// The first principal component by power iteration.
#include <lathe/array.h>

#include <cmath>
#include <iostream>

int main() {
  using namespace lathe;
  // Points along (3, 1), with some spread.
  std::vector<double> points;
  for (int i = 0; i < 200; ++i) {
    const double along = std::sin(i * 0.7) * 5, across = std::cos(i * 1.3) * 0.5;
    points.push_back(1 + 3 * along - across);
    points.push_back(2 + along + 3 * across);
  }
  const Array x = array(points, {200, 2});
  const Array centred = x - mean(x, 0);
  const Array covariance = (matmul(transpose(centred), centred) / (x.shape(0) - 1)).eval();
  Array v = ones({2});
  for (int i = 0; i < 30; ++i) {
    const Array w = matmul(covariance, v);
    v = (w / sqrt(sum(w * w))).eval();
  }
  std::cout << "component " << round(v, 6).eval() << "\n";
  std::cout << "variance  " << round(sum(v * matmul(covariance, v)), 6).eval() << "\n";
}
