// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs one function over a range on several threads.
//
//   pool.parallel(body, context, 0, rows, 1, 4);   // body(context, lo, hi) on pieces of 0..rows
//
// The caller works too. Workers are started when first needed, spin for some microseconds after a
// job and then sleep. A caller that finds the pool busy, a body that calls parallel() itself, and a
// range too small to share run inline. A forked child starts workers of its own.

#include <atomic>
#include <cstdint>

namespace lathe::host {

using Body = void (*)(void* context, std::int64_t lo, std::int64_t hi);

enum class Parallel {
  Done,
  Cancelled,  // some pieces did not run
  Threw,      // a body threw; pieces not yet begun did not run
};

class Pool {
 public:
  Pool();
  ~Pool();  // joins its workers; nobody may be inside parallel()
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The one that a process normally has. Never destroyed.
  static Pool& shared();

  // Calls body for pieces that cover lo..hi once, in no order; returns when all have returned.
  // Pieces are multiples of `grain` long, apart from the last. At most `threads` threads take part,
  // 0: hardware_threads(). With 1 and no `cancel`, one call body(context, lo, hi). `cancel` is read
  // before each piece. Rounding and denormals are as FloatModeGuard says while a body runs.
  // An exception of a body is caught here: generated code has no frames for it to pass through.
  Parallel parallel(Body body, void* context, std::int64_t lo, std::int64_t hi, std::int64_t grain,
                    int threads, const std::atomic<bool>* cancel = nullptr);

  // Workers that exist now; for tests.
  int workers() const;

 private:
  struct Team;

  Team& team();

  std::atomic<Team*> team_;
};

}  // namespace lathe::host
