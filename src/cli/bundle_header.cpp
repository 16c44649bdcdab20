// SPDX-License-Identifier: Apache-2.0
// NAME.h: the one function of a bundle, for people who have never heard of Lathe.

#include <fmt/format.h>

#include <algorithm>

#include "cli/bundle.h"
#include "emit/c/names.h"
#include "ir/text.h"

namespace lathe::cli {
namespace {

// [i: 0..n, j: 0..m]
std::string range_text(const ir::Array& a) {
  std::string text;
  for (const ir::Axis& x : a.axes)
    text += fmt::format("{}{}: {}..{}", text.empty() ? "" : ", ", x.name.text(), ir::print(x.lo),
                        ir::print(x.hi));
  return a.axes.empty() ? "one number" : "[" + text + "]";
}

std::string role_text(const api::ArgumentInfo& a) {
  if (a.computed) return "result, its size computed";
  switch (a.role) {
    case ir::Role::Input: return "read";
    case ir::Role::Output: return "written";
    default: return "read and written";
  }
}

std::string dtype_note(ir::DType t) {
  if (ir::is_bool(t)) return " (0 or 1)";
  return ir::is_half(t) ? fmt::format(" (bits of {})", ir::name(t)) : "";
}

}  // namespace

std::string bundle_header(const Bundle& b) {
  const auto& parameters = b.signature->parameters();
  const auto& arguments = b.signature->arguments();
  std::string text = fmt::format(
      "/* {0}.h: made by `lathe emit` from {1}.\n\n"
      "   {2} runs the program; it may be called from many threads at once, and uses those of\n"
      "   OpenMP itself. The bits of its results depend on nothing but its arguments.\n\n",
      b.name, emit::comment_text(b.source), b.function);
  bool strides = false, computed = false;
  std::size_t width = 0;
  for (const BundleName& n : b.parameters) width = std::max(width, n.c.size());
  for (const BundleName& n : b.arguments) width = std::max(width, n.c.size());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    text += fmt::format("     {:<{}}  {}{}{}\n", b.parameters[i].c, width,
                        c_type(parameters[i].dtype), dtype_note(parameters[i].dtype),
                        parameters[i].is_size ? ", a size: 0 or more" : "");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const api::ArgumentInfo& a = arguments[i];
    text +=
        fmt::format("     {:<{}}  {}{} {}, {}\n", b.arguments[i].c, width, c_type(a.dtype),
                    dtype_note(a.dtype), emit::comment_text(range_text(*a.declared)), role_text(a));
    strides = strides || has_strides(a);
    computed = computed || a.computed;
  }
  text += R"(
   Ranges are half-open. A pointer is that of the element at the lower bounds; arrays lie row by
   row, the last axis without gaps, and do not overlap. What is written need not be initialised
   where the program writes it; elsewhere it stays as it is.
)";
  if (strides)
    text += R"(
   NAME_strides is the distance, in elements, from one index to the next for every axis of NAME but
   the last; null: no gaps.
)";
  if (computed)
    text += R"(
   For a result whose size is computed, *NAME becomes memory that the caller frees, and NAME_bounds
   gets the lower and the upper bound of each of its axes.
)";
  text += fmt::format(
      "\n   0: done. Otherwise {}_error() says what is wrong (the last failure of this thread):\n"
      "   1: an index outside of an array, or another fault of the program; 3: not enough memory;\n"
      "   4: a size that is negative or too large. */\n",
      b.name);
  std::string guard = b.name + "_H";
  std::transform(guard.begin(), guard.end(), guard.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  text += fmt::format(
      "#ifndef LATHE_BUNDLE_{0}\n#define LATHE_BUNDLE_{0}\n\n#include <stdint.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{1};\n\nconst char *{2}_error(void);\n\n"
      "#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
      guard, prototype(b, false), b.name);
  return text;
}

}  // namespace lathe::cli
