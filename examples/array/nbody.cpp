// SPDX-License-Identifier: Apache-2.0
// Three bodies in a plane, leapfrog: energy is nearly kept.
#include <lathe/array.h>

#include <iostream>

namespace {

using namespace lathe;

Array acceleration(const Array& place, const Array& mass) {
  const Array apart = place(newaxis) - place(_, newaxis);
  const Array square = sum(apart * apart, -1) + 1e-3;
  return sum(apart * (mass / pow(square, 1.5))(_, _, newaxis), 1);
}

Array energy(const Array& place, const Array& speed, const Array& mass) {
  const Array apart = place(newaxis) - place(_, newaxis);
  const Array distance = sqrt(sum(apart * apart, -1) + 1e-3);
  const Array pairs = triu(mass * mass(_, newaxis) / distance, 1);
  return sum(mass * sum(speed * speed, -1)) / 2 - sum(pairs);
}

}  // namespace

int main() {
  const Array mass = array(std::vector<double>{1, 0.5, 0.25});
  Array place = array(std::vector<double>{0, 0, 1, 0, 0, 2}, {3, 2});
  Array speed = array(std::vector<double>{0, -0.3, 0, 1, -0.7, 0}, {3, 2});
  std::cout << "energy before " << round(energy(place, speed, mass), 4).eval() << "\n";
  const double dt = 0.005;
  for (int i = 0; i < 400; ++i) {
    const Array half = speed + acceleration(place, mass) * (dt / 2);
    const Array moved = place + half * dt;
    const Array later = half + acceleration(moved, mass) * (dt / 2);
    const std::vector<Array> next = eval({moved, later});
    place = next[0];
    speed = next[1];
  }
  std::cout << "energy after  " << round(energy(place, speed, mass), 4).eval() << "\n";
  std::cout << round(place, 3).eval() << "\n";
}
