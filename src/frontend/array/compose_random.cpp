// SPDX-License-Identifier: Apache-2.0
// Random numbers by counting: element i is threefry2x32 with 20 rounds of i under the seed, so
// every element has the same bits on every machine, whatever is computed around it.

#include <array>
#include <cmath>
#include <cstring>

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

using ir::DType;

struct Words {
  NodeRef low, high;  // u32
};

NodeRef bits_of(const Maker& m, const char* name, const NodeRef& x, std::int64_t n) {
  return binary_of(m, name, x, integer(n));
}

NodeRef rotated(const Maker& m, const NodeRef& x, int by) {
  return binary_of(m, "bitwise_or", bits_of(m, "left_shift", x, by),
                   bits_of(m, "right_shift", x, 32 - by));
}

// A number that is data: another seed is not another kernel.
NodeRef word(std::uint32_t v, Place place) {
  auto bytes = std::make_shared<std::array<std::byte, 4>>();
  std::memcpy(bytes->data(), &v, 4);
  auto storage = std::make_shared<Storage>();
  storage->data = bytes->data();
  storage->owner = bytes;
  return data(storage, DType::U32, place);
}

Words threefry(const Maker& m, const NodeRef& counter, std::int64_t seed) {
  static constexpr int kRotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const auto bits = static_cast<std::uint64_t>(seed);
  const NodeRef k0 = word(static_cast<std::uint32_t>(bits), m.place);
  const NodeRef k1 = word(static_cast<std::uint32_t>(bits >> 32), m.place);
  const NodeRef both = binary_of(m, "bitwise_xor", k0, k1);
  const NodeRef keys[3] = {k0, k1, bits_of(m, "bitwise_xor", both, 0x1BD11BDA)};
  Words x{cast(bits_of(m, "bitwise_and", counter, 0xffffffff), DType::U32, m.place),
          cast(bits_of(m, "right_shift", counter, 32), DType::U32, m.place)};
  x.low = binary_of(m, "add", x.low, keys[0]);
  x.high = binary_of(m, "add", x.high, keys[1]);
  for (int round = 0; round < 20; ++round) {
    x.low = binary_of(m, "add", x.low, x.high);
    x.high = binary_of(m, "bitwise_xor", rotated(m, x.high, kRotations[round % 8]), x.low);
    if (round % 4 != 3) continue;
    const int turn = round / 4 + 1;
    x.low = binary_of(m, "add", x.low, keys[turn % 3]);
    x.high = binary_of(m, "add", x.high, bits_of(m, "add", keys[(turn + 1) % 3], turn));
  }
  return x;
}

NodeRef joined_bits(const Maker& m, const Words& w) {
  const NodeRef high = bits_of(m, "left_shift", cast(w.high, DType::U64, m.place), 32);
  return binary_of(m, "bitwise_or", high, cast(w.low, DType::U64, m.place));
}

// In [0, 1): as many bits as the dtype can hold.
NodeRef uniform(const Maker& m, const NodeRef& counter, std::int64_t seed, DType t) {
  const Words w = threefry(m, counter, seed);
  if (t == DType::F32)
    return binary_of(m, "multiply", cast(bits_of(m, "right_shift", w.low, 8), t, m.place),
                     real(std::ldexp(1.0, -24)));
  const NodeRef bits = bits_of(m, "right_shift", joined_bits(m, w), 11);
  return binary_of(m, "multiply", cast(bits, DType::F64, m.place), real(std::ldexp(1.0, -53)));
}

DType float_asked(const Maker& m, const Request& r) {
  const DType t = r.dtype.value_or(DType::F64);
  if (t != DType::F32 && t != DType::F64)
    refuse(m, "makes f32 or f64, not " + std::string(ir::name(t)), {}, ErrorKind::DType);
  return t;
}

// ints: the seed; dims: the shape. For all three.
NodeRef make_bits(const Maker& m, const Request& r) {
  const NodeRef i = iota(product(r.dims), m.place);
  return reshape(m, joined_bits(m, threefry(m, i, given_int(r, 0))), r.dims);
}
NodeRef make_uniform(const Maker& m, const Request& r) {
  const NodeRef i = iota(product(r.dims), m.place);
  return reshape(m, uniform(m, i, given_int(r, 0), float_asked(m, r)), r.dims);
}
// Box and Muller: two counters for each element.
NodeRef make_normal(const Maker& m, const Request& r) {
  const DType t = float_asked(m, r);
  const NodeRef i = binary_of(m, "multiply", iota(product(r.dims), m.place), integer(2));
  const NodeRef u = uniform(m, i, given_int(r, 0), t);
  const NodeRef v = uniform(m, bits_of(m, "add", i, 1), given_int(r, 0), t);
  // 1 - u is never 0.
  const NodeRef far =
      elementwise(m, "sqrt",
                  {binary_of(m, "multiply", real(-2),
                             elementwise(m, "log", {binary_of(m, "subtract", real(1), u)}))});
  const NodeRef angle = elementwise(m, "cos", {binary_of(m, "multiply", real(2 * M_PI), v)});
  return reshape(m, binary_of(m, "multiply", far, angle), r.dims);
}

}  // namespace

void add_random(std::vector<Composed>& out) {
  out.push_back({"random_bits", make_bits});
  out.push_back({"random_uniform", make_uniform});
  out.push_back({"random_normal", make_normal});
}

}  // namespace lathe::array
