// SPDX-License-Identifier: Apache-2.0
// What callers give: bounds of slices that only their values tell apart, numbers that do not fit,
// memory that is not there or must not be written.
#include <gtest/gtest.h>
#include <lathe/array.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lathe {
namespace {

using Numbers = std::vector<std::int64_t>;

// Python's rule: slice(start, stop, step).indices(n).
Numbers sliced(std::int64_t n, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
               std::int64_t step) {
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  const auto bound = [&](std::optional<std::int64_t> b, std::int64_t otherwise) {
    return b ? std::clamp(*b < 0 ? *b + n : *b, low, high) : otherwise;
  };
  Numbers out;
  const std::int64_t end = bound(stop, step > 0 ? high : low);
  for (std::int64_t i = bound(start, step > 0 ? low : high); step > 0 ? i < end : i > end;
       i += step)
    out.push_back(i);
  return out;
}

TEST(Given, BoundsOfUnknownSign) {
  const Size k = size("k"), n = size("n");
  const Array x = arange(n);
  for (const std::int64_t step : {1, -2}) {
    const std::vector<Array> parts = {x(range(_, k - 4, step)), x(range(k - 4, _, step)),
                                      x(range(_, 0 - k, step)), x(range(k - 4, 0 - k, step))};
    for (const std::int64_t length : {1, 6})
      for (const std::int64_t v : {0, 1, 2, 4, 9}) {
        const std::vector<Array> found = eval(parts, {{"k", v}, {"n", length}});
        const Numbers wanted[] = {sliced(length, {}, v - 4, step), sliced(length, v - 4, {}, step),
                                  sliced(length, {}, -v, step), sliced(length, v - 4, -v, step)};
        for (std::size_t i = 0; i < parts.size(); ++i)
          EXPECT_EQ(found[i].to_vector<std::int64_t>(), wanted[i])
              << "part " << i << ", step " << step << ", k " << v << " of " << length;
      }
  }
}

template <class Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const Error& e) {
    return e.message();
  }
  return "nothing was refused";
}

TEST(Given, IntegersOfUnknownSign) {
  const Size k = size("k");
  const Array picked = arange(6)(k - 4);
  EXPECT_EQ(picked.eval({{"k", 2}}).item<std::int64_t>(), 4);
  EXPECT_EQ(picked.eval({{"k", 4}}).item<std::int64_t>(), 0);
  EXPECT_EQ(picked.eval({{"k", 9}}).item<std::int64_t>(), 5);
  EXPECT_THROW(picked.eval({{"k", 10}}), Error);
  EXPECT_THROW(arange(3)(k - 4).eval({{"k", 0}}), Error);
}

TEST(Given, AssignmentsToSlicesOfUnknownSign) {
  Array y = arange(6);
  y(range(_, 0 - size("k"))) = 9;
  EXPECT_EQ(y.eval({{"k", 2}}).to_vector<std::int64_t>(), (Numbers{9, 9, 9, 9, 4, 5}));
}

TEST(Given, NumbersThatDoNotFit) {
  const Array many = full({size("n")}, 1), small = scalar<std::int8_t>("k") + 0,
              bare = scalar<std::uint64_t>("k") + 0;
  EXPECT_EQ(message_of([&] { many.eval({{"n", 2.9}}); }), "size 'n' is of i64, and 2.9 is given");
  EXPECT_EQ(message_of([&] { small.eval({{"k", 300}}); }), "scalar 'k' is of i8, and 300 is given");
  EXPECT_EQ(message_of([&] { small.eval({{"k", 2.5}}); }), "scalar 'k' is of i8, and 2.5 is given");
  EXPECT_EQ(message_of([&] { bare.eval({{"k", -1}}); }), "scalar 'k' is of u64, and -1 is given");
  EXPECT_EQ(small.eval({{"k", 2.0}}).item<std::int8_t>(), 2);
  EXPECT_EQ(small.eval({{"k", -128}}).item<std::int8_t>(), -128);
  Array u = zeros<std::uint8_t>({2});
  EXPECT_EQ(message_of([&] { u(0) = 300; }), "set: the number 300 does not fit u8");
  EXPECT_EQ(u.eval().to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{0, 0}));
}

TEST(Given, MemoryThatCannotBeUsed) {
  const std::vector<double> fixed(3);
  double* const none = nullptr;
  EXPECT_EQ(message_of([&] { ones({3}).eval_into(View(fixed.data(), {3})); }),
            "the memory given for result 0 is read-only");
  EXPECT_EQ(fixed, std::vector<double>(3));
  EXPECT_EQ(message_of([&] { ones({3}).eval_into(View(none, {3})); }),
            "the memory given for result 0 is missing: its pointer is null");
  EXPECT_EQ(message_of([&] { array(View(none, {3})); }),
            "array: the values have no memory: their pointer is null");
  EXPECT_EQ(message_of([&] { refer(View(none, {3})); }),
            "array: the values have no memory: their pointer is null");
  const std::vector<double> three(3);
  EXPECT_EQ(message_of([&] {
              array(three, {2, 3});
            }),
            "array: 3 values cannot fill the shape (2, 3)");
  EXPECT_EQ(message_of([&] {
              array(three, {std::int64_t{1} << 62, 8});
            }),
            "array: 3 values cannot fill the shape (4611686018427387904, 8)");
  EXPECT_EQ(message_of([&] { array(three, {-3}); }), "array: 3 values cannot fill the shape (-3,)");
  EXPECT_EQ(message_of([&] { array(std::vector<double>{}, {2}); }),
            "array: 0 values cannot fill the shape (2,)");
  EXPECT_EQ(array(three, {3, 1}).eval().to_vector<double>().size(), 3u);
  EXPECT_EQ(array(View(none, {0, 3})).eval().to_vector<double>().size(), 0u);
  Array given = ones({3});
  const Array taken = std::move(given);
  EXPECT_EQ(given.rank(), 0);  // NOLINT: what is left of it can be asked
}

TEST(Given, DerivativesAtEqualArguments) {
  const Array x = array(std::vector<double>{0, 1, -700}),
              y = array(std::vector<double>{0, 1, -700});
  for (const Array& g : grad(sum(logaddexp(x, y)), {x, y}))
    EXPECT_EQ(g.eval().to_vector<double>(), (std::vector<double>{0.5, 0.5, 0.5}));
  const Array zero = array(std::vector<double>{0, 2});
  EXPECT_EQ(grad(sum(pow(zero, 0.0)), {zero})[0].eval().to_vector<double>(),
            (std::vector<double>{0, 0}));
  // Where x is not 0 the exponent counts: d/db d/dx x**b is 1 / x at b = 0.
  const Array x2 = array(std::vector<double>{2, 4}), b = array(std::vector<double>{0, 0});
  const Array slope = grad(sum(pow(x2, b)), {x2})[0];
  EXPECT_EQ(grad(sum(slope), {b})[0].eval().to_vector<double>(), (std::vector<double>{0.5, 0.25}));
}

TEST(Given, FunctionsOfSmallIntegersHaveSmallFloats) {
  const Array bytes = array(std::vector<std::int8_t>{3, -4}), shorts = array(std::vector<short>{4});
  EXPECT_EQ(hypot(bytes, bytes).dtype(), DType::F16);
  EXPECT_EQ(logaddexp(bytes, shorts).dtype(), DType::F32);
  EXPECT_EQ(nextafter(bytes, bytes).dtype(), DType::F16);
  EXPECT_EQ(hypot(bytes, 4.0f).dtype(), DType::F64);
}

}  // namespace
}  // namespace lathe
