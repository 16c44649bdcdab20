// SPDX-License-Identifier: Apache-2.0
// Mistakes with functions of the standard and with matrices: standard_errors.txt.
#include <cmath>

#include "array/mistakes.h"

namespace lathe {
namespace {

const Size n = size("n"), m = size("m");

Array x(const Shape& shape) { return input<double>("x", shape); }
Array y(const Shape& shape) { return input<double>("y", shape); }
Array integers(const Shape& shape) { return input<std::int64_t>("q", shape); }
Array call(const char* name, const std::vector<Array>& operands,
           std::vector<std::int64_t> ints = {}, const Shape& sizes = {}) {
  return detail::Apply(name, Here::now())
      .arrays(operands)
      .ints(std::move(ints))
      .sizes(sizes)
      .make();
}
Array filled(double v, const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (std::int64_t e : shape) count *= e;
  return array(std::vector<double>(static_cast<std::size_t>(count), v), shape);
}

const Mistake kMistakes[] = {
    {"a number that does not fit", [] { integers({n}) + 9223372036854775808u; }},
    {"a cumulative sum of a matrix without an axis",
     [] {
       call("cumulative_sum", {x({n, 3})}, {0});
     }},
    {"a running total of bools",
     [] {
       detail::Apply("cumsum", Here::now())
           .with({x({n}).get()})
           .ints({1, 0})
           .dtype(DType::Bool)
           .make();
     }},
    {"differences a negative number of times", [] { diff(x({n}), 0, -1); }},
    {"full_like with an array", [] { full_like(x({n}), y({n})); }},
    {"an array that is not among them",
     [] {
       call("meshgrid", {x({n}), y({m})}, {2, 0});
     }},
    {"meshgrid of a matrix",
     [] {
       meshgrid({x({n, 2}), y({m})});
     }},
    {"broadcast_arrays that do not fit",
     [] {
       broadcast_arrays({x({3}), y({4})});
     }},
    {"cross of pairs",
     [] {
       cross(x({n, 2}), y({n, 2}));
     }},
    {"repeat by floats", [] { repeat(x({n}), y({n}), Size(4), 0); }},
    {"repeat of each without a length",
     [] {
       call("repeat", {x({n}), integers({n})}, {0, 1, 0});
     }},
    {"repeat by as many as there are not", [] { repeat(x({3}), integers({4}), Size(4), 0); }},
    {"quantile of nothing",
     [] {
       quantile(x({0, 3}), 0.5, 0);
     }},
    {"quantile above one", [] { quantile(x({n}), 1.5); }},
    {"percentile below zero", [] { percentile(x({n}), -1); }},
    {"bincount of floats", [] { bincount(x({n}), 5); }},
    {"bincount of a matrix",
     [] {
       bincount(integers({n, 2}), 5);
     }},
    {"bincount without bins", [] { call("bincount", {integers({n})}); }},
    {"histogram without bins", [] { histogram(x({n}), 0, 0.0, 1.0); }},
    {"histogram backwards", [] { histogram(x({n}), 5, 1.0, 0.0); }},
    {"histogram without ends", [] { call("histogram", {x({n})}, {}, {Size(4)}); }},
    {"an order that is not a number", [] { vector_norm(x({n}), NAN); }},
    {"an order of matrices that is not there",
     [] {
       matrix_norm(x({n, n}), 3.0);
     }},
    {"a name of an order that is not there",
     [] {
       matrix_norm(x({n, n}), "max");
     }},
    {"matrix_norm of a vector", [] { matrix_norm(x({n})); }},
    {"cholesky of halves",
     [] {
       detail::Apply("cholesky", Here::now()).with({astype(x({n, n}), DType::F16).get()}).make();
     }},
    {"inv of a vector", [] { inv(x({n})); }},
    {"det of an oblong",
     [] {
       det(x({3, 4}));
     }},
    {"solve with a number",
     [] {
       solve(x({n, n}), 1.0);
     }},
    {"solve with other rows",
     [] {
       solve(x({3, 3}), y({4, 2}));
     }},
    {"matrix_power of a vector", [] { matrix_power(x({n}), 2); }},
    {"matrix_power of an oblong",
     [] {
       matrix_power(integers({2, 3}), 2);
     }},
    // Told when it is evaluated.
    {"a singular matrix",
     [] {
       inv(filled(1, {2, 2})).eval();
     }},
    {"a singular one among others",
     [] {
       solve(filled(1, {3, 2, 2}), filled(1, {3, 2, 1})).eval();
     }},
    {"not positive definite",
     [] {
       cholesky(filled(-1, {1, 1})).eval();
     }},
    {"eigenvalues of NaN",
     [] {
       eigvalsh(filled(NAN, {3, 3})).eval();
     }},
    {"singular values of infinities",
     [] {
       svdvals(filled(INFINITY, {2, 2})).eval();
     }},
    {"an oblong when sizes are known",
     [] {
       det(x({n, m})).eval({{"x", View(std::vector<double>(6).data(), {2, 3})}});
     }},
    {"bincount of a number that has no bin",
     [] {
       bincount(array(std::vector<std::int64_t>{1, -1}), 3).eval();
     }},
    {"an input and a size of one name",
     [] {
       (input<double>("n", {n}) + 1).eval({{"n", View(std::vector<double>(2).data(), {2})}});
     }},
    {"quantile of nothing, as it turns out",
     [] {
       quantile(x({n}), 0.5).eval({{"x", View(std::vector<double>(1).data(), {0})}});
     }},
};

TEST(ArrayErrors, OfTheStandardSayWhatIsWrong) {
  check_mistakes({std::begin(kMistakes), std::end(kMistakes)}, "standard_errors_test.cpp",
                 "tests/array/standard_errors.txt");
}

}  // namespace
}  // namespace lathe
