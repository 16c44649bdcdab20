// SPDX-License-Identifier: Apache-2.0
// Bytes count every array once: read inputs, written outputs, both for those updated in place.

#include "road/rows.h"

namespace lathe::bench {
namespace {

double bytes_of(const std::string& dtype) { return dtype == "f32" ? 4 : 8; }

Row row(std::string bench, std::string dtype, Sizes sizes, std::string text, Limit limit,
        double elements, std::vector<Goal> goals) {
  Row r;
  r.bench = std::move(bench);
  r.dtype = std::move(dtype);
  r.sizes = std::move(sizes);
  r.size_text = std::move(text);
  r.limit = limit;
  r.work = elements * bytes_of(r.dtype);
  r.goals = std::move(goals);
  r.goals.push_back({"c", 0.97});
  r.goals.push_back({"numpy", 0.97});
  r.quick = true;
  return r;
}

Row matmul(const std::string& dtype, std::int64_t n) {
  const double side = static_cast<double>(n);
  Row r = row("matmul", dtype, {{"n", n}}, std::to_string(n), Limit::Fma, 0, {});
  r.goals = {{"c", 0.97}};
  if (n >= 512) r.goals.push_back({"blas", 0.85});
  r.work = 2 * side * side * side;
  r.blas = r.torch = true;
  r.quick = n == 512 || (n == 1024 && dtype == "f32");
  return r;
}

}  // namespace

std::vector<Row> all_rows() {
  constexpr double kMillion = 1e6;
  const std::int64_t n = 10'000'000;
  std::vector<Row> out;
  out.push_back(
      row("chain", "f64", {{"n", n}}, "1e7", Limit::Triad, 50 * kMillion, {{"limit", 1 / 1.10}}));
  out.push_back(
      row("total", "f64", {{"n", n}}, "1e7", Limit::Read, 10 * kMillion, {{"limit", 0.9}}));
  out.push_back(row("dot", "f64", {{"n", n}}, "1e7", Limit::Read, 20 * kMillion, {{"limit", 0.9}}));
  out.push_back(row("first_axis_sum", "f64", {{"n", 10000}, {"m", 1000}}, "10000x1000", Limit::Read,
                    10 * kMillion, {}));
  out.push_back(row("diffusion", "f64", {{"n", 4096}, {"m", 4096}}, "4096^2", Limit::Triad,
                    2 * 4096.0 * 4096.0, {{"limit", 0.72}}));
  for (const std::int64_t side : {256, 1024})
    for (const char* dtype : {"f64", "f32"}) {
      const double points = static_cast<double>(side * side * 80);
      out.push_back(row("hdiff", dtype, {{"nk", 80}, {"n", side}, {"m", side}},
                        std::to_string(side) + "^2x80", Limit::Triad, 3 * points,
                        {{"limit", 0.72}}));
      out.back().quick = side == 256;
    }
  out.push_back(row("vadv", "f64", {{"nk", 80}, {"n", 256}, {"m", 256}}, "256^2x80", Limit::Triad,
                    6 * 256.0 * 256.0 * 80, {{"limit", 1 / 1.8}}));
  for (const char* dtype : {"f32", "f64"})
    for (const std::int64_t side : {256, 512, 1024, 2048}) out.push_back(matmul(dtype, side));
  out.push_back(row("softmax", "f32", {{"n", 4096}, {"m", 1024}}, "4096x1024", Limit::Copy,
                    2 * 4096.0 * 1024.0, {{"hand", 1 / 1.2}}));
  out.back().by_hand = out.back().torch = true;
  out.push_back(row("distances", "f64", {{"n", 2000}}, "2000^2x3", Limit::Write, 2000.0 * 2000.0,
                    {{"hand", 1 / 1.3}}));
  out.back().by_hand = true;
  return out;
}

Sizes small_sizes(const std::string& bench) {
  if (bench == "hdiff" || bench == "vadv") return {{"nk", 5}, {"n", 13}, {"m", 77}};
  if (bench == "first_axis_sum" || bench == "diffusion" || bench == "softmax")
    return {{"n", 45}, {"m", 131}};
  if (bench == "matmul" || bench == "distances") return {{"n", 77}};
  return {{"n", 10007}};
}

}  // namespace lathe::bench
