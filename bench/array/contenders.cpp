// SPDX-License-Identifier: Apache-2.0
#include "array/contenders.h"

#include <dlfcn.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

namespace lathe::bench {
namespace {

template <class Step>
double seconds_of(int repeat, Step&& step) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; ++i) step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeat;
}

class LatheArrays : public Contender {
 public:
  LatheArrays(const ArrayRow& row, const ArrayData& data, int threads)
      : repeat_(row.repeat), threads_(threads) {
    who = "lathe";
    std::vector<lathe::Array> inputs;
    for (const lathe::View& view : data.inputs()) inputs.push_back(refer(view));
    graph_ = row.formula->graph(inputs);
  }
  // The result of the last run goes before the next one begins, as in `x = f(x)`.
  double run() override {
    return seconds_of(repeat_, [&] {
      result_.reset();
      result_ = graph_.eval({}, threads_);
    });
  }
  std::vector<double> sample(std::size_t count) override {
    return sample_of(result_->view(), count);
  }

 private:
  int repeat_, threads_;
  lathe::Array graph_;
  std::optional<lathe::Array> result_;
};

class CArrays : public Contender {
 public:
  using Function = std::int64_t(const std::int64_t*, void* const*);

  CArrays(std::string name, Function* function, bool counts, const ArrayRow& row,
          const ArrayData& data)
      : function_(function),
        counts_(counts),
        repeat_(row.repeat),
        lengths_(data.lengths()),
        result_(data.result()) {
    who = std::move(name);
    gap_seconds = 0.004;  // OpenMP's threads spin
    for (const lathe::View& view : data.inputs()) arrays_.push_back(view.data());
    arrays_.push_back(result_.data());
  }
  double run() override {
    return seconds_of(repeat_, [&] { count_ = function_(lengths_.data(), arrays_.data()); });
  }
  std::vector<double> sample(std::size_t count) override {
    if (!counts_ || count_ == 0) return sample_of(result_, count);
    return sample_of(lathe::View(result_.dtype(), result_.data(), {count_}), count);
  }

 private:
  Function* function_;
  bool counts_;
  int repeat_;
  std::int64_t count_ = 0;
  std::vector<std::int64_t> lengths_;
  std::vector<void*> arrays_;
  lathe::View result_;
};

}  // namespace

std::unique_ptr<Contender> make_lathe(const ArrayRow& row, const ArrayData& data, int threads) {
  return std::make_unique<LatheArrays>(row, data, threads);
}

std::unique_ptr<Contender> make_c(const std::string& who, const std::string& library,
                                  const ArrayRow& row, const ArrayData& data) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW);  // stays: rows share it
  if (!handle) return nullptr;
  void* const symbol = ::dlsym(handle, ("bench_" + row.formula->name).c_str());
  if (!symbol) return nullptr;
  // The hand-written ones return nothing.
  return std::make_unique<CArrays>(who, reinterpret_cast<CArrays::Function*>(symbol), who == "c",
                                   row, data);
}

std::unique_ptr<Contender> make_peer(Peer& peer, const ArrayRow& row, std::string& why) {
  if (!peer.is_ready()) return why = peer.what(), nullptr;
  nlohmann::ordered_json task = {{"formula", row.formula->name},
                                 {"dtype", row.row.dtype},
                                 {"size", name_of(row.scale)},
                                 {"repeat", row.repeat},
                                 {"inputs", nlohmann::ordered_json::array()}};
  for (const ArrayInput& in : row.formula->inputs(row.scale))
    task["inputs"].push_back({{"shape", in.shape}, {"below", in.below}, {"is_index", in.is_index}});
  const std::string reply = peer.ask("setup " + task.dump());
  if (reply == "ok") return peer.contender();
  why = reply.substr(std::min(reply.size(), reply.find(' ') + 1));
  return nullptr;
}

}  // namespace lathe::bench
