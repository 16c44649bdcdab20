// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstring>

#include "device/host/machine_kernels.h"
#include "device/host/memory.h"
#include "device/host/pool.h"
#include "road/contender.h"

namespace lathe::bench {
namespace {

constexpr double kMostBytes = 480e6;  // beyond this a longer run says nothing new
constexpr double kFewestBytes = 24e6;

class LimitContender : public Contender {
 public:
  LimitContender(const Row& row, int threads)
      : kernels_(host::machine_kernels()), row_(row), threads_(threads) {
    who = "limit";
    if (row.limit == Limit::Fma) {
      rounds_ = 1 << 19;
      return;
    }
    const double parts = row.limit == Limit::Triad ? 3 : row.limit == Limit::Copy ? 2 : 1;
    const double bytes = std::clamp(row.work, kFewestBytes, kMostBytes) / parts;
    share_ = static_cast<std::int64_t>(bytes) / 8 / threads / 1024 * 1024;
    moved_ = parts * 8 * static_cast<double>(share_ * threads);
    for (std::size_t i = 0; i < static_cast<std::size_t>(parts); ++i) {
      host::Allocation got = host::MemoryPool::shared().allocate(share_ * 8 * threads);
      if (got.error) throw UserError(*got.error);
      arrays_[i] = std::move(got.block);
      std::fill_n(at(i, 0), share_ * threads, 1.0);
    }
  }

  double run() override {
    switch (row_.limit) {
      case Limit::Triad: return timed<&LimitContender::triad>() * row_.work / moved_;
      case Limit::Copy: return timed<&LimitContender::copy>() * row_.work / moved_;
      case Limit::Write: return timed<&LimitContender::write>() * row_.work / moved_;
      case Limit::Read: {
        // One stream or several: which of them is faster differs from machine to machine.
        const double one = timed<&LimitContender::read>();
        return std::min(one, timed<&LimitContender::read_streams>()) * row_.work / moved_;
      }
      case Limit::Fma: break;
    }
    const double width = row_.dtype == "f32" ? 4 : 8;
    const double done = 2.0 * host::kPerRound * kernels_.vector_bytes / width *
                        static_cast<double>(rounds_) * threads_;
    return timed<&LimitContender::fma>() * row_.work / done;
  }

  std::vector<double> sample(std::size_t) override { return {}; }

 private:
  double* at(std::size_t array, std::int64_t thread) const {
    return static_cast<double*>(arrays_[array].data()) + thread * share_;
  }
  void triad(std::int64_t t) { kernels_.triad(at(0, t), at(1, t), at(2, t), share_); }
  void copy(std::int64_t t) {
    std::memcpy(at(0, t), at(1, t), static_cast<std::size_t>(share_) * 8);
  }
  void write(std::int64_t t) { kernels_.write(at(0, t), share_); }
  void read(std::int64_t t) { sink_[t * 8] = kernels_.read(at(0, t), share_); }
  void read_streams(std::int64_t t) { sink_[t * 8] = kernels_.read_streams(at(0, t), share_); }
  void fma(std::int64_t t) {
    sink_[t * 8] = row_.dtype == "f32" ? kernels_.fma_f32(rounds_) : kernels_.fma_f64(rounds_);
  }

  template <void (LimitContender::*Step)(std::int64_t)>
  double timed() {
    const auto body = [](void* self, std::int64_t lo, std::int64_t hi) {
      for (std::int64_t t = lo; t < hi; ++t) (static_cast<LimitContender*>(self)->*Step)(t);
    };
    const auto begin = std::chrono::steady_clock::now();
    host::Pool::shared().parallel(body, this, 0, threads_, 1, threads_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  const host::MachineKernels& kernels_;
  Row row_;
  int threads_;
  std::int64_t share_ = 0, rounds_ = 0;
  double moved_ = 1;
  host::Block arrays_[3];
  double sink_[8 * 1024] = {};
};

}  // namespace

std::unique_ptr<Contender> make_limit(const Row& row, int threads) {
  return std::make_unique<LimitContender>(row, threads);
}

}  // namespace lathe::bench
