// SPDX-License-Identifier: Apache-2.0
// Which constants should the order `tree` have? Sums of a row that sits in L1 and of one that does
// not, with different numbers of lanes: nanoseconds per element, and the error of float32 sums of
// 2^20 numbers in [0, 1) for different block lengths. docs/numerics.md quotes a run.
//
// The constants are part of what a program means and were fixed by this once; the benchmark stays
// so that the choice can be looked at, not so that it can be changed.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// gcc: AVX2 where the machine has it; the additions are the same.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif

// One block: lane e mod kLanes, then the lanes pairwise.
template <int kLanes, class T>
inline T block_sum(const T* x, std::size_t n) {
  T lanes[kLanes] = {};
  std::size_t e = 0;
  for (; e + kLanes <= n; e += kLanes)
    for (int l = 0; l < kLanes; ++l) lanes[l] += x[e + static_cast<std::size_t>(l)];
  for (int l = 0; e < n; ++e, ++l) lanes[l] += x[e];
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}

template <int kLanes, class T>
inline T tree_sum(const T* x, std::size_t n, std::size_t block) {
  std::vector<T> sums;
  for (std::size_t b = 0; b < n; b += block)
    sums.push_back(block_sum<kLanes>(x + b, std::min(block, n - b)));
  for (std::size_t step = 1; step < sums.size(); step *= 2)
    for (std::size_t b = 0; b + step < sums.size(); b += 2 * step) sums[b] += sums[b + step];
  return sums.empty() ? T(0) : sums[0];
}

#define SUMS(lanes)                                                             \
  CLONES float sum##lanes(const float* x, std::size_t n, std::size_t block) {   \
    return tree_sum<lanes>(x, n, block);                                        \
  }                                                                             \
  CLONES double sum##lanes(const double* x, std::size_t n, std::size_t block) { \
    return tree_sum<lanes>(x, n, block);                                        \
  }
SUMS(1)
SUMS(8)
SUMS(16)
SUMS(32)
SUMS(64)
SUMS(128)

template <class T>
using Sum = T (*)(const T*, std::size_t, std::size_t);

// The best of many runs, so that other work on the machine does not count.
template <class T>
double nanoseconds(Sum<T> sum, const std::vector<T>& x) {
  const std::size_t repeat = std::max<std::size_t>(1, (1u << 18) / x.size());
  double best = 1e9;
  volatile T sink = 0;
  for (int run = 0; run < 40; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t r = 0; r < repeat; ++r) sink = sink + sum(x.data(), x.size(), 4096);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / static_cast<double>(repeat * x.size()));
  }
  return best;
}

template <class T>
void speed_row(const char* name, std::size_t n) {
  const std::vector<T> x(n, T(1) / T(3));
  const Sum<T> sums[] = {sum1, sum8, sum16, sum32, sum64, sum128};
  std::printf("%-4s %8zu", name, n);
  for (Sum<T> sum : sums) std::printf(" %9.3f", nanoseconds(sum, x));
  std::printf("\n");
}

void error_row(std::size_t block) {
  double worst = 0;
  for (unsigned trial = 0; trial < 16; ++trial) {
    std::vector<float> x(1u << 20);
    unsigned state = 12345 + trial;
    double exact = 0;
    for (float& v : x) {
      state = state * 1664525u + 1013904223u;
      v = static_cast<float>(state >> 8) * 0x1p-24f;
      exact += static_cast<double>(v);
    }
    const double sum = sum64(x.data(), x.size(), block);
    worst = std::max(worst, std::fabs(sum - exact) / exact);
  }
  std::printf("block %7zu   largest relative error of 16 sums %.2e\n", block, worst);
}

}  // namespace

int main() {
  std::printf("ns per element by number of lanes (blocks of 4,096)\n");
  std::printf("%-4s %8s %9d %9d %9d %9d %9d %9d\n", "type", "length", 1, 8, 16, 32, 64, 128);
  for (std::size_t n : {32u, 64u, 256u, 4096u, 1u << 20}) {
    speed_row<float>("f32", n);
    speed_row<double>("f64", n);
  }
  std::printf("\nf32, 2^20 numbers in [0, 1), 64 lanes\n");
  for (std::size_t block : {64u, 256u, 1024u, 4096u, 16384u, 1u << 20}) error_row(block);
}
