// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stencils in GTScript from C++:
//
//   lathe::Stencil hdiff = lathe::stencil(source, {.name = "hdiff"});
//   hdiff.run({{"in_f", lathe::View(in.data(), {ni + 4, nj + 4, nk})},
//              {"coeff", ...}, {"out_f", ...}}, {{"alpha", 0.5}});
//
// Views have the axes I, J, K that a field has, then data dimensions, with any strides. The origin
// of a view is minus its `from`; without one there is as much room before the domain as is needed.

#include <array>
#include <optional>
#include <utility>

#include "lathe/c_stencil.h"
#include "lathe/lathe.h"

namespace lathe {
inline namespace v0 {

struct StencilOptions {
  std::string name;  // empty: the only stencil of the file
  std::vector<Value> externals = {};
  std::vector<std::pair<std::string, DType>> dtypes = {};
  int int_bits = 64, float_bits = 64;  // of literals
  bool checked = false;
  std::string file_name = "stencil.py";  // for messages
};

class Stencil {
 public:
  std::string name() const { return lathe_stencil_name(handle_.get()); }
  std::string program() const { return lathe_stencil_program(handle_.get()); }
  std::int64_t min_levels() const { return lathe_stencil_min_levels(handle_.get()); }
  std::vector<lathe_stencil_argument_info> arguments() const {
    std::vector<lathe_stencil_argument_info> out;
    for (std::int32_t i = 0; i < lathe_stencil_argument_count(handle_.get()); ++i)
      out.push_back(lathe_stencil_argument(handle_.get(), i));
    return out;
  }

  Timing run(std::initializer_list<Binding> fields, std::initializer_list<Value> scalars = {},
             std::optional<std::array<std::int64_t, 3>> domain = {},
             const RunOptions& options = {}) const {
    return run(std::span(fields.begin(), fields.size()), std::span(scalars.begin(), scalars.size()),
               domain, options);
  }
  Timing run(std::span<const Binding> fields, std::span<const Value> scalars,
             std::optional<std::array<std::int64_t, 3>> domain = {},
             const RunOptions& options = {}) const {
    std::vector<lathe_view> views;
    views.reserve(fields.size());
    for (const Binding& f : fields) views.push_back(f.view.raw(f.name));
    static_assert(sizeof(Value) == sizeof(lathe_value));
    const lathe_run_options raw = options.raw();
    Timing timing = {};
    timing.size = sizeof timing;
    lathe_error* error = nullptr;
    detail::check(
        lathe_stencil_run(handle_.get(), scalars.data(), static_cast<std::int32_t>(scalars.size()),
                          views.data(), static_cast<std::int32_t>(views.size()),
                          domain ? domain->data() : nullptr, &raw, &timing, &error),
        error);
    return timing;
  }

 private:
  friend Stencil stencil(std::string_view source, const StencilOptions& options);
  explicit Stencil(lathe_stencil* s) : handle_(s, lathe_stencil_destroy) {}

  std::shared_ptr<lathe_stencil> handle_;
};

// Parses and checks; what is wrong is thrown as Error, with the line of the source.
inline Stencil stencil(std::string_view source, const StencilOptions& options = {}) {
  std::vector<lathe_named_dtype> dtypes;
  for (const auto& [name, dtype] : options.dtypes)
    dtypes.push_back({name.c_str(), static_cast<lathe_dtype>(dtype)});
  lathe_stencil_options raw{};
  raw.size = sizeof raw;
  raw.stencil = options.name.empty() ? nullptr : options.name.c_str();
  raw.externals = options.externals.data();
  raw.external_count = static_cast<std::int32_t>(options.externals.size());
  raw.dtypes = dtypes.data();
  raw.dtype_count = static_cast<std::int32_t>(dtypes.size());
  raw.int_bits = options.int_bits;
  raw.float_bits = options.float_bits;
  raw.checked = options.checked ? 1 : 0;
  lathe_stencil* made = nullptr;
  lathe_error* error = nullptr;
  detail::check(lathe_stencil_from_text(options.file_name.c_str(), source.data(), source.size(),
                                        &raw, &made, &error),
                error);
  return Stencil(made);
}

}  // namespace v0
}  // namespace lathe
