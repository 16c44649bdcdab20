// SPDX-License-Identifier: Apache-2.0
#pragma once
// Evaluation of arrays, and their values. Include lathe/array.h.

#include <cstring>

#include "lathe/array.h"

namespace lathe {
inline namespace v0 {

namespace detail {

inline const char* name_of(DType dtype) {
  static constexpr const char* kNames[] = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                           "u32",  "u64", "f16", "bf16", "f32", "f64"};
  return kNames[static_cast<int>(dtype)];
}

inline std::vector<Array> eval_arrays(const std::vector<Array>& arrays,
                                      const std::vector<Value>& values,
                                      const std::vector<lathe_view>& views,
                                      const std::vector<lathe_view>& targets, int threads,
                                      Here here) {
  std::vector<const lathe_lazy*> handles;
  for (const Array& a : arrays) handles.push_back(a.get());
  std::vector<lathe_lazy*> results(arrays.size(), nullptr);
  lathe_eval_options options{};
  options.size = sizeof options;
  options.values = values.data();
  options.value_count = static_cast<std::int32_t>(values.size());
  options.views = views.data();
  options.view_count = static_cast<std::int32_t>(views.size());
  options.targets = targets.empty() ? nullptr : targets.data();
  options.threads = threads;
  options.place = here.raw();
  lathe_error* error = nullptr;
  check(lathe_lazy_eval(handles.data(), static_cast<std::int32_t>(handles.size()), &options,
                        results.data(), &error),
        error);
  std::vector<Array> out;
  out.reserve(results.size());
  for (lathe_lazy* r : results) out.push_back(Array::adopt(r));
  return out;
}

}  // namespace detail

// Several arrays together: what they share is computed once.
inline std::vector<Array> eval(const std::vector<Array>& arrays,
                               std::initializer_list<Given> given = {}, int threads = 0,
                               Here here = Here::now()) {
  std::vector<Value> values;
  std::vector<lathe_view> views;
  Given::split(given, values, views);
  return detail::eval_arrays(arrays, values, views, {}, threads, here);
}

inline Array Array::eval(std::initializer_list<Given> given, int threads, Here here) const {
  return lathe::eval(std::vector<Array>{*this}, given, threads, here)[0];
}

inline void Array::eval_into(const View& target, std::initializer_list<Given> given,
                             Here here) const {
  std::vector<Value> values;
  std::vector<lathe_view> views;
  Given::split(given, values, views);
  lathe_view raw = target.raw("");
  std::vector<std::int64_t> dense;
  if (!raw.strides) {
    dense.assign(target.shape().size(), 1);
    std::int64_t step = 0;
    static constexpr std::int64_t kBytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
    step = kBytes[raw.dtype];
    for (std::size_t a = dense.size(); a-- > 0; step *= target.shape()[a]) dense[a] = step;
    raw.strides = dense.data();
  }
  detail::eval_arrays({*this}, values, views, {raw}, 0, here);
}

inline View Array::view(Here here) const {
  if (!has_data())
    detail::refuse(here, Cause::Other, "the array has no values yet", "evaluate it first");
  lathe_view raw{};
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_view(handle_, &raw, &error), error);
  return View(raw);
}

template <Element T>
std::vector<T> Array::to_vector(Here here) const {
  const View v = view(here);
  if (dtype_of<T>() != v.dtype())
    detail::refuse(here, Cause::DType,
                   std::string("the array holds ") + detail::name_of(v.dtype()) + ", not " +
                       detail::name_of(dtype_of<T>()),
                   "ask for what it holds, or convert with astype first");
  std::vector<T> out;
  const auto* base = static_cast<const unsigned char*>(v.data());
  std::vector<std::int64_t> at(v.shape().size(), 0);
  std::int64_t count = 1;
  for (std::int64_t n : v.shape()) count *= n;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    for (std::size_t a = 0; a < at.size(); ++a) offset += at[a] * v.strides()[a];
    T x;
    std::memcpy(&x, base + offset, sizeof x);
    out.push_back(x);
    for (std::size_t a = at.size(); a-- > 0;) {
      if (++at[a] < v.shape()[a]) break;
      at[a] = 0;
    }
  }
  return out;
}

template <Element T>
T Array::item(Here here) const {
  const std::vector<T> all = to_vector<T>(here);
  if (all.size() != 1)
    detail::refuse(here, Cause::Other,
                   "item: the array has " + std::to_string(all.size()) + " elements, not one",
                   "to_vector gives all of them, a(i) one");
  return all[0];
}

// ---- Files.

// The array in a .npy file, mapped where that is possible.
inline Array load_npy(const std::string& path, Here here = Here::now()) {
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_load_npy(path.c_str(), here.raw(), &made, &error), error);
  return Array::adopt(made);
}
// Evaluates it if it has no values yet. The file is written whole or not at all.
inline void save_npy(const std::string& path, const Array& array, Here here = Here::now()) {
  lathe_error* error = nullptr;
  const Array values = array.has_data() ? array : array.eval({}, 0, here);
  detail::check(lathe_lazy_save_npy(path.c_str(), values.get(), &error), error);
}

// ---- Derivatives: arrays like any other, evaluated together with the rest.

namespace detail {
inline std::vector<const lathe_lazy*> handles_of(const std::vector<Array>& arrays) {
  std::vector<const lathe_lazy*> out;
  for (const Array& a : arrays) out.push_back(a.get());
  return out;
}
inline std::vector<Array> adopted(const std::vector<lathe_lazy*>& handles) {
  std::vector<Array> out;
  for (lathe_lazy* h : handles) out.push_back(Array::adopt(h));
  return out;
}
}  // namespace detail

// The cotangent times the derivative of y by each of `inputs`.
inline std::vector<Array> vjp(const Array& y, const Array& cotangent,
                              const std::vector<Array>& inputs, Here here = Here::now()) {
  const auto xs = detail::handles_of(inputs);
  std::vector<lathe_lazy*> made(inputs.size(), nullptr);
  const lathe_lazy *out = y.get(), *g = cotangent.get();
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_vjp(&out, &g, 1, xs.data(), static_cast<std::int32_t>(xs.size()),
                               here.raw(), made.data(), &error),
                error);
  return detail::adopted(made);
}
// The derivatives of a number.
inline std::vector<Array> grad(const Array& y, const std::vector<Array>& inputs,
                               Here here = Here::now()) {
  if (y.rank() != 0)
    detail::refuse(
        here, Cause::Other,
        "grad: needs a number, and the array has " + detail::counted(y.rank(), "axis", "axes"),
        "sum it, or use vjp");
  return vjp(y, Array(1.0), inputs, here);
}
// The derivative of y along the tangents of the inputs.
inline Array jvp(const Array& y, const std::vector<Array>& inputs,
                 const std::vector<Array>& tangents, Here here = Here::now()) {
  if (inputs.size() != tangents.size())
    detail::refuse(
        here, Cause::Other,
        "jvp: needs a tangent for each input: there are " +
            detail::counted(static_cast<std::int64_t>(inputs.size()), "input", "inputs") + " and " +
            detail::counted(static_cast<std::int64_t>(tangents.size()), "tangent", "tangents"),
        "");
  const auto xs = detail::handles_of(inputs), ts = detail::handles_of(tangents);
  lathe_lazy* made = nullptr;
  const lathe_lazy* out = y.get();
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_jvp(&out, 1, xs.data(), ts.data(), static_cast<std::int32_t>(xs.size()),
                               here.raw(), &made, &error),
                error);
  return Array::adopt(made);
}

}  // namespace v0
}  // namespace lathe
