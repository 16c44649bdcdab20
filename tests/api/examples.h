// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small programs that several tests call, and what was said when something was refused.

#include <lathe/lathe.h>

#include <string>

namespace lathe::testing {

inline const char* const kScale = R"(program scale(n: size, a: f64)
  input  u: f64[i: n]
  output v: f64[i: n]

  for i in 0..n: v[i] = a * u[i] + 1
)";

// Reads neighbours: what happens to aliases shows.
inline const char* const kShift = R"(program shift(n: size, m: size)
  input  u: f64[i: n, j: m]
  inout  v: f64[i: n, j: m]

  for i in 1..n, j in 0..m: v[i, j] = v[i, j] + u[i-1, j]
)";

inline const char* const kPick = R"(program pick(n: size)
  input  m: bool[i: n]
  temp   c: i64
  output p: i64[i: c]

  call nonzero_count(m) -> c
  call nonzero(m) -> p
)";

inline Program program(const char* text) { return Program::from_text("test.lathe", text); }
inline Kernel kernel(const char* text) { return program(text).compile(); }

// The code and the whole text of what f throws: "3 error: ...".
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return std::to_string(static_cast<int>(e.code())) + " " + e.what();
  }
  return "nothing was refused";
}

}  // namespace lathe::testing
