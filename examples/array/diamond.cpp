// SPDX-License-Identifier: Apache-2.0
// Document 003's diamond: k = A @ x is used twice, and computed once.
#include <lathe/array.h>

#include <iostream>

int main() {
  using namespace lathe;
  const Size n = size("n");
  const Array A = input<double>("A", {n, n}), x = input<double>("x", {n});
  const Array k = matmul(A, x);
  const Array C = outer(sin(k), cos(k));
  std::cout << C << "\n\n" << C.program() << "\n" << C.explain() << "\n";

  const std::vector<double> a{1, 0, 0, 0, 2, 0, 0, 0, 3}, v{0.5, 0.25, 0.125};
  std::cout << round(C, 4).eval({{"A", View(a.data(), {3, 3})}, {"x", View(v.data(), {3})}})
            << "\n";
}
