// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fields.h"

namespace bench {

struct Laplacian {
  using out = inout_accessor<0>;
  using phi = in_accessor<1, extent<-1, 1, -1, 1>>;
  using param_list = make_param_list<out, phi>;
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval) {
    eval(out()) = Real(4) * eval(phi()) - (eval(phi(-1, 0, 0)) + eval(phi(1, 0, 0)) +
                                           eval(phi(0, -1, 0)) + eval(phi(0, 1, 0)));
  }
};

template <int I, int J>
struct Flux {
  using out = inout_accessor<0>;
  using phi = in_accessor<1, extent<0, I, 0, J>>;
  using lap = in_accessor<2, extent<0, I, 0, J>>;
  using param_list = make_param_list<out, phi, lap>;
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval) {
    const Real flux = eval(lap(I, J, 0)) - eval(lap());
    eval(out()) = flux * (eval(phi(I, J, 0)) - eval(phi())) <= Real(0) ? flux : Real(0);
  }
};

struct Divergence {
  using out = inout_accessor<0>;
  using phi = in_accessor<1>;
  using coeff = in_accessor<2>;
  using flx = in_accessor<3, extent<-1, 0, 0, 0>>;
  using fly = in_accessor<4, extent<0, 0, -1, 0>>;
  using param_list = make_param_list<out, phi, coeff, flx, fly>;
  template <class Evaluation>
  GT_FUNCTION static void apply(Evaluation&& eval) {
    eval(out()) = eval(phi()) - eval(coeff()) * (eval(flx()) - eval(flx(-1, 0, 0)) + eval(fly()) -
                                                 eval(fly(0, -1, 0)));
  }
};

}  // namespace bench

extern "C" void BENCH_NAME(hdiff)(const std::int64_t* domain, void* const* data,
                                  const std::int64_t* strides, const double*) {
  using namespace bench;
  const Arguments given{domain, data, strides};
  const auto stages = [](auto phi, auto coeff, auto out) {
    GT_DECLARE_TMP(Real, lap, flx, fly);
    return execute_parallel()
        .ij_cached(lap, flx, fly)
        .stage(Laplacian(), lap, phi)
        .stage(Flux<1, 0>(), flx, phi, lap)
        .stage(Flux<0, 1>(), fly, phi, lap)
        .stage(Divergence(), out, phi, coeff, flx, fly);
  };
  run(stages, Backend(), given.grid(), given.get<0>(), given.get<1>(), given.get<2>());
}
