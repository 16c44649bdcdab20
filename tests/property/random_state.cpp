// SPDX-License-Identifier: Apache-2.0
// Sizes, scalars and contents to run a program on.

#include <cmath>
#include <cstring>
#include <limits>

#include "random_program.h"
#include "rng.h"

namespace lathe::testing {

using namespace ir;

namespace {

std::int64_t some_size(Rng& rng) {
  constexpr std::int64_t kSizes[] = {0, 1, 2, 3, 4, 5, 7, 9};
  static const std::vector<int> kWeights = {5, 8, 12, 20, 15, 20, 12, 8};
  return kSizes[rng.weighted(kWeights)];
}

Scalar special(Rng& rng, DType t) {
  const double inf = std::numeric_limits<double>::infinity();
  const double kFloats[] = {0.0,   -0.0,  inf, -inf, std::nan(""), 1e-310, -1e-40, 6e-8,
                            1e300, 65504, 0.5, -0.5, 1.5,          2.5,    3.4e38};
  if (is_float(t)) return Scalar::of_double(t, rng.pick(kFloats));
  constexpr std::uint64_t kBits[] = {0, 1, ~std::uint64_t{0}};
  const std::uint64_t top = std::uint64_t{1} << (width_bits(t) - 1);
  const std::uint64_t bits = rng.percent(40) ? top - rng.below(2) : rng.pick(kBits);
  return Scalar::of_uint(t, bits);
}

Scalar some_value(Rng& rng, DType t, int specials) {
  if (is_bool(t)) return Scalar::of_bool(rng.percent(50));
  if (rng.percent(specials)) return special(rng, t);
  if (is_float(t)) return Scalar::of_double(t, rng.unit() * 4 - 2);
  if (rng.percent(10)) return Scalar::of_uint(t, rng.next());
  return Scalar::of_int(t, rng.between(-4, 12));
}

}  // namespace

interp::State random_state(const Program& program, std::uint64_t seed, const Sizes& sizes) {
  Rng whole(seed ^ 0x5ca1ab1e);
  interp::State state;
  const int specials = whole.percent(50) ? 0 : whole.percent(70) ? 2 : 10;
  for (const Parameter& p : program.parameters) {
    Rng rng(seed ^ p.name.hash());
    const std::string name(p.name.text());
    Scalar v =
        p.is_size ? Scalar::of_int(DType::I64, some_size(rng)) : some_value(rng, p.dtype, specials);
    if (const auto fixed = sizes.find(name); fixed != sizes.end())
      v = Scalar::of_int(p.dtype, fixed->second);
    state.parameters[name] = v;
  }
  for (const Array& a : program.arrays) {
    if (a.role != Role::Input && a.role != Role::InOut && a.role != Role::State) continue;
    Rng rng(seed ^ a.name.hash());
    const interp::Bounds bounds = interp::declared_bounds(program, a, state);
    interp::Buffer buffer = interp::make_buffer(a.dtype, bounds.lo, bounds.hi);
    const std::size_t width = size_bytes(a.dtype);
    for (std::size_t at = 0; at < buffer.data.size(); at += width)
      some_value(rng, a.dtype, specials).store(buffer.data.data() + at);
    state.arrays.emplace(std::string(a.name.text()), std::move(buffer));
  }
  return state;
}

}  // namespace lathe::testing
