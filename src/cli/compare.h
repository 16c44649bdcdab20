// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two arrays element by element.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interp/interpreter.h"

namespace lathe::cli {

inline constexpr std::uint64_t kNoUlps = ~std::uint64_t{0};  // a NaN and a number; not floats

// How many floats lie from one to the other, in the dtype that both have; +0 and -0 are one.
std::uint64_t ulps_between(const ir::Scalar& a, const ir::Scalar& b);

struct Comparison {
  ir::DType dtype = ir::DType::F64;  // the narrower one of the two: where ulps are counted
  std::int64_t elements = 0, different = 0;
  std::uint64_t max_ulps = 0;       // of those that differ; kNoUlps where that says nothing
  bool ranges_differ = false;       // then nothing else is known
  std::vector<std::int64_t> first;  // index of the first different element
  ir::Scalar a, b;                  // there, as they are
  std::uint64_t ulps = 0;           // there

  bool equal() const { return different == 0 && !ranges_differ; }
};

// Floats up to `ulps` apart count as equal. Arrays of two float dtypes are compared in the
// narrower.
Comparison compare(const interp::Buffer& a, const interp::Buffer& b, std::uint64_t ulps);

// 0x3ff0000000000000, as wide as the dtype.
std::string bits_text(const ir::Scalar& s);

}  // namespace lathe::cli
