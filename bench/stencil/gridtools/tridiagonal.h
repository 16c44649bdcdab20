// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fields.h"

namespace bench {

struct Eliminate {
  using s = inout_accessor<0, extent<0, 0, 0, 0, -1, 0>>;
  using r = inout_accessor<1, extent<0, 0, 0, 0, -1, 0>>;
  using inf = in_accessor<2>;
  using diag = in_accessor<3>;
  using sup = in_accessor<4>;
  using rhs = in_accessor<5>;
  using param_list = make_param_list<s, r, inf, diag, sup, rhs>;
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::modify<1, 0>) {
    const Real pivot = Real(1) / (eval(diag()) - eval(s(0, 0, -1)) * eval(inf()));
    eval(s()) = eval(sup()) * pivot;
    eval(r()) = (eval(rhs()) - eval(inf()) * eval(r(0, 0, -1))) * pivot;
  }
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::first_level) {
    eval(s()) = eval(sup()) / eval(diag());
    eval(r()) = eval(rhs()) / eval(diag());
  }
};

struct Substitute {
  using out = inout_accessor<0, extent<0, 0, 0, 0, 0, 1>>;
  using s = in_accessor<1>;
  using r = in_accessor<2>;
  using param_list = make_param_list<out, s, r>;
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::modify<0, -1>) {
    eval(out()) = eval(r()) - eval(s()) * eval(out(0, 0, 1));
  }
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::last_level) {
    eval(out()) = eval(r());
  }
};

}  // namespace bench

extern "C" void BENCH_NAME(tridiagonal)(const std::int64_t* domain, void* const* data,
                                        const std::int64_t* strides, const double*) {
  using namespace bench;
  const Arguments given{domain, data, strides};
  const auto stages = [](auto inf, auto diag, auto sup, auto rhs, auto out) {
    GT_DECLARE_TMP(Real, s, r);
    return multi_pass(
        execute_forward()
            .k_cached(cache_io_policy::flush(), s, r)
            .stage(Eliminate(), s, r, inf, diag, sup, rhs),
        execute_backward().k_cached(cache_io_policy::flush(), out).stage(Substitute(), out, s, r));
  };
  run(stages, Backend(), given.grid(), given.get<0>(), given.get<1>(), given.get<2>(),
      given.get<3>(), given.get<4>());
}
