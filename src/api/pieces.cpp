// SPDX-License-Identifier: Apache-2.0
#include "api/pieces.h"

#include <algorithm>

#include "device/host/limits.h"
#include "device/host/pool.h"

namespace lathe::api {
namespace {

struct Work {
  std::int64_t length, pieces;
  FunctionRef<void(std::int64_t, std::int64_t, std::int64_t)> f;

  static void run(void* context, std::int64_t lo, std::int64_t hi) {
    const Work& w = *static_cast<const Work*>(context);
    for (std::int64_t p = lo; p < hi; ++p)
      w.f(p, w.length * p / w.pieces, w.length * (p + 1) / w.pieces);
  }
};

}  // namespace

std::int64_t piece_count(std::int64_t length, int threads, std::int64_t least) {
  const std::int64_t most = threads > 0 ? threads : host::hardware_threads();
  return std::clamp<std::int64_t>(length / least, 1, std::min(most, kMostPieces));
}

void in_pieces(std::int64_t length, std::int64_t pieces,
               FunctionRef<void(std::int64_t, std::int64_t, std::int64_t)> f) {
  Work work{length, pieces, f};
  if (pieces == 1) return Work::run(&work, 0, 1);
  host::Pool::shared().parallel(Work::run, &work, 0, pieces, 1, static_cast<int>(pieces));
}

}  // namespace lathe::api
