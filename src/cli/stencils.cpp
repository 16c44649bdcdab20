// SPDX-License-Identifier: Apache-2.0
#include "cli/stencils.h"

#include <algorithm>
#include <ostream>

#include "analysis/check_access.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/quoted.h"
#include "cli/commands.h"
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

// I[0], J[-1] + 2: a point of an axis.
std::optional<stencil::Value> axis_index_of(std::string text) {
  std::erase(text, ' ');
  const std::size_t end = text.find(']');
  if (text.size() < 4 || text[0] < 'I' || text[0] > 'K' || text[1] != '[' ||
      end == std::string::npos)
    return std::nullopt;
  const auto number = parse_int64(text.substr(2, end - 2));
  if (!number) return std::nullopt;
  stencil::Value v = stencil::Value::axis_index(text.substr(0, 1), number.value);
  if (end + 1 == text.size()) return v;
  const char sign = text[end + 1];
  const auto plus = parse_int64(text.substr(end + 2));
  if (!plus || plus.value < 0 || (sign != '+' && sign != '-')) return std::nullopt;
  v.integer += sign == '+' ? plus.value : -plus.value;
  return v;
}

stencil::Value value_of(const std::string& name, const std::string& text) {
  using stencil::Value;
  if (text == "True" || text == "true") return Value::boolean(true);
  if (text == "False" || text == "false") return Value::boolean(false);
  if (text == "None") return Value::none();
  if (const auto i = parse_int64(text)) return Value::of_int(i.value);
  if (const auto r = parse_double(text)) return Value::of_float(r.value);
  if (auto point = axis_index_of(text)) return *point;
  throw UserError("external " + lathe::quoted(name) + " is " + lathe::quoted(text) +
                      ", not a number, a bool or a point of an axis",
                  {}, "write --external " + name + "=0.5, =True, or ='I[0] + 1'");
}

using Names = std::set<std::string, std::less<>>;

void check_known(const std::string& option, const std::vector<std::string>& words,
                 const Names& known, const std::string& nobody, Diagnostics& diagnostics) {
  for (const std::string& word : words) {
    const std::string name = split(word, option).first;
    if (known.count(name)) continue;
    NearestName nearest(name);
    std::string all;
    for (const std::string& k : known) {
      nearest.consider(k);
      all += (all.empty() ? "" : ", ") + k;
    }
    diagnostics
        .error({}, "--" + option + " " + word + ": " + nobody + " " + option + " " +
                       lathe::quoted(name))
        .help = nearest.help(all.empty() ? "it has none" : "it has " + all);
  }
}

}  // namespace

void KnownNames::add(const stencil::File& file) {
  const Names imported = file.externals();
  externals.insert(imported.begin(), imported.end());
}

void KnownNames::add(const stencil::Info& info) {
  externals.insert(info.externals.begin(), info.externals.end());
  dtypes.insert(info.dtype_names.begin(), info.dtype_names.end());
}

void KnownNames::check(const StencilArgs& args, const std::string& nobody,
                       Diagnostics& diagnostics) const {
  check_known("external", args.externals, externals, nobody, diagnostics);
  check_known("dtype", args.dtypes, dtypes, nobody, diagnostics);
}

std::string default_text(const stencil::Argument& a) {
  if (!a.default_value) return {};
  if (ir::is_bool(a.dtype)) return a.default_value->integer != 0 ? "true" : "false";
  if (!ir::is_float(a.dtype)) return std::to_string(a.default_value->integer);
  return to_text(ir::Scalar::of_double(a.dtype, a.default_value->as_real()));
}

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
    if (!options.externals.emplace(name, value_of(name, text)).second)
      throw UserError("--external " + word + ": " + lathe::quoted(name) + " is given twice");
  }
  for (const std::string& word : args.dtypes) {
    const auto [name, text] = split(word, "dtype");
    const auto type = stencil::dtype_named(text);
    if (!type)
      throw UserError(
          "--dtype " + name + " is " + lathe::quoted(text) + ", which fields cannot hold", {},
          "use bool, int8, int16, int32, int64, float32 or float64");
    if (!options.dtypes.emplace(name, *type->dtype).second)
      throw UserError("--dtype " + word + ": " + lathe::quoted(name) + " is given twice");
  }
  std::string sorted = args.layout;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != "IJK")
    throw UserError("--layout is " + lathe::quoted(args.layout) + ", not an order of I, J and K",
                    {}, "the last axis lies densely in memory: IJK, KJI ...");
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

namespace {

std::optional<stencil::Stencil> compile(const stencil::File& file, const std::string& name,
                                        const StencilArgs& args, Diagnostics& diagnostics,
                                        bool remarks = false) {
  try {
    stencil::Options options = stencil_options(args);
    options.remarks = remarks;
    auto result = file.compile(name, options, diagnostics);
    if (!result || !ir::verify(result->program, diagnostics)) return std::nullopt;
    analysis::check_access(result->program, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return result;
  } catch (const UserError& e) {
    diagnostics.add(e.diagnostic());
    return std::nullopt;
  }
}

}  // namespace

bool check_stencils(const StencilName& name, const StencilArgs& args, bool info,
                    std::shared_ptr<SourceMap> sources, Diagnostics& diagnostics, std::ostream& out,
                    bool quiet, KnownNames& known, std::vector<CheckedStencil>& checked) {
  const auto file = open_stencils(name.file, std::move(sources), diagnostics);
  if (!file) return false;
  std::vector<std::string> names = file->stencils();
  if (!name.stencil.empty()) names = {name.stencil};
  bool fine = true;
  known.add(*file);
  for (const std::string& stencil : names) {
    Diagnostics own;
    auto result = compile(*file, stencil, args, own, true);
    if (result && !compiles(result->program, own)) result.reset();
    for (const Diagnostic& d : own.all()) diagnostics.add(d);
    fine = fine && result;
    if (!result) continue;
    known.add(result->info);
    checked.push_back({name.file, result->info, {}});
    if (info) checked.back().copies = copies_of(result->program);
    if (quiet) continue;
    out << name.file << ": stencil " << stencil << ": fine\n";
    if (info) print_info(checked.back(), out);
  }
  if (names.empty() && !quiet) out << name.file << ": no stencils\n";
  return fine;
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
      diagnostics
          .error({},
                 lathe::quoted(name.file) + " holds " + std::to_string(all.size()) + " stencils")
          .help = all.empty()
                      ? "a stencil is a function with 'with computation(...)'"
                      : "name one: " + name.file + ":" + all[0] + " (there are " + list + ")";
      return std::nullopt;
    }
    which = all[0];
  }
  auto result = compile(*file, which, args, diagnostics);
  if (!result) return std::nullopt;
  KnownNames known;
  known.add(*file);
  known.add(result->info);
  known.check(args, "stencil " + lathe::quoted(which) + " has no", diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return result;
}

}  // namespace lathe::cli
