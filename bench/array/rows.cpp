// SPDX-License-Identifier: Apache-2.0
#include "array/rows.h"

#include <fmt/format.h>

#include <map>

namespace lathe::bench {
namespace {

// What the machine must do at least, where that says something: at the size of memory.
struct Least {
  Limit limit;
  double goal = 0;  // of the limit's speed
};
const std::map<std::string, Least> kLeast = {{"chain", {Limit::Triad, 1 / 1.10}},
                                             {"softmax", {Limit::Copy}},
                                             {"distances", {Limit::Write}},
                                             {"outer", {Limit::Write}},
                                             {"stencil", {Limit::Copy, 1 / 1.15}},
                                             {"matmul", {Limit::Fma}},
                                             {"matvec", {Limit::Read}},
                                             {"layer_norm", {Limit::Copy}},
                                             {"cumsum", {Limit::Copy}},
                                             {"cumsum_flat", {Limit::Copy}},
                                             {"cumsum_rows", {Limit::Copy}},
                                             {"argmax", {Limit::Read}},
                                             {"argmax_rows", {Limit::Read}},
                                             {"sum", {Limit::Read}},
                                             {"sum_first", {Limit::Read}}};

double elements(const std::vector<std::int64_t>& shape) {
  double n = 1;
  for (const std::int64_t x : shape) n *= static_cast<double>(x);
  return n;
}

ArrayRow array_row(const Formula& f, const std::string& dtype, Scale scale) {
  ArrayRow made{&f, scale, scale == Scale::Small ? 100 : scale == Scale::Cache ? 5 : 1, {}};
  Row& r = made.row;
  const std::vector<ArrayInput> inputs = f.inputs(scale);
  r.bench = "array " + f.name;
  r.dtype = dtype;
  for (const std::int64_t n : inputs[0].shape)
    r.size_text += (r.size_text.empty() ? "" : "x") + std::to_string(n);
  const double width = dtype == "f32" ? 4 : 8;
  for (const ArrayInput& in : inputs) r.work += elements(in.shape) * (in.is_index ? 8 : width);
  r.work += elements(f.most(inputs)) * (f.finds_index ? 8 : width);
  if (const auto least = kLeast.find(f.name); least != kLeast.end() && scale == Scale::Memory) {
    r.limit = least->second.limit;
    if (r.limit == Limit::Fma) r.work = 2 * elements(inputs[0].shape) * 1024;
    if (least->second.goal > 0) r.goals.push_back({"limit", least->second.goal});
  }
  // The hand-written ones are softmax in float and distances in double (road/c/by_hand.c).
  r.by_hand = f.is_by_hand && scale == Scale::Memory && (dtype == "f32") == (f.name == "softmax");
  if (r.by_hand) r.goals.push_back({"hand", f.name == "softmax" ? 1 / 1.2 : 1 / 1.3});
  r.quick = scale != Scale::Memory || f.name == "chain" || f.name == "softmax";
  return made;
}

}  // namespace

std::string name_of(Scale scale) {
  constexpr const char* kNames[] = {"odd", "small", "cache", "memory"};
  return kNames[static_cast<int>(scale)];
}

bool has_limit(const ArrayRow& row) {
  return row.scale == Scale::Memory && kLeast.count(row.formula->name) > 0;
}

std::vector<ArrayRow> array_rows() {
  std::vector<ArrayRow> all;
  for (const Formula& f : formulas())
    for (const Scale scale : {Scale::Small, Scale::Cache, Scale::Memory})
      for (const char* dtype : {"f64", "f32"}) all.push_back(array_row(f, dtype, scale));
  return all;
}

}  // namespace lathe::bench
