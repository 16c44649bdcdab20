// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bench's fields as GridTools wants them, with a stride that the compiler knows where rows lie
// densely; and the names that bench/stencil/contenders.cpp looks for. Compiled by tools/bench for
// each REAL and backend, into libraries of their own: types of the same name differ between them.

#include <cstdint>
#include <gridtools/stencil/cartesian.hpp>
#include <gridtools/stencil/cpu_ifirst.hpp>
#include <gridtools/stencil/cpu_kfirst.hpp>
#include <gridtools/stencil/global_parameter.hpp>

namespace bench {

using namespace gridtools;
using namespace stencil;
using namespace cartesian;

using Real = REAL;
using Unit = integral_constant<int_t, 1>;

#if defined(BENCH_IFIRST)
using Backend = cpu_ifirst<>;
using StrideI = Unit;
using StrideK = int_t;
#define BENCH_NAME(stencil) bench_##stencil##_KJI
#else
using Backend = cpu_kfirst<>;
using StrideI = int_t;
using StrideK = Unit;
#define BENCH_NAME(stencil) bench_##stencil##_IJK
#endif

inline void set(Unit&, std::int64_t) {}
inline void set(int_t& to, std::int64_t stride) { to = static_cast<int_t>(stride); }

// Fields of one kind have the same strides; each argument has its own.
template <int Argument>
struct Kind {};

// data: the first point of the domain; strides in elements.
template <int Argument>
auto field(void* data, const std::int64_t* strides) {
  using Strides = hymap::keys<dim::i, dim::j, dim::k>::values<StrideI, int_t, StrideK>;
  StrideI i{};
  StrideK k{};
  set(i, strides[0]);
  set(k, strides[2]);
  return sid::synthetic()
      .set<sid::property::origin>(sid::make_simple_ptr_holder(static_cast<Real*>(data)))
      .set<sid::property::strides>(Strides(i, static_cast<int_t>(strides[1]), k))
      .template set<sid::property::strides_kind, Kind<Argument>>();
}

struct Arguments {
  const std::int64_t* domain;
  void* const* data;
  const std::int64_t* strides;

  template <int Argument>
  auto get() const {
    return field<Argument>(data[Argument], strides + 3 * Argument);
  }
  auto grid() const {
    return make_grid(static_cast<int_t>(domain[0]), static_cast<int_t>(domain[1]),
                     axis<1>(static_cast<int_t>(domain[2])));
  }
};

using Levels = axis<1>::full_interval;

}  // namespace bench
