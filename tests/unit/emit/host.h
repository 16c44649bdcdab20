// SPDX-License-Identifier: Apache-2.0
#pragma once
// A host for kernels, small and slow: compiles with the system's compiler, loads, runs. The real
// one is src/device/host.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "emit/c/abi.h"
#include "emit/c/emit.h"
#include "property/expr_rows.h"

namespace lathe::testing {

struct Compiler {
  std::string name = "gcc";  // in the path
  int optimize = 2;
  bool native = true;
};
bool available(const Compiler& compiler);
std::string text(const Compiler& compiler);  // "gcc -O2"

// A loaded kernel; warnings are errors.
class Loaded {
 public:
  Loaded(const emit::EmitResult& emitted, emit::EmitOptions options, const Compiler& compiler);
  ~Loaded();
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  lathe_int32 run(lathe_context& context) const { return run_(&context); }
  void* symbol(const char* name) const;

 private:
  void* library_ = nullptr;
  lathe_int32 (*run_)(lathe_context*) = nullptr;
};

// An array in memory of its own, with room on all sides.
class HostArray {
 public:
  // Row-major, the last axis with `step` elements between neighbours; `shift` elements between the
  // first one and an address that is aligned to 64 bytes.
  HostArray(ir::DType t, std::vector<std::int64_t> lo, std::vector<std::int64_t> hi,
            std::int64_t step = 1, std::int64_t shift = 0, std::vector<std::size_t> layout = {});
  lathe_array descriptor() { return {base_, axes_.data()}; }
  std::byte* at(std::vector<std::int64_t> index);
  ir::Scalar get(std::vector<std::int64_t> index);
  void set(std::vector<std::int64_t> index, const ir::Scalar& s) { s.store(at(std::move(index))); }
  template <class T>
  T& ref(std::vector<std::int64_t> index) {
    return *reinterpret_cast<T*>(at(std::move(index)));
  }
  // Nothing outside of the elements was written.
  bool surroundings_intact() const;
  std::size_t count() const { return count_; }

 private:
  ir::DType dtype_;
  std::vector<lathe_axis> axes_;
  std::unique_ptr<std::byte[]> memory_;
  std::size_t bytes_ = 0, count_ = 1;
  char* base_ = nullptr;
};

// Runs bodies on `threads` threads, in pieces.
class Host {
 public:
  explicit Host(int threads = 1);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  lathe_context context{};
  std::vector<lathe_uint64> parameters;
  std::vector<lathe_array> arrays;
  std::vector<std::unique_ptr<HostArray>> allocated;
  const emit::EmitResult* emitted = nullptr;
  std::int64_t memory_limit = std::int64_t{1} << 30;
  std::vector<int> calls;  // in order

  void parameter(std::int64_t v) { parameters.push_back(static_cast<lathe_uint64>(v)); }
  void parameter(double v);
  void array(HostArray& a) { arrays.push_back(a.descriptor()); }
  lathe_int32 run(const Loaded& kernel, const emit::EmitResult& result);

  int threads;
};

}  // namespace lathe::testing
