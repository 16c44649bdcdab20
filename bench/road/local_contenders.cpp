// SPDX-License-Identifier: Apache-2.0
// Those who run in this process, on the same arrays: Lathe and C.

#include <dlfcn.h>

#include <chrono>

#include "road/contender.h"

namespace lathe::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class LatheContender : public Contender {
 public:
  LatheContender(api::Compiled& compiled, Workspace& space, int threads)
      : compiled_(compiled), space_(space), arguments_(space.call_arguments()) {
    who = "lathe";
    options_.threads = threads;
  }

  double run() override {
    const auto begin = std::chrono::steady_clock::now();
    compiled_.run(arguments_, options_);
    return seconds_since(begin);
  }
  std::vector<double> sample(std::size_t count) override { return space_.sample(count); }

 private:
  api::Compiled& compiled_;
  Workspace& space_;
  api::Compiled::Arguments arguments_;
  api::RunOptions options_;
};

class CContender : public Contender {
 public:
  using Function = void(const std::int64_t*, void* const*);

  CContender(std::string name, Function* function, Workspace& space)
      : function_(function), space_(space), sizes_(space.parameters()) {
    who = std::move(name);
    gap_seconds = 0.004;  // OpenMP's threads spin
    for (const Argument& a : space.arguments()) arrays_.push_back(a.memory.data());
  }

  double run() override {
    const auto begin = std::chrono::steady_clock::now();
    function_(sizes_.data(), arrays_.data());
    return seconds_since(begin);
  }
  std::vector<double> sample(std::size_t count) override { return space_.sample(count); }

 private:
  Function* function_;
  Workspace& space_;
  std::vector<std::int64_t> sizes_;
  std::vector<void*> arrays_;
};

}  // namespace

std::unique_ptr<Contender> make_lathe(api::Compiled& compiled, Workspace& space, int threads) {
  return std::make_unique<LatheContender>(compiled, space, threads);
}

std::unique_ptr<Contender> make_c(const std::string& who, const std::string& library,
                                  const Row& row, Workspace& space) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW);  // stays: rows share it
  if (!handle) return nullptr;
  void* const symbol = ::dlsym(handle, ("bench_" + row.bench).c_str());
  if (!symbol) return nullptr;
  return std::make_unique<CContender>(who, reinterpret_cast<CContender::Function*>(symbol), space);
}

}  // namespace lathe::bench
