// SPDX-License-Identifier: Apache-2.0
// Softmax along the last axis: rows sum to 1.
#include <lathe/array.h>

#include <iostream>

lathe::Array softmax(const lathe::Array& x) {
  const lathe::Array e = exp(x - max(x, -1, true));
  return e / sum(e, -1, true);
}

int main() {
  using namespace lathe;
  const Array x = input<double>("x", {size("rows"), size("columns")}), y = softmax(x);
  std::cout << y.program() << "\n" << y.explain() << "\n";
  const std::vector<double> v{1, 2, 3, 1000, 1000, 1000};
  const Array value = y.eval({{"x", View(v.data(), {2, 3})}});
  std::cout << round(value, 6).eval() << "\nsums " << sum(value, 1).eval() << "\n";
}
