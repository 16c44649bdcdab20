// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels as text, with inputs given and outputs asked for as plain lists.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interp/loops_interpreter.h"
#include "ir/loops_text.h"
#include "ir/loops_verify.h"

namespace lathe::interp {

class KernelRun {
 public:
  explicit KernelRun(std::string_view text) : sources_(std::make_shared<SourceMap>()) {
    Diagnostics diagnostics;
    kernel_ = loops::parse_kernel("test.loops", text, diagnostics, sources_);
    if (kernel_) loops::verify(*kernel_, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render_text(diagnostics, *sources_) << text;
  }

  KernelRun& set(const std::string& name, std::int64_t v) {
    state.parameters[name] = ir::Scalar::of_int(ir::DType::I64, v);
    return *this;
  }
  KernelRun& set_real(const std::string& name, double v) {
    state.parameters[name] = ir::Scalar::of_double(ir::DType::F64, v);
    return *this;
  }
  // These elements, row-major, over 0..extent of each axis.
  KernelRun& in(const std::string& name, ir::DType t, std::vector<std::int64_t> extents,
                const std::vector<double>& values) {
    std::vector<std::int64_t> lo(extents.size());
    Buffer b = make_buffer(t, std::move(lo), std::move(extents));
    EXPECT_EQ(static_cast<std::size_t>(b.element_count()), values.size()) << name;
    for (std::size_t e = 0; e < values.size(); ++e)
      ir::Scalar::of_double(t, values[e]).store(b.data.data() + e * ir::size_bytes(t));
    state.arrays[name] = std::move(b);
    return *this;
  }
  KernelRun& in(const std::string& name, std::vector<std::int64_t> extents,
                const std::vector<double>& values) {
    return in(name, ir::DType::F64, std::move(extents), values);
  }

  KernelRun& run(LoopsOptions options = {}) {
    operations = interp::run(*kernel_, state, options);
    return *this;
  }
  std::vector<double> out(const std::string& name) const {
    std::vector<double> values;
    const Buffer& b = state.arrays.at(name);
    const std::size_t size = ir::size_bytes(b.dtype);
    for (std::size_t e = 0; e < b.data.size() / size; ++e)
      values.push_back(ir::Scalar::load(b.dtype, b.data.data() + e * size).as_double());
    return values;
  }

  // The message of the user's error, or of Lathe's.
  std::string error(LoopsOptions options = {}) {
    try {
      interp::run(*kernel_, state, options);
    } catch (const UserError& e) {
      return render_text(e.diagnostic(), *sources_);
    } catch (const InternalError& e) {
      return e.problem();
    }
    return "no error";
  }

  State state;
  std::uint64_t operations = 0;

 private:
  std::shared_ptr<SourceMap> sources_;
  std::optional<loops::Kernel> kernel_;
};

}  // namespace lathe::interp
