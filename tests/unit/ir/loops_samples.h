// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels written by hand, in the printer's own style, for the tests of the text form, the verifier
// and the interpreter of loops.

#include <stdexcept>
#include <string>
#include <string_view>

namespace lathe::loops {

struct Sample {
  std::string_view name, text;
};

inline constexpr Sample kSamples[] = {
    {"diffuse", R"(kernel diffuse(n: size, m: size, a: f64)
  argument u: f64[0..n, 0..m] input unit
  argument v: f64[0..n, 0..m] output unit
  scratch lap: f64[0..n, 0..m]

  # lap: examples/diffuse.lathe:8
  parallel i in 1..n-1 grain 16:
    vector j in 1..m-1 by 8:
      let t.0 = u[i, j-1] + u[i, j+1]
      let t.1 = u[i-1, j] + u[i+1, j]
      lap[i, j] = t.0 + t.1 - 4 * u[i, j]
  parallel i in 0..n:
    for j in 0..m:
      if 1 <= i and i < n-1 and 1 <= j and j < m-1:
        v[i, j] = u[i, j] + a * lap[i, j]
      else:
        v[i, j] = u[i, j]
)"},
    {"matmul", R"(kernel matmul(n: size, m: size, p: size)
  argument a: f64[0..n, 0..p] input unit
  argument b: f64[0..p, 0..m] input unit
  argument c: f64[0..n, 0..m] output unit

  parallel i in 0..n // 2 * 2 step 2:
    for j in 0..m // 8 * 8 step 8:
      lanes acc.0: f64[0..8]
      lanes acc.1: f64[0..8]
      vector l in 0..8 by 8:
        acc.0[l] = 0
        acc.1[l] = 0
      for k in 0..p:
        vector l in 0..8 by 8:
          let x = b[k, j + l]
          acc.0[l] = fma(a[i, k], x, acc.0[l])
          acc.1[l] = fma(a[i+1, k], x, acc.1[l])
      vector l in 0..8 by 8:
        c[i, j + l] = acc.0[l]
        stream c[i+1, j + l] = acc.1[l]
  # what does not fill a tile
  for i in 0..n:
    let first = select(i < n // 2 * 2, m // 8 * 8, 0)
    for j in first..m:
      var acc: f64 = 0
      for k in 0..p:
        acc = fma(a[i, k], b[k, j], acc)
      c[i, j] = acc
)"},
    {"tree_sum", R"(kernel tree_sum(n: size)
  argument x: f64[0..n] input unit
  argument s: f64 output

  lanes acc: f64[0..64]
  stack part: f64[0..64]
  vector l in 0..64 by 64:
    acc[l] = -0.0
  for e in 0..n // 64 * 64 step 64:
    vector l in 0..64 by 64:
      acc[l] = acc[l] + x[e + l]
  vector l in 0..64 by 64:
    part[l] = acc[l]
  for e in n // 64 * 64..n:
    part[e % 64] = part[e % 64] + x[e]
  vector l in 0..32 by 32:
    part[l] = part[l] + part[l+32]
  vector l in 0..16 by 16:
    part[l] = part[l] + part[l+16]
  vector l in 0..8 by 8:
    part[l] = part[l] + part[l+8]
  vector l in 0..4 by 4:
    part[l] = part[l] + part[l+4]
  vector l in 0..2 by 2:
    part[l] = part[l] + part[l+2]
  s = 0 + (part[0] + part[1])
)"},
    {"sweep", R"(kernel sweep(n: size, m: size)
  argument a: f64[0..n, 0..m] input unit
  argument d: f64[0..n, 0..m] input unit
  argument x: f64[0..n, 0..m] output unit

  parallel i in 0..n:
    thread w: f64[0..m]
    thread g: f64[0..m] layout 0
    for k in 0..m:
      if k == 0:
        w[k] = a[i, k] / 4
        g[k] = d[i, k] / 4
      else:
        let scale = 4 - a[i, k] * w[k-1]
        w[k] = a[i, k] / scale
        g[k] = (d[i, k] - a[i, k] * g[k-1]) / scale
    for k in 0..m down:
      x[i, k] = g[k] - select(k < m-1, w[k] * x[i, k+1], 0)
)"},
    {"gather", R"(kernel gather(n: size, m: size)
  argument u: f64[0..n] input unit
  argument index: i32[0..m] input unit
  argument v: f64[0..m] output unit
  site 0: range of u in v (k)

  for k in 0..m:
    let at = i64(index[k])
    if at < 0 or n <= at:
      fault 0 (at, k)
    v[k] = u[at]
)"},
    {"heat_steps", R"(kernel heat_steps(n: size, steps: size)
  argument u: f64[0..n] inout unit
  scratch next: f64[0..n]

  for t in 0..steps:
    next[0] = u[0]
    next[n-1] = u[n-1]
    parallel i in 1..n-1 grain 64:
      next[i] = 0.5 * u[i] + 0.25 * (u[i-1] + u[i+1])
    rotate u, next
    break if u[1] < 1e-06
)"},
    {"compact", R"(kernel compact(n: size)
  argument mask: bool[0..n] input unit
  argument u: f64[0..n] input unit
  scratch count: i64

  count.0: call nonzero_count(mask) -> count
  allocate scratch at: i64[0..count]
  allocate argument kept: f64[0..count] output unit
  call nonzero(mask) -> at
  for k in 0..count:
    kept[k] = u[at[k]]
)"},
    {"blend", R"(kernel blend(n: size, m: size)
  argument u: u8[0..n, 0..m, 0..4] input unit
  argument v: f32[0..m, 0..n] output
  table weight: f32[0..3] = [0.25, 0.5, 0.25]
  table turn: i64[0..2, 1..3] = [[0, 1], [1, 0]] layout 1, 0

  parallel i in 0..n:
    prefetch u[i+1, 0, 0]
    for j in 0..m:
      load p = u[i, j, 0] width 4
      let r = f32(p[0]) * weight[0]
      let g = f32(p[1]) * weight[1]
      let b = f32(p[2]) * weight[2]
      v[j, i] = select(turn[1, 1] == 1, (r + g + b) * (f32(p[3]) / 255), 0)
)"},
    {"rounds", R"(kernel rounds(n: size, cap: i64)
  argument x: i64[0..n] inout
  site 0: while_cap in collatz (i)
  site 1: division in collatz (i)  # 100 // x[i]
  site 2: range write of y at x in spread (i)

  for i in 0..n:
    var round: i64 = 0
    for never in 0..9223372036854775807:
      break if x[i] <= 1
      if cap <= round:
        fault 0 (round, i)
      x[i] = select(x[i] % 2 == 0, x[i] // 2, 3 * x[i] + 1)
      round = round+1
    if x[i] == 0:
      fault 1 (i)
    x[i] = round + 0 * (100 // x[i])
    if 1000 < x[i]:
      fault 2 (x[i], i)
)"},
    {"shared", R"(kernel shared(n: size)
  argument u: f32[0..n] input unit
  argument v: f32[0..n] output unit

  vector i in 0..n by 4:
    let t1 = u[i]
    v[i] = let t2 = sqrt(t1 * t1 + 2 * t1 + 3 * t1 * (t1 + 1)) in t2 / (1 + t2 * t2 * t2)
)"},
    {"masked", R"(kernel masked(n: size)
  argument u: f64[-1..n+1] input
  argument flag: bool[0..n] input
  argument v: f16[0..n] output

  for i in 0..n:
    let on = flag[i] and (0 < i or not flag[0])
    v[i] = f16(select(on, u[i-1], gate(flag[i], u[i+1])))
)"},
    {"empty", R"(kernel empty()
)"},
    {"holes", R"(kernel holes(n: size)

  for i in 0..n:
  if n < 3:
  else:
    #
    #  two blanks
    for i in 0..n step 3 down:
      # alone
)"},
};

inline std::string_view sample(std::string_view name) {
  for (const Sample& s : kSamples)
    if (s.name == name) return s.text;
  throw std::out_of_range("no sample " + std::string(name));
}

}  // namespace lathe::loops
