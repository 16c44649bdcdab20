// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fields.h"

namespace bench {

struct Forward {
  using c = inout_accessor<0, extent<0, 0, 0, 0, -1, 0>>;
  using d = inout_accessor<1, extent<0, 0, 0, 0, -1, 0>>;
  using stage = in_accessor<2>;
  using u = in_accessor<3, extent<0, 0, 0, 0, -1, 1>>;
  using w = in_accessor<4, extent<0, 1, 0, 0, 0, 1>>;
  using position = in_accessor<5>;
  using tendency = in_accessor<6>;
  using rate = in_accessor<7>;
  using param_list = make_param_list<c, d, stage, u, w, position, tendency, rate>;

  template <class Evaluation>
  GT_FUNCTION static Real given(Evaluation& eval) {
    return eval(rate()) * eval(position()) + eval(tendency()) + eval(stage());
  }
  template <class Evaluation>
  GT_FUNCTION static Real below(Evaluation& eval) {
    return Real(-0.125) * (eval(w(1, 0, 0)) + eval(w()));
  }
  template <class Evaluation>
  GT_FUNCTION static Real above(Evaluation& eval) {
    return Real(0.125) * (eval(w(1, 0, 1)) + eval(w(0, 0, 1)));
  }

  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::first_level) {
    const Real up = above(eval);
    const Real divided = Real(1) / (eval(rate()) - up);
    eval(c()) = up * divided;
    eval(d()) = (given(eval) - up * (eval(u(0, 0, 1)) - eval(u()))) * divided;
  }
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::modify<1, -1>) {
    const Real down = below(eval), up = above(eval);
    const Real right =
        given(eval) - down * (eval(u(0, 0, -1)) - eval(u())) - up * (eval(u(0, 0, 1)) - eval(u()));
    const Real divided = Real(1) / (eval(rate()) - down - up - eval(c(0, 0, -1)) * down);
    eval(c()) = up * divided;
    eval(d()) = (right - eval(d(0, 0, -1)) * down) * divided;
  }
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::last_level) {
    const Real down = below(eval);
    const Real right = given(eval) - down * (eval(u(0, 0, -1)) - eval(u()));
    const Real divided = Real(1) / (eval(rate()) - down - eval(c(0, 0, -1)) * down);
    eval(d()) = (right - eval(d(0, 0, -1)) * down) * divided;
  }
};

struct Backward {
  using stage = inout_accessor<0>;
  using data = inout_accessor<1, extent<0, 0, 0, 0, 0, 1>>;
  using c = in_accessor<2>;
  using d = in_accessor<3>;
  using position = in_accessor<4>;
  using rate = in_accessor<5>;
  using param_list = make_param_list<stage, data, c, d, position, rate>;

  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::last_level) {
    eval(data()) = eval(d());
    eval(stage()) = eval(rate()) * (eval(data()) - eval(position()));
  }
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval, Levels::modify<0, -1>) {
    eval(data()) = eval(d()) - eval(c()) * eval(data(0, 0, 1));
    eval(stage()) = eval(rate()) * (eval(data()) - eval(position()));
  }
};

}  // namespace bench

extern "C" void BENCH_NAME(vadv)(const std::int64_t* domain, void* const* data,
                                 const std::int64_t* strides, const double* scalars) {
  using namespace bench;
  const Arguments given{domain, data, strides};
  const auto stages = [](auto stage, auto u, auto w, auto position, auto tendency, auto rate) {
    GT_DECLARE_TMP(Real, c, d, column);
    return multi_pass(
        execute_forward()
            .k_cached(cache_io_policy::flush(), c, d)
            .stage(Forward(), c, d, stage, u, w, position, tendency, rate),
        execute_backward().k_cached(column).stage(Backward(), stage, column, c, d, position, rate));
  };
  run(stages, Backend(), given.grid(), given.get<0>(), given.get<1>(), given.get<2>(),
      given.get<3>(), given.get<4>(), make_global_parameter(static_cast<Real>(scalars[0])));
}
