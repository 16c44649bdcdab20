// SPDX-License-Identifier: Apache-2.0
#pragma once
// Facts about this machine that decisions and benchmarks need: what it is, and what it can reach.

#include <cstdint>
#include <string>

namespace lathe::host {

// What was reached: bytes per second from and to memory (arrays larger than caches when memory
// allows; bytes as the program counts them), and operations per second in registers.
struct Rates {
  double read = 0;          // one stream per thread
  double read_streams = 0;  // four streams per thread
  double write = 0;         // streaming stores
  double triad = 0;         // a[i] = b[i] + s*c[i], streaming stores: 24 bytes per element
  double copy = 0;          // the C library's memcpy: 16 bytes per element
  double fma_f32 = 0;       // two operations per fused multiply-add
  double fma_f64 = 0;
  double mixed_f64 = 0;  // one operation each: as many additions as products
  double div_f64 = 0, sqrt_f64 = 0;

  double best_read() const { return read > read_streams ? read : read_streams; }
};

struct Machine {
  std::string name;   // x86-64-v4
  std::string model;  // the processor's own name
  int vector_bytes = 16;
  int threads = 1;  // hardware_threads()
  std::int64_t l1d_bytes = 0, l2_bytes = 0, l3_bytes = 0;
  std::int64_t memory_bytes = 0;  // memory_limit()

  Rates one;  // one thread
  Rates all;  // `threads` threads
  bool has_rates = false;
  // Measured while other programs were busy: rates may be too low. Measured again ten minutes
  // later, and the better of both counts.
  bool hurried = false;
};

// What needs no measuring.
Machine machine_facts();

// With rates: from this process's memory, else from the file that an earlier process wrote into
// `folder` for the same processor and number of threads (empty: default_cache_folder()), else
// measured now, in less than 1.5 s, and written there. `force` measures in any case; while other
// programs are busy, the better of old and new counts. A folder that cannot be used is no error.
// Thread-safe.
Machine measured(bool force = false, const std::string& folder = {});

// Of two measurements, the better of each rate: other programs can only make them worse. No longer
// hurried when one of them was not.
void keep_better(Machine& machine, const Machine& other);

// The file's text and back; for tests and `lathe bench`. False when the text is of another machine,
// damaged or incomplete.
std::string print_rates(const Machine& machine);
bool parse_rates(const std::string& text, Machine& machine);

}  // namespace lathe::host
