// SPDX-License-Identifier: Apache-2.0
#include "cli/stencils.h"

#include <algorithm>

#include "analysis/check_access.h"
#include "base/files.h"
#include "base/number_text.h"
#include "base/quoted.h"
#include "frontend/python/encoding.h"
#include "ir/verify.h"

namespace lathe::cli {
namespace {

std::pair<std::string, std::string> split(const std::string& word, std::string_view option) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos || at == 0)
    throw UserError("--" + std::string(option) + " takes NAME=VALUE, not " + lathe::quoted(word));
  return {word.substr(0, at), word.substr(at + 1)};
}

stencil::Value value_of(const std::string& name, const std::string& text) {
  using stencil::Value;
  if (text == "True" || text == "true") return Value::boolean(true);
  if (text == "False" || text == "false") return Value::boolean(false);
  if (text == "None") return Value::none();
  if (const auto i = parse_int64(text)) return Value::of_int(i.value);
  if (const auto r = parse_double(text)) return Value::of_float(r.value);
  throw UserError("external " + lathe::quoted(name) + " is " + lathe::quoted(text) + ", not a number or a bool",
                  {}, "write --external " + name + "=0.5, or =True");
}

}  // namespace

std::optional<StencilName> stencil_name(const std::string& argument) {
  const std::size_t dot = argument.rfind(".py");
  if (dot == std::string::npos) return std::nullopt;
  const std::size_t end = dot + 3;
  if (end == argument.size()) return StencilName{argument, ""};
  if (argument[end] != ':') return std::nullopt;
  return StencilName{argument.substr(0, end), argument.substr(end + 1)};
}

stencil::Options stencil_options(const StencilArgs& args) {
  stencil::Options options;
  for (const std::string& word : args.externals) {
    const auto [name, text] = split(word, "external");
    options.externals.insert_or_assign(name, value_of(name, text));
  }
  for (const std::string& word : args.dtypes) {
    const auto [name, text] = split(word, "dtype");
    const auto type = stencil::dtype_named(text);
    if (!type)
      throw UserError("--dtype " + name + " is " + lathe::quoted(text) + ", which fields cannot hold", {},
                      "use bool, int8, int16, int32, int64, float32 or float64");
    options.dtypes.insert_or_assign(name, *type->dtype);
  }
  std::string sorted = args.layout;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != "IJK")
    throw UserError("--layout is " + lathe::quoted(args.layout) + ", not an order of I, J and K", {},
                    "the last axis lies densely in memory: IJK, KJI ...");
  options.layout = args.layout;
  return options;
}

std::optional<stencil::File> open_stencils(const std::string& file,
                                           std::shared_ptr<SourceMap> sources,
                                           Diagnostics& diagnostics) {
  std::string text;
  try {
    text = read_file(file);
  } catch (const UserError& e) {
    diagnostics.add(e.diagnostic());
    return std::nullopt;
  }
  const std::uint32_t id = python::add_source(*sources, file, std::move(text));
  return stencil::File::parse(std::move(sources), id, diagnostics);
}

std::optional<stencil::Stencil> load_stencil(const StencilName& name, const StencilArgs& args,
                                             std::shared_ptr<SourceMap> sources,
                                             Diagnostics& diagnostics) {
  const auto file = open_stencils(name.file, std::move(sources), diagnostics);
  if (!file) return std::nullopt;
  std::string which = name.stencil;
  if (which.empty()) {
    const std::vector<std::string> all = file->stencils();
    if (all.size() != 1) {
      std::string list;
      for (const std::string& s : all) list += (list.empty() ? "" : ", ") + s;
      diagnostics.error({}, lathe::quoted(name.file) + " holds " + std::to_string(all.size()) + " stencils")
          .help = all.empty() ? "a stencil is a function with 'with computation(...)'"
                              : "name one: " + name.file + ":" + all[0] + " (there are " + list + ")";
      return std::nullopt;
    }
    which = all[0];
  }
  try {
    auto result = file->compile(which, stencil_options(args), diagnostics);
    if (!result || !ir::verify(result->program, diagnostics)) return std::nullopt;
    analysis::check_access(result->program, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return result;
  } catch (const UserError& e) {
    diagnostics.add(e.diagnostic());
    return std::nullopt;
  }
}

}  // namespace lathe::cli
