// SPDX-License-Identifier: Apache-2.0
// Mistakes with arrays and what Lathe says about them, in full: errors.txt. LATHE_UPDATE=1 rewrites
// it. Lines of this file stand as LINE there; one test looks at a line itself.
#include <gtest/gtest.h>
#include <lathe/array.h>

#include "array/mistakes.h"

namespace lathe {
namespace {

const Size n = size("n"), m = size("m");

Array x(const Shape& shape) { return input<double>("x", shape); }
Array y(const Shape& shape) { return input<double>("y", shape); }
Array integers(const Shape& shape) { return input<std::int64_t>("q", shape); }

const double kData[24] = {};
View data(View::Numbers shape) { return View(kData, std::move(shape)); }

// While the graph is made.
const Mistake kEarly[] = {
    {"add different lengths", [] { x({3}) + y({4}); }},
    {"add a symbol and itself plus one", [] { x({n + 2}) + y({n + 3}); }},
    {"add data of different lengths", [] { array(data({20})) + array(data({21})); }},
    {"where with three shapes",
     [] {
       where(x({2, 3}) > 0, y({3}), x({4, 1, 5}));
     }},
    {"broadcast to another length, beside one that nobody knows",
     [] {
       broadcast_to(x({n, 3}), {3, 4});
     }},
    {"positive of bools", [] { positive(x({3}) > 0); }},
    {"labels in a message", [] { x({3}).named({"time"}) + y({4}).named({"space"}); }},
    {"subtract bools", [] { (x({3}) > 0) - (y({3}) > 0); }},
    {"negative bool", [] { -(x({3}) > 0); }},
    {"bits of floats", [] { x({3}) & y({3}); }},
    {"invert floats", [] { ~x({3}); }},
    {"shift by a float", [] { left_shift(integers({3}), 1.5); }},
    {"a number that does not fit", [] { input<std::uint8_t>("b", {3}) + 300; }},
    {"a negative number for an unsigned array", [] { input<std::uint8_t>("b", {3}) + -1; }},
    {"negative power of integers", [] { pow(integers({3}), -2); }},
    {"axis out of range",
     [] {
       sum(x({n, 3}), 2);
     }},
    {"axis out of range of a number", [] { sum(x({}), 0); }},
    {"axis given twice",
     [] {
       sum(x({n, 3}), {0, -2});
     }},
    {"maximum of nothing",
     [] {
       max(x({0, 3}), 0);
     }},
    {"argmin over two axes",
     [] {
       argmin(x({2, 3}), {0, 1});
     }},
    {"reshape to another count",
     [] {
       reshape(x({4, 3}), {5, 2});
     }},
    {"reshape with two open lengths",
     [] {
       reshape(x({n, 3}), {-1, -1});
     }},
    {"reshape with a negative length",
     [] {
       reshape(x({n, 3}), {-3, n});
     }},
    {"reshape with nothing to divide by",
     [] {
       reshape(x({n, 3}), {0, -1});
     }},
    {"transpose with too few axes",
     [] {
       transpose(x({n, 3, 2}), {0, 1});
     }},
    {"transpose with an axis twice",
     [] {
       transpose(x({n, 3}), {0, 0});
     }},
    {"broadcast to fewer axes",
     [] {
       broadcast_to(x({n, 3}), {3});
     }},
    {"broadcast to another length",
     [] {
       broadcast_to(x({2, 3}), {2, 4});
     }},
    {"squeeze a long axis",
     [] {
       squeeze(x({2, 3}), {1});
     }},
    {"concatenate different ranks",
     [] {
       concatenate({x({3}), y({3, 3})});
     }},
    {"concatenate different lengths",
     [] {
       concatenate({x({3, 2}), y({3, 4})});
     }},
    {"stack different shapes",
     [] {
       stack({x({3}), y({4})});
     }},
    {"stack nothing", [] { stack({}); }},
    {"too many indices",
     [] {
       x({n, 3}).at({0, 0, 0});
     }},
    {"two ellipses",
     [] {
       x({n, 3}).at({ellipsis, ellipsis});
     }},
    {"index out of range",
     [] {
       x({n, 3}).at({0, 3});
     }},
    {"negative index out of range",
     [] {
       x({n, 3}).at({0, -4});
     }},
    {"call with an index out of range",
     [] {
       x({n, 3})(0, 3);
     }},
    {"step zero", [] { x({n}).at({range(_, _, 0)}); }},
    {"index with floats", [] { x({n}).at({y({4})}); }},
    {"mask of another length", [] { x({3}).at({y({4}) > 0}); }},
    {"mask with too many axes",
     [] {
       x({3}).at({y({3, 1}) > 0});
     }},
    {"set a part to a wrong shape", [] { x({4}).set({range(0, 2)}, y({3})); }},
    {"matmul lengths",
     [] {
       matmul(x({2, 3}), y({4, 2}));
     }},
    {"matmul does not spread what it sums",
     [] {
       matmul(x({2, 1}), y({4, 2}));
     }},
    {"matmul of numbers",
     [] {
       matmul(x({}), y({4, 2}));
     }},
    {"einsum with a label too many",
     [] {
       einsum("ijk,k->i", {x({2, 3}), y({3})});
     }},
    {"einsum with a foreign label",
     [] {
       einsum("ij->k", {x({2, 3})});
     }},
    {"einsum with a label twice in the result",
     [] {
       einsum("ij->ii", {x({2, 2})});
     }},
    {"einsum with too few arrays",
     [] {
       einsum("ij,jk->ik", {x({2, 3})});
     }},
    {"einsum with too many arrays",
     [] {
       einsum("ij->i", {x({2, 3}), y({3})});
     }},
    {"einsum with a digit",
     [] {
       einsum("i1->i", {x({2, 3})});
     }},
    {"tensordot with different numbers of axes", [] { tensordot(x({2}), y({2}), {0}, {}); }},
    {"triangle of a vector", [] { tril(x({n})); }},
    {"diagonal of a vector", [] { diagonal(x({n})); }},
    {"arange with step zero", [] { arange(0, n, 0); }},
    {"negative length", [] { zeros({-2}); }},
    {"pad with too few widths",
     [] {
       pad(x({n, 3}), {1, 1});
     }},
    {"pad by a negative width",
     [] {
       pad(x({3}), {-1, 1});
     }},
    {"pad in an unknown mode",
     [] {
       pad(x({3}), {1, 1}, 0, "mirrored");
     }},
    {"repeat a negative number of times", [] { repeat(x({3}), -1, 0); }},
    {"searchsorted in a matrix",
     [] {
       searchsorted(x({3, 3}), y({2}));
     }},
    {"cholesky of a vector", [] { cholesky(x({n})); }},
    {"an input without a name", [] { input<double>("", {n}); }},
    {"an input with a strange name", [] { input<double>("x y", {n}); }},
    {"a size with a strange name", [] { size("2n"); }},
    {"names for some axes",
     [] {
       x({n, 3}).named({"row"});
     }},
    {"one name for two axes",
     [] {
       x({n, 3}).named({"row", "row"});
     }},
    {"an unknown function", [] { detail::Apply("sinn", Here::now()).make(); }},
    {"a function without its array", [] { detail::Apply("reshape", Here::now()).make(); }},
    {"derivative of integers", [] { vjp(sum(integers({3})), 1, {integers({3})}); }},
    {"derivative of full singular vectors",
     [] {
       grad(sum(svd(x({3, 2})).u), {x({3, 2})});
     }},
    {"derivative of qr of a wide matrix",
     [] {
       grad(sum(qr(x({2, 3})).q), {x({2, 3})});
     }},
    {"values of an array that has none", [] { x({3}).view(); }},
};

// Questions about arrays.
const Mistake kAsked[] = {
    {"the gradient of many numbers", [] { grad(x({3}), {y({3})}); }},
    {"tangents that are missing",
     [] {
       jvp(x({3}), {x({3}), y({3})}, {y({3})});
     }},
    {"an item of many",
     [] {
       array(data({2, 3})).item<double>();
     }},
    {"an item of nothing", [] { array(data({0})).item<double>(); }},
    {"a vector of another dtype", [] { array(data({3})).to_vector<float>(); }},
    {"the values of what is not computed", [] { x({3}).to_vector<double>(); }},
    {"the length of an axis that is not there",
     [] {
       x({n, 3}).shape(5);
     }},
    {"the same, counted backwards", [] { x({n}).shape(-2); }},
    {"the value of a symbol", [] { (n + 1).value(); }},
    {"assignment to a part of a copy",
     [] {
       Array z = x({3, 3});
       z(array(std::vector<std::int64_t>{0, 1}))(0) = 1;
     }},
    {"unstack along an axis that is not there",
     [] {
       unstack(x({2, 3}), 2);
     }},
    {"unstack along a symbol",
     [] {
       unstack(x({n, 3}));
     }},
};

// When it is evaluated.
const Mistake kLate[] = {
    {"no data", [] { (x({n}) + 1).eval(); }},
    {"no scalar", [] { (scalar<double>("a") + 1).eval(); }},
    {"no size", [] { arange(n).eval(); }},
    {"a name that nothing has",
     [] {
       (x({n}) * scalar<double>("a")).eval({{"x", data({4})}, {"a", 1.0}, {"b", 2.0}});
     }},
    {"an array for nothing",
     [] {
       x({n}).eval({{"x", data({4})}, {"y", data({4})}});
     }},
    {"an array that a derivative does not need, of another shape",
     [] {
       grad(sum(x({3}) * 2), {x({3})})[0].eval({{"x", data({4})}});
     }},
    {"the same, the third time",
     [] {
       const Array slope = grad(sum(x({n, 3}) * 2), {x({n, 3})})[0];
       for (int i = 0; i < 2; ++i) slope.eval({{"x", data({4, 3})}});
       slope.eval({{"x", data({4, 2})}});
     }},
    {"another name for a derivative",
     [] {
       grad(sum(x({n}) * 2), {x({n})})[0].eval({{"z", data({4})}});
     }},
    {"second derivative of the determinant of a singular matrix",
     [] {
       const Array a = array(data({2, 2}));
       grad(sum(grad(det(a), {a})[0]), {a})[0].eval();
     }},
    {"derivative of the logarithm of the determinant of a singular matrix",
     [] {
       const Array a = array(data({2, 2}));
       grad(slogdet(a).logabsdet, {a})[0].eval();
     }},
    {"zeros of a length that turns out to be negative",
     [] {
       zeros({n - 5}).eval({{"n", 3}});
     }},
    {"the sum of them",
     [] {
       sum(full({n - 5}, 1.5)).eval({{"n", 3}});
     }},
    {"broadcast to a length that turns out to be negative",
     [] {
       sum(broadcast_to(x({1}), {2, n - 5})).eval({{"n", 3}, {"x", data({1})}});
     }},
    {"points whose number turns out to be negative",
     [] {
       linspace(0, 1, n - 5).eval({{"n", 3}});
     }},
    {"two inputs of one name and two dtypes",
     [] {
       (x({n}) + input<float>("x", {n})).eval({{"x", data({4})}});
     }},
    {"a mask whose length turns out to be another one",
     [] {
       x({n}).at({Index(y({m}) > 0)}).eval({{"x", data({4})}, {"y", data({3})}});
     }},
    {"an array for nothing, the third time",
     [] {
       const Array twice = x({n}) + 1;
       for (int i = 0; i < 2; ++i) twice.eval({{"x", data({4})}});
       twice.eval({{"x", data({4})}, {"y", data({4})}});
     }},
    {"a value for nothing",
     [] {
       array(data({3})).eval({{"x", 1}});
     }},
    {"a number given twice",
     [] {
       arange(n).eval({{"n", 3}, {"n", 4}});
     }},
    {"an array given twice",
     [] {
       x({n}).eval({{"x", data({4})}, {"x", data({3})}});
     }},
    {"another dtype",
     [] {
       integers({n}).eval({{"q", data({4})}});
     }},
    {"assigned axes of a length that turns out not to be 1",
     [] {
       x({4}).set({0}, y({m})).eval({{"x", data({4})}, {"y", data({2})}});
     }},
    {"another rank",
     [] {
       x({n}).eval({{"x", data({2, 2})}});
     }},
    {"another constant length",
     [] {
       x({n, 3}).eval({{"x", data({2, 4})}});
     }},
    {"one size, two lengths",
     [] {
       (x({n}) + y({n})).eval({{"x", data({4})}, {"y", data({5})}});
     }},
    {"a size that was given otherwise",
     [] {
       x({n}).eval({{"x", data({4})}, {"n", 5}});
     }},
    {"a length that no size gives",
     [] {
       x({2 * n}).eval({{"x", data({5})}});
     }},
    {"sizes that nothing determines",
     [] {
       x({n * m}).eval({{"x", data({6})}});
     }},
    {"broadcast at run time",
     [] {
       (x({n, 2}) * y({m, 1})).eval({{"x", data({3, 2})}, {"y", data({4, 1})}});
     }},
    {"reshape at run time",
     [] {
       reshape(x({n}), {m, 2}).eval({{"x", data({5})}, {"m", 3}});
     }},
    {"reshape symbols to another count",
     [] {
       reshape(x({n, 3}), {n, 4}).eval({{"x", data({2, 3})}});
     }},
    {"index at run time",
     [] {
       x({n}).at({4}).eval({{"x", data({3})}});
     }},
    {"maximum of nothing at run time",
     [] {
       max(x({n})).eval({{"x", data({0})}});
     }},
    {"concatenate at run time",
     [] {
       concatenate({x({n, 2}), y({m, 2})}, 1).eval({{"x", data({3, 2})}, {"y", data({4, 2})}});
     }},
    {"matmul at run time",
     [] {
       matmul(x({2, n}), y({m, 2})).eval({{"x", data({2, 3})}, {"y", data({4, 2})}});
     }},
    {"squeeze at run time",
     [] {
       squeeze(x({n}), {0}).eval({{"x", data({3})}});
     }},
    {"an index array out of range",
     [] {
       x({n}).at({array(std::vector<std::int64_t>{0, 7})}).eval({{"x", data({3})}});
     }},
    {"a result that does not fit",
     [] {
       double memory[4] = {};
       (array(data({3})) + 1).eval_into(View(memory, {4}));
     }},
};

TEST(ArrayErrors, SayWhatIsWrong) {
  std::vector<Mistake> all(std::begin(kEarly), std::end(kEarly));
  all.insert(all.end(), std::begin(kAsked), std::end(kAsked));
  all.insert(all.end(), std::begin(kLate), std::end(kLate));
  EXPECT_GE(all.size(), 50u);
  check_mistakes(all, "errors_test.cpp", "tests/array/errors.txt");
}

// What is assigned to a part is on the line that names the part.
TEST(ArrayErrors, PartsNameTheLineOfTheCaller) {
  const auto line_of = [](void (*f)()) {
    try {
      f();
    } catch (const Error& e) {
      const std::string text = e.what(), name = "errors_test.cpp:";
      const std::size_t at = text.find(name);
      return at == std::string::npos ? -1 : std::atoi(text.c_str() + at + name.size());
    }
    return 0;
  };
  static Array a = zeros({4}), b = zeros({3});
  const std::pair<int, void (*)()> mistakes[] = {
      {__LINE__, [] { a(range(0, 2)) = b(range(0, 3)); }},
      {__LINE__, [] { a(range(0, 2)) += b(range(0, 3)); }},
      {__LINE__, [] { a(range(0, 2)) -= b(range(0, 3)); }},
      {__LINE__, [] { a(range(0, 2)) *= b(range(0, 3)); }},
      {__LINE__, [] { a(range(0, 2)) /= b(range(0, 3)); }},
      {__LINE__, [] { a(range(0, 2)) += b; }},
      {__LINE__, [] { a(range(0, 2)).add(b(range(0, 3))); }},
  };
  for (const auto& [line, f] : mistakes) EXPECT_EQ(line_of(f), line);
}

TEST(ArrayErrors, NameTheLineOfTheCaller) {
  const int line = __LINE__ + 2;
  try {
    x({3}) + y({4});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("errors_test.cpp:" + std::to_string(line)),
              std::string::npos)
        << e.what();
  }
}

TEST(ArrayErrors, TellTheirCause) {
  const std::pair<Cause, std::function<void()>> all[] = {
      {Cause::Other, [] { x({3}) + y({4}); }},
      {Cause::DType, [] { x({3}) & y({3}); }},
      {Cause::Number, [] { input<std::uint8_t>("b", {3}) + 300; }},
      {Cause::Axis, [] { sum(x({3}), {1}); }},
      {Cause::Index, [] { x({3}).at({3}); }},
      {Cause::Index,
       [] {
         x({n}).at({array(std::vector<std::int64_t>{0, 7})}).eval({{"x", data({3})}});
       }},
      {Cause::Matrix,
       [] {
         inv(array(data({2, 2}))).eval();
       }},
  };
  for (const auto& [cause, mistake] : all) {
    try {
      mistake();
      ADD_FAILURE() << "nothing was refused";
    } catch (const Error& e) {
      EXPECT_EQ(e.cause(), cause) << e.what();
    }
  }
}

}  // namespace
}  // namespace lathe
