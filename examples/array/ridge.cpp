// SPDX-License-Identifier: Apache-2.0
// Ridge regression by gradient descent; the gradient is derived.
#include <lathe/array.h>

#include <cmath>
#include <iostream>

int main() {
  using namespace lathe;
  std::vector<double> rows, targets;
  for (int i = 0; i < 100; ++i) {
    const double a = std::sin(i * 0.9), b = std::cos(i * 1.7), c = std::sin(i * 2.9);
    rows.insert(rows.end(), {a, b, c});
    targets.push_back(2 * a - 1 * b + 0.5 * c + 0.01 * std::sin(i * 31.0));
  }
  const Array X = array(rows, {100, 3}), y = array(targets);
  Array w = zeros({3});
  for (int i = 0; i < 200; ++i) {
    const Array residual = matmul(X, w) - y;
    const Array loss = sum(residual * residual) / 200 + 0.0005 * sum(w * w);
    w = (w - 0.5 * grad(loss, {w})[0]).eval();
  }
  std::cout << "weights " << round(w, 4).eval() << "\n";
}
