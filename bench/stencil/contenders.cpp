// SPDX-License-Identifier: Apache-2.0
#include "stencil/contenders.h"

#include <dlfcn.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace lathe::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Runs on the fields of this process.
class LocalContender : public Contender {
 public:
  LocalContender(const StencilRow& row, Fields& fields)
      : fields_(fields), is_fresh_(row.definition->is_fresh) {}

  double run() final {
    if (is_fresh_) fields_.restore();
    const auto begin = std::chrono::steady_clock::now();
    call();
    return seconds_since(begin);
  }
  std::vector<double> sample(std::size_t count) final { return fields_.sample(count); }

 protected:
  virtual void call() = 0;

  Fields& fields_;

 private:
  bool is_fresh_;
};

class LatheContender : public LocalContender {
 public:
  LatheContender(lathe::Stencil stencil, const StencilRow& row, Fields& fields, int threads)
      : LocalContender(row, fields), stencil_(std::move(stencil)), domain_(fields.domain()) {
    who = "lathe";
    options_.threads = threads;
    for (const FieldMemory& f : fields.all()) bindings_.push_back({f.field->name.c_str(), f.view});
    for (const auto& scalar : row.definition->scalars)
      values_.emplace_back(scalar.first.c_str(), scalar_for(scalar, row.row.dtype));
  }

 protected:
  void call() override { stencil_.run(bindings_, values_, domain_, options_); }

 private:
  lathe::Stencil stencil_;
  Domain domain_;
  std::vector<lathe::Binding> bindings_;
  std::vector<lathe::Value> values_;
  lathe::RunOptions options_;
};

class GridToolsContender : public LocalContender {
 public:
  // Sizes of the domain, where it begins in each field, strides in elements, three for each field.
  using Function = void(const std::int64_t*, void* const*, const std::int64_t*, const double*);

  GridToolsContender(Function* function, const StencilRow& row, Fields& fields)
      : LocalContender(row, fields), function_(function) {
    who = "gridtools";
    gap_seconds = 0.004;  // OpenMP's threads spin
    const std::int64_t width = row.row.dtype == "f32" ? 4 : 8;
    for (const FieldMemory& f : fields.all()) {
      data_.push_back(f.at_origin());
      for (std::size_t a = 0; a < 3; ++a)
        strides_.push_back(a < f.strides.size() ? f.strides[a] / width : 0);
    }
    for (const auto& scalar : row.definition->scalars)
      scalars_.push_back(scalar_for(scalar, row.row.dtype));
  }

 protected:
  void call() override {
    function_(fields_.domain().data(), data_.data(), strides_.data(), scalars_.data());
  }

 private:
  Function* function_;
  std::vector<void*> data_;
  std::vector<std::int64_t> strides_;
  std::vector<double> scalars_;
};

const char* text_of(Use use) {
  return use == Use::Read ? "read" : use == Use::Write ? "write" : "update";
}

}  // namespace

// Newton's method in f32 would never come closer than a few ulps of 300.
double scalar_for(const std::pair<std::string, double>& scalar, const std::string& dtype) {
  return scalar.first == "tolerance" && dtype == "f32" ? 1e-3 : scalar.second;
}

lathe::Stencil load_stencil(const std::string& folder, const Definition& definition,
                            const std::string& dtype) {
  lathe::StencilOptions options;
  options.name = definition.function;
  options.file_name = folder + "/" + definition.file;
  if (dtype == "f32") {
    options.dtypes = {{"float", lathe::DType::F32}, {"int", lathe::DType::I32}};
    options.float_bits = options.int_bits = 32;
  }
  return lathe::stencil(read_file(options.file_name), options);
}

std::unique_ptr<Contender> make_lathe(const lathe::Stencil& stencil, const StencilRow& row,
                                      Fields& fields, int threads) {
  return std::make_unique<LatheContender>(stencil, row, fields, threads);
}

std::unique_ptr<Contender> make_gridtools(const std::string& folder, const StencilRow& row,
                                          Fields& fields, std::string& why) {
  if (row.layout == "KIJ") {
    why = "it has no backend for rows along J";
    return nullptr;
  }
  const std::string library = folder + "/gridtools_" +
                              (row.layout == "KJI" ? "ifirst_" : "kfirst_") +
                              (row.row.dtype == "f32" ? "float.so" : "double.so");
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW);  // stays: rows share it
  if (!handle) {
    why = "not installed (libgridtools-dev)";
    return nullptr;
  }
  const std::string name = "bench_" + row.definition->function + "_" + row.layout;
  void* const symbol = ::dlsym(handle, name.c_str());
  if (!symbol) {
    why = "not written for it";
    return nullptr;
  }
  return std::make_unique<GridToolsContender>(
      reinterpret_cast<GridToolsContender::Function*>(symbol), row, fields);
}

std::unique_ptr<Contender> make_peer(Peer& peer, const std::string& examples, const StencilRow& row,
                                     const Domain& domain, std::string& why) {
  if (!peer.is_ready()) {
    why = peer.what();
    return nullptr;
  }
  const Definition& d = *row.definition;
  nlohmann::ordered_json task = {{"stencil", d.name},      {"file", examples + "/" + d.file},
                                 {"function", d.function}, {"dtype", row.row.dtype},
                                 {"layout", row.layout},   {"domain", domain},
                                 {"is_fresh", d.is_fresh}};
  for (const FieldRow& f : d.fields)
    task["fields"].push_back({{"name", f.name},
                              {"use", text_of(f.use)},
                              {"halo", f.halo},
                              {"low", f.low},
                              {"high", f.high},
                              {"has_k", f.has_k},
                              {"is_int", f.is_int}});
  task["scalars"] = nlohmann::ordered_json::object();
  for (const auto& scalar : d.scalars)
    task["scalars"][scalar.first] = scalar_for(scalar, row.row.dtype);
  const std::string reply = peer.ask("setup " + task.dump());
  if (reply == "ok") return peer.contender();
  why = reply.substr(std::min(reply.size(), reply.find(' ') + 1));
  return nullptr;
}

}  // namespace lathe::bench
