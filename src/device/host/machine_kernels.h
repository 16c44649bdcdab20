// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops that machine.cpp times, in the widest form this processor has.

#include <cstdint>

namespace lathe::host {

// Counts are of elements and multiples of 256; arrays are aligned to 64 bytes. Results are returned
// so that no compiler leaves the work out.
struct MachineKernels {
  double (*read)(const double* p, std::int64_t n);
  double (*read_streams)(const double* p, std::int64_t n);  // four quarters at once
  void (*write)(double* a, std::int64_t n);                 // streaming stores
  void (*triad)(double* a, const double* b, const double* c, std::int64_t n);
  // `rounds` rounds of kPerRound vectors; returns something made of all of them.
  double (*fma_f32)(std::int64_t rounds);
  double (*fma_f64)(std::int64_t rounds);
  double (*mixed_f64)(std::int64_t rounds);  // every other one an addition, the others products
  double (*div_f64)(std::int64_t rounds);
  double (*sqrt_f64)(std::int64_t rounds);
  int vector_bytes;
};

inline constexpr int kPerRound = 12;  // enough to keep two units with a latency of four busy

const MachineKernels& machine_kernels();

}  // namespace lathe::host
