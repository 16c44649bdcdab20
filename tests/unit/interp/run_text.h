// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs as text, with inputs given and outputs asked for as plain lists.

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "interp/interpreter.h"
#include "ir/text.h"

namespace lathe::interp {

class TextRun {
 public:
  explicit TextRun(std::string_view text) {
    Diagnostics diagnostics;
    sources_ = std::make_shared<SourceMap>();
    program_ = ir::parse_program("test.lathe", text, diagnostics, sources_);
    EXPECT_TRUE(program_.has_value()) << render_text(diagnostics, *sources_);
  }

  const ir::Program& program() const { return *program_; }

  TextRun& set(const std::string& name, std::int64_t v) {
    state.parameters[name] = ir::Scalar::of_int(ir::DType::I64, v);
    return *this;
  }
  TextRun& set(const std::string& name, ir::Scalar v) {
    state.parameters[name] = v;
    return *this;
  }
  // The array with its declared range (sizes must be set) and these elements, row-major.
  TextRun& in(const std::string& name, const std::vector<double>& values) {
    Buffer& b = state.arrays[name] = zeros(name);
    EXPECT_EQ(static_cast<std::size_t>(b.element_count()), values.size()) << name;
    const std::size_t size = ir::size_bytes(b.dtype);
    for (std::size_t e = 0; e < values.size() && e * size < b.data.size(); ++e)
      ir::Scalar::of_double(b.dtype, values[e]).store(b.data.data() + e * size);
    return *this;
  }
  Buffer zeros(const std::string& name) {
    const ir::Array* a = program_->find_array(program_->graph->symbol(name));
    const Bounds bounds = declared_bounds(*program_, *a, state);
    return make_buffer(a->dtype, bounds.lo, bounds.hi);
  }

  TextRun& run(Options options = {}) {
    interp::run(*program_, state, std::move(options));
    return *this;
  }
  TextRun& run_checked() {
    Options options;
    options.checked = true;
    return run(std::move(options));
  }

  std::vector<double> out(const std::string& name) const {
    std::vector<double> values;
    const Buffer& b = state.arrays.at(name);
    const std::size_t size = ir::size_bytes(b.dtype);
    for (std::size_t e = 0; e < b.data.size() / size; ++e)
      values.push_back(ir::Scalar::load(b.dtype, b.data.data() + e * size).as_double());
    return values;
  }

  // The whole message of the UserError that running gives.
  std::string error(bool checked = false) {
    Options options;
    options.checked = checked;
    return error(options);
  }
  std::string error(Options options) {
    try {
      interp::run(*program_, state, std::move(options));
    } catch (const UserError& e) {
      return render_text(e.diagnostic(), *sources_);
    }
    return "no error";
  }

  State state;

 private:
  std::shared_ptr<SourceMap> sources_;
  std::optional<ir::Program> program_;
};

using Values = std::vector<double>;

}  // namespace lathe::interp
