// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rows of the stencil bench: a stencil of examples/stencil at one dtype, domain and order of
// axes in memory each. What the road's machinery asks about a row is in `row`.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "road/rows.h"

namespace lathe::bench {

enum class Use { Read, Write, Update };

struct FieldRow {
  std::string name;
  Use use = Use::Read;
  int halo = 0;              // elements before and after the domain in I and J
  double low = 0, high = 1;  // of the numbers it is filled with
  bool has_k = true, is_int = false;
};

struct Definition {
  std::string name;      // in the table
  std::string file;      // of examples/stencil
  std::string function;  // there
  std::vector<FieldRow> fields;
  std::vector<std::pair<std::string, double>> scalars;
  double moved = 0;           // fields that go through memory at least: read, written, or both
  double of_limit = 0;        // aimed at; 0: nothing
  bool is_large = false;      // also at 1024x1024
  bool is_fresh = false;      // a second run on its own results would have less to do
  double rounding_times = 1;  // what results may differ by, against one of few operations
};

using Domain = std::array<std::int64_t, 3>;

struct StencilRow {
  const Definition* definition = nullptr;
  std::string layout;  // axes, the dense one last
  Domain domain = {};
  Row row;
};

const std::vector<Definition>& definitions();
std::vector<StencilRow> stencil_rows();

// With remainders everywhere, and room for all halos and levels.
constexpr Domain kSmallDomain = {21, 19, 17};

}  // namespace lathe::bench
