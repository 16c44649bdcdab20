// SPDX-License-Identifier: Apache-2.0
// The formulas as users of lathe/array.h write them, and the shapes of their inputs.

#include "array/rows.h"

namespace lathe::bench {
namespace {

using Arrays = std::vector<lathe::Array>;
using Inputs = std::vector<ArrayInput>;
using Lengths = std::vector<std::int64_t>;

std::int64_t pick(Scale scale, std::int64_t odd, std::int64_t small, std::int64_t cache,
                  std::int64_t memory) {
  const std::int64_t all[] = {odd, small, cache, memory};
  return all[static_cast<int>(scale)];
}
std::int64_t length(Scale s) { return pick(s, 1003, 1000, 100'000, 10'000'000); }

Inputs vectors(Scale s, std::size_t count) { return Inputs(count, {.shape = {length(s)}}); }
Inputs table(Scale s) {
  return {{.shape = {pick(s, 37, 10, 256, 4096), pick(s, 131, 100, 512, 4096)}}};
}
Inputs square(Scale s) {
  const std::int64_t n = pick(s, 45, 32, 400, 4096);
  return {{.shape = {n, n}}};
}
Lengths first_shape(const Inputs& in) { return in[0].shape; }
Lengths flat_shape(const Inputs& in) {
  std::int64_t n = 1;
  for (const std::int64_t x : in[0].shape) n *= x;
  return {n};
}
Lengths no_shape(const Inputs&) { return {}; }
Lengths all_pairs(const Inputs& in) { return {in[0].shape[0], in.back().shape[0]}; }

lathe::Array chain(const Arrays& x) { return x[0] * x[1] + x[2] * x[3]; }

lathe::Array softmax(const Arrays& in) {
  const lathe::Array& x = in[0];
  const lathe::Array e = exp(x - max(x, -1, true));
  return e / sum(e, -1, true);
}

lathe::Array distances(const Arrays& in) {
  const lathe::Array& x = in[0];
  const lathe::Array d = x(_, newaxis) - x(newaxis);
  return sqrt(sum(d * d, -1));
}

lathe::Array stencil(const Arrays& in) {
  const lathe::Array& u = in[0];
  const lathe::Array inner = u(range(1, -1), range(1, -1));
  return inner + 0.1 * (u(range(_, -2), range(1, -1)) + u(range(2, _), range(1, -1)) +
                        u(range(1, -1), range(_, -2)) + u(range(1, -1), range(2, _)) - 4 * inner);
}

lathe::Array layer_norm(const Arrays& in) {
  const lathe::Array& x = in[0];
  const lathe::Array middle = mean(x, -1, true), spread = var(x, -1, true);
  return (x - middle) / sqrt(spread + 1e-5) * in[1] + in[2];
}

std::vector<Formula> make_formulas() {
  std::vector<Formula> all;
  const auto add = [&](const char* name, auto graph, auto inputs, auto most) -> Formula& {
    all.push_back({.name = name, .graph = graph, .inputs = inputs, .most = most});
    return all.back();
  };
  add(
      "chain", chain, [](Scale s) { return vectors(s, 4); }, first_shape);
  add("softmax", softmax, table, first_shape).is_by_hand = true;
  add(
      "distances", distances,
      [](Scale s) {
        return Inputs{{.shape = {pick(s, 37, 32, 400, 4000), 3}}};
      },
      [](const Inputs& in) {
        return Lengths{in[0].shape[0], in[0].shape[0]};
      })
      .is_by_hand = true;
  add(
      "outer", [](const Arrays& x) { return outer(x[0], x[1]); },
      [](Scale s) {
        const std::int64_t n = pick(s, 37, 32, 400, 4000);
        return Inputs{{.shape = {n}}, {.shape = {n}}};
      },
      all_pairs);
  add("stencil", stencil, square, [](const Inputs& in) {
    return Lengths{in[0].shape[0] - 2, in[0].shape[1] - 2};
  });
  add(
      "matmul", [](const Arrays& x) { return einsum("ij,jk->ik", x); },
      [](Scale s) {
        const std::int64_t n = pick(s, 45, 32, 256, 1024);
        return Inputs{{.shape = {n, n}}, {.shape = {n, n}}};
      },
      first_shape);
  add(
      "batched", [](const Arrays& x) { return einsum("bij,bjk->bik", x); },
      [](Scale s) {
        const std::int64_t b = pick(s, 5, 4, 128, 2048);
        return Inputs{{.shape = {b, 32, 64}}, {.shape = {b, 64, 32}}};
      },
      [](const Inputs& in) {
        return Lengths{in[0].shape[0], 32, 32};
      });
  add(
      "bilinear", [](const Arrays& x) { return einsum("bi,ij,bj->b", x); },
      [](Scale s) {
        const std::int64_t b = pick(s, 37, 32, 256, 4096), n = pick(s, 21, 32, 128, 512);
        return Inputs{{.shape = {b, n}}, {.shape = {n, n}}, {.shape = {b, n}}};
      },
      [](const Inputs& in) { return Lengths{in[0].shape[0]}; });
  add(
      "matvec", [](const Arrays& x) { return einsum("ij,j->i", x); },
      [](Scale s) {
        const std::int64_t n = square(s)[0].shape[0];
        return Inputs{{.shape = {n, n}}, {.shape = {n}}};
      },
      [](const Inputs& in) { return Lengths{in[0].shape[0]}; });
  add(
      "layer_norm", layer_norm,
      [](Scale s) {
        Inputs in = table(s);
        for (int i = 0; i < 2; ++i) in.push_back({.shape = {in[0].shape[1]}});
        return in;
      },
      first_shape);
  // Sequential sums of f32 in the thousands are far from others.
  add(
      "cumsum", [](const Arrays& x) { return cumsum(x[0], 0); },
      [](Scale s) { return vectors(s, 1); }, first_shape)
      .rounding_times = 1000;
  add(
      "cumsum_flat", [](const Arrays& x) { return cumsum(reshape(x[0], {-1}), 0); }, table,
      flat_shape)
      .rounding_times = 1000;
  add(
      "cumsum_rows", [](const Arrays& x) { return cumsum(x[0], 1); }, table, first_shape)
      .rounding_times = 100;
  add(
      "gather", [](const Arrays& x) { return x[0](x[1]); },
      [](Scale s) {
        const std::int64_t n = length(s);
        return Inputs{{.shape = {n}}, {.shape = {n}, .below = n, .is_index = true}};
      },
      first_shape);
  add(
      "argmax", [](const Arrays& x) { return argmax(x[0]); }, [](Scale s) { return vectors(s, 1); },
      no_shape)
      .finds_index = true;
  add(
      "argmax_rows", [](const Arrays& x) { return argmax(x[0], 1); }, table,
      [](const Inputs& in) { return Lengths{in[0].shape[0]}; })
      .finds_index = true;
  add(
      "sum", [](const Arrays& x) { return sum(x[0]); }, [](Scale s) { return vectors(s, 1); },
      no_shape);
  add(
      "sum_first", [](const Arrays& x) { return sum(x[0], 0); }, table,
      [](const Inputs& in) { return Lengths{in[0].shape[1]}; })
      .rounding_times = 100;
  add(
      "sort", [](const Arrays& x) { return sort(x[0]); },
      [](Scale s) { return Inputs{{.shape = {pick(s, 1003, 1000, 100'000, 2'000'000)}}}; },
      first_shape);
  add(
      "searchsorted", [](const Arrays& x) { return searchsorted(sort(x[1]), x[0]); },
      [](Scale s) {
        return Inputs{{.shape = {length(s)}}, {.shape = {pick(s, 37, 100, 1000, 100'000)}}};
      },
      first_shape)
      .finds_index = true;
  add(
      "mask", [](const Arrays& x) { return x[0](x[0] > 0.5); },
      [](Scale s) { return vectors(s, 1); }, first_shape);
  add(
      "mask_rows", [](const Arrays& x) { return x[0](x[1] > 0.5); },
      [](Scale s) {
        Inputs in = table(s);
        in.push_back({.shape = {in[0].shape[0]}});
        return in;
      },
      first_shape);
  add(
      "unique", [](const Arrays& x) { return unique(x[0]); },
      [](Scale s) {
        const std::int64_t n = pick(s, 1003, 1000, 100'000, 2'000'000);
        return Inputs{{.shape = {n}, .below = n / 10}};
      },
      first_shape);
  return all;
}

}  // namespace

const std::vector<Formula>& formulas() {
  static const std::vector<Formula> all = make_formulas();
  return all;
}

}  // namespace lathe::bench
