// SPDX-License-Identifier: Apache-2.0
// How fast is the reference interpreter? Element operations a second on one core, for a stencil, a
// matrix product, a row sum and exp. The aim of tests is 20 million; rows make it many times that.

#include "interp/interpreter.h"

#include <chrono>
#include <cstdio>

#include "base/diagnostics.h"
#include "ir/text.h"

namespace {

using namespace lathe;

struct Case {
  const char* name;
  const char* text;
  double operations;  // element operations of one run, at n = 512
};

constexpr double kN = 512;
const Case kCases[] = {
    {"diffuse f64 512x512", R"(program p(n: size)
  input  u: f64[i: n, j: n]
  output v: f64[i: n, j: n]
  for i in 1..n-1, j in 1..n-1:
    v[i, j] = u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4.0 * u[i, j]
)",
     5 * (kN - 2) * (kN - 2)},
    {"matmul f64 512^3 / 16", R"(program p(n: size)
  input  u: f64[i: n, j: n]
  output v: f64[i: n, j: n]
  for i in 0..n // 16, j in 0..n, k in 0..n: v[i, j] += u[i, k] * u[k, j]
)",
     2 * kN* kN* kN / 16},
    {"row sums f64 512x512", R"(program p(n: size)
  input  u: f64[i: n, j: n]
  output v: f64[i: n]
  for i in 0..n: v[i] = sum j in 0..n: u[i, j]
)",
     kN* kN},
    {"3x3 convolution f64", R"(program p(n: size)
  input  u: f64[i: n, j: n]
  output v: f64[i: n, j: n]
  for i in 1..n-1, j in 1..n-1: v[i, j] = sum a in 0..3, b in 0..3: u[i+a-1, j+b-1]
)",
     9 * (kN - 2) * (kN - 2)},
    {"exp f64 512x512", R"(program p(n: size)
  input  u: f64[i: n, j: n]
  output v: f64[i: n, j: n]
  for i in 0..n, j in 0..n: v[i, j] = exp(u[i, j])
)",
     kN* kN},
};

double seconds_of(const ir::Program& program, interp::State& state) {
  const auto begin = std::chrono::steady_clock::now();
  interp::run(program, state);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
  std::printf("%-26s %14s %16s\n", "program", "seconds a run", "operations a s");
  for (const Case& c : kCases) {
    Diagnostics diagnostics;
    const auto program = ir::parse_program("bench.lathe", c.text, diagnostics);
    if (!program) {
      std::printf("%s does not parse\n", c.name);
      return 1;
    }
    interp::State state;
    state.parameters["n"] = ir::Scalar::of_int(ir::DType::I64, static_cast<std::int64_t>(kN));
    interp::Buffer u = interp::make_buffer(ir::DType::F64, {0, 0}, {512, 512});
    for (std::int64_t i = 0; i < 512; ++i)
      for (std::int64_t j = 0; j < 512; ++j) {
        const std::int64_t index[] = {i, j};
        u.set(index, ir::Scalar::of_double(ir::DType::F64, static_cast<double>(i ^ j) / 512));
      }
    state.arrays["u"] = u;
    double best = seconds_of(*program, state);
    for (int run = 0; run < 4; ++run) best = std::min(best, seconds_of(*program, state));
    std::printf("%-26s %14.6f %16.3g\n", c.name, best, c.operations / best);
  }
}
