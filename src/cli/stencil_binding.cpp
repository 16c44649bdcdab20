// SPDX-License-Identifier: Apache-2.0
#include "cli/stencil_binding.h"

#include <algorithm>
#include <cstring>

#include "base/number_text.h"
#include "base/quoted.h"
#include "cli/bindings.h"
#include "io/npy.h"

namespace lathe::cli {
namespace {

using interp::Buffer;

std::vector<std::int64_t> numbers(const std::string& text, char separator, const std::string& of) {
  std::vector<std::int64_t> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    const auto n = parse_int64(std::string_view(text).substr(at, end - at));
    if (!n) throw UserError(of + " " + text + ": expected integers");
    out.push_back(n.value);
    at = end + 1;
  }
  return out;
}

// Copies the part of `user` that begins at `begin` to `program`, or back. Axis a of the caller's
// array is axis order[a] of the program's, which holds nothing else.
template <bool back, class User, class Program>
void copy_part(User& user, const std::vector<std::int64_t>& begin,
               const std::vector<std::size_t>& order, Program& program) {
  const std::size_t rank = order.size(), size = ir::size_bytes(program.dtype);
  std::vector<std::int64_t> count(rank), user_step(rank), program_step(rank), at(rank, 0);
  std::int64_t step = 1;
  for (std::size_t a = rank; a-- > 0; step *= user.extent(a)) user_step[a] = step;
  std::vector<std::int64_t> steps(rank);
  step = 1;
  for (std::size_t a = rank; a-- > 0; step *= program.extent(a)) steps[a] = step;
  std::int64_t from = 0, to = 0;
  for (std::size_t a = 0; a < rank; ++a) {
    count[a] = program.extent(order[a]);
    program_step[a] = steps[order[a]];
    from += begin[a] * user_step[a];
    if (count[a] == 0) return;
  }
  for (;;) {
    auto* u = user.data.data() + static_cast<std::size_t>(from) * size;
    auto* p = program.data.data() + static_cast<std::size_t>(to) * size;
    if constexpr (back)
      std::memcpy(u, p, size);
    else
      std::memcpy(p, u, size);
    std::size_t a = rank;
    while (a-- > 0) {
      from += user_step[a], to += program_step[a];
      if (++at[a] < count[a]) break;
      from -= count[a] * user_step[a], to -= count[a] * program_step[a];
      at[a] = 0;
    }
    if (a == static_cast<std::size_t>(-1)) return;
  }
}

// it has u, v
std::string names_help(const stencil::Info& info, bool fields) {
  std::string text;
  for (const stencil::Argument& a : info.arguments)
    if (a.is_field == fields) text += (text.empty() ? "it has " : ", ") + a.name;
  return text.empty() ? "it has none" : text;
}

// The largest domain that fits the files of fields that are used, or are not.
std::array<std::int64_t, 3> domain_of(const stencil::Info& info, bool used,
                                      const std::map<std::string, stencil::Given>& given,
                                      stencil::CallOptions options) {
  stencil::Info part = info;
  part.min_levels = 0;  // asked when all fields are there
  std::erase_if(part.arguments, [&](const stencil::Argument& a) {
    return !given.count(a.name) || (a.access != stencil::Access::None) != used;
  });
  for (stencil::Argument& a : part.arguments) a.access = stencil::Access::Read;
  std::erase_if(options.origin, [&](const auto& entry) {
    return entry.first != "_all_" && !part.find(entry.first);
  });
  return stencil::plan_call(part, given, options).domain;
}

// Who calls a stencil passes every array that it uses; here those that it only writes come from
// nowhere. So along axes that no file of a field in use has, those of others tell.
std::array<std::int64_t, 3> domain_of_files(const stencil::Info& info,
                                            const std::map<std::string, stencil::Given>& given,
                                            const stencil::CallOptions& options) {
  const auto has_axis = [&](char axis, bool used, bool file) {
    return std::any_of(info.arguments.begin(), info.arguments.end(), [&](auto& a) {
      return a.is_field && (a.access != stencil::Access::None) == used &&
             (!file || given.count(a.name)) && a.axes.find(axis) != std::string::npos;
    });
  };
  const auto in_use = domain_of(info, true, given, options);
  const auto others = domain_of(info, false, given, options);
  std::array<std::int64_t, 3> domain{};
  for (std::size_t n = 0; n < 3; ++n) {
    const char axis = stencil::kAxisNames[n];
    if (has_axis(axis, true, false) && !has_axis(axis, true, true) && !has_axis(axis, false, true))
      throw UserError("the compute domain is not known" +
                          (given.empty() ? "" : std::string(": no file has the axis ") + axis),
                      {}, "add --domain 64x64x40");
    domain[n] = has_axis(axis, true, true) || !has_axis(axis, true, false) ? in_use[n] : others[n];
  }
  return domain;
}

}  // namespace

void check_domain_words(const std::string& domain, const std::vector<std::string>& origin,
                        const std::string& file, bool is_stencil) {
  if (is_stencil || (domain.empty() && origin.empty())) return;
  throw UserError(std::string(domain.empty() ? "--origin" : "--domain") + " is for stencils, and " +
                      lathe::quoted(file) + " is none",
                  {}, "a stencil is in a .py file: FILE.py:NAME");
}

StencilBinding::StencilBinding(const stencil::Stencil& stencil, const std::string& layout,
                               const StencilWords& words)
    : info_(stencil.info), layout_(layout) {
  set_scalars(words.set);
  make_arrays(words);
}

void StencilBinding::set_scalars(const std::vector<std::string>& set) {
  std::map<std::string, std::string> given;
  for (const std::string& text : set) {
    const auto [name, value] = split_assignment("--set", text);
    const stencil::Argument* a = info_.find(name);
    if (!a || a->is_field)
      throw UserError("--set " + text + ": stencil " + lathe::quoted(info_.name) +
                          " has no scalar " + lathe::quoted(name),
                      {}, names_help(info_, false));
    if (!given.emplace(name, value).second)
      throw UserError("--set " + text + ": " + lathe::quoted(name) + " is given twice");
  }
  for (const stencil::Argument& a : info_.arguments) {
    if (a.is_field || a.symbol.empty()) continue;
    ir::Scalar s;
    if (const auto at = given.find(a.name); at != given.end()) {
      s = parse_scalar(a.name, a.dtype, at->second);
    } else if (a.default_value) {
      s = ir::is_float(a.dtype) ? ir::Scalar::of_double(a.dtype, a.default_value->as_real())
                                : ir::Scalar::of_int(a.dtype, a.default_value->integer);
    } else {
      throw UserError("missing value for scalar " + lathe::quoted(a.name) + " of stencil " +
                          lathe::quoted(info_.name),
                      a.span, "add --set " + a.name + "=1");
    }
    state_.parameters.emplace(a.symbol, s);
  }
}

void StencilBinding::make_arrays(const StencilWords& words) {
  stencil::CallOptions options;
  if (!words.domain.empty()) {
    const auto n = numbers(words.domain, 'x', "--domain");
    if (n.size() != 3)
      throw UserError("--domain " + words.domain + ": expected three sizes: 64x64x40");
    options.domain = {n[0], n[1], n[2]};
  }
  for (const std::string& text : words.origin) {
    const std::size_t at = text.find('=');
    const std::string name = at == std::string::npos ? "_all_" : text.substr(0, at);
    options.origin[name] =
        numbers(at == std::string::npos ? text : text.substr(at + 1), ',', "--origin");
  }
  std::map<std::string, std::string> sources;
  for (const std::string& text : words.in) {
    const auto [name, source] = split_assignment("--in", text);
    const stencil::Argument* a = info_.find(name);
    if (!a || !a->is_field)
      throw UserError("--in " + text + ": stencil " + lathe::quoted(info_.name) + " has no field " +
                          lathe::quoted(name),
                      {}, names_help(info_, true));
    if (!sources.emplace(name, source).second)
      throw UserError("--in " + text + ": " + lathe::quoted(name) + " is given twice");
  }
  std::string missing;
  for (const stencil::Argument& a : info_.arguments)
    if (a.is_field &&
        (a.access == stencil::Access::Read || a.access == stencil::Access::ReadWrite) &&
        !sources.count(a.name))
      missing += " --in " + a.name + "=random:1";
  if (!missing.empty())
    throw UserError("stencil " + lathe::quoted(info_.name) + " needs fields that are not given", {},
                    "add, for example:" + missing);
  // Files first: they tell the domain where nobody said it.
  std::map<std::string, stencil::Given> given;
  for (const auto& [name, source] : sources) {
    if (!is_npy_source(name, source)) continue;
    const io::NpyArray array = io::read_npy(source);
    const std::vector<std::int64_t> shape(array.shape.begin(), array.shape.end());
    given[name] = {array.dtype, shape};
    Buffer& b = arrays_[name] =
        interp::make_buffer(array.dtype, std::vector<std::int64_t>(shape.size(), 0), shape);
    io::copy_elements(array, b.data);
  }
  if (!options.domain) options.domain = domain_of_files(info_, given, options);
  for (const stencil::Argument& a : info_.arguments) {
    if (!a.is_field || a.access == stencil::Access::None || given.count(a.name)) continue;
    stencil::Given g{a.dtype, {}};
    std::vector<std::int64_t> origin;
    for (char c : a.axes) {
      const std::size_t axis = static_cast<std::size_t>(c - 'I');
      const auto [lo, hi] = a.needed[axis].bounds((*options.domain)[axis]);
      origin.push_back(std::max<std::int64_t>(0, -lo));
      g.shape.push_back(std::max<std::int64_t>(0, origin.back() + hi));
    }
    g.shape.insert(g.shape.end(), a.data_dims.begin(), a.data_dims.end());
    if (!options.origin.count(a.name)) options.origin[a.name] = origin;
    Buffer& b = arrays_[a.name] =
        interp::make_buffer(a.dtype, std::vector<std::int64_t>(g.shape.size(), 0), g.shape);
    if (const auto at = sources.find(a.name); at != sources.end())
      fill_generated(a.name, at->second, b);
    given[a.name] = std::move(g);
  }
  plan_ = stencil::plan_call(info_, given, options);
  const char* const sizes[3] = {"ni", "nj", "nk"};
  for (std::size_t axis = 0; axis < 3; ++axis)
    state_.parameters.emplace(sizes[axis], ir::Scalar::of_int(ir::DType::I64, plan_.domain[axis]));
  for (const stencil::Argument& a : info_.arguments) {
    if (!a.is_field || a.access == stencil::Access::None) continue;
    const std::vector<std::size_t> order = order_of(a);
    std::vector<std::int64_t> lo(order.size()), hi(order.size());
    const auto& part = plan_.parts.at(a.name);
    if (a.has_any_level()) {
      const auto set = [&](const std::string& size, std::int64_t n) {
        state_.parameters.emplace(size, ir::Scalar::of_int(ir::DType::I64, n));
      };
      set(a.levels_before, part.levels_before);
      set(a.levels_after, part.levels_after);
    }
    for (std::size_t p = 0; p < order.size(); ++p) {
      if (p < a.axes.size()) {
        lo[order[p]] = part.begin[p] - part.origin[p];
        hi[order[p]] = lo[order[p]] + part.extent[p];
        // Index 0 of the caller's array is the first point of the domain.
        Buffer& user = arrays_.at(a.name);
        user.hi[p] -= part.origin[p], user.lo[p] -= part.origin[p];
      } else {
        hi[order[p]] = a.data_dims[p - a.axes.size()];
      }
    }
    Buffer& b = state_.arrays[a.symbol] = interp::make_buffer(a.dtype, lo, hi);
    copy_part<false>(arrays_.at(a.name), part.begin, order, b);
  }
}

std::vector<std::size_t> StencilBinding::order_of(const stencil::Argument& a) const {
  std::vector<std::size_t> order;
  for (char c : a.axes) {
    std::size_t place = a.data_dims.size();
    for (char l : layout_) {
      if (l == c) break;
      if (a.axes.find(l) != std::string::npos) ++place;
    }
    order.push_back(place);
  }
  for (std::size_t d = 0; d < a.data_dims.size(); ++d) order.push_back(d);
  return order;
}

std::vector<std::string> StencilBinding::results() const {
  std::vector<std::string> names;
  for (const stencil::Argument& a : info_.arguments)
    if (a.is_field &&
        (a.access == stencil::Access::Write || a.access == stencil::Access::ReadWrite))
      names.push_back(a.name);
  return names;
}

Buffer StencilBinding::result(const std::string& field, const interp::State& state) const {
  const stencil::Argument& a = *info_.find(field);
  Buffer user = arrays_.at(field);
  copy_part<true>(user, plan_.parts.at(field).begin, order_of(a), state.arrays.at(a.symbol));
  return user;
}

interp::Options::Watch StencilBinding::watch(const ir::Program& program,
                                             const std::string& text) const {
  const std::size_t open = text.find('[');
  const stencil::Argument* a = info_.find(text.substr(0, open));
  if (!a || !a->is_field || a->symbol.empty() || open == std::string::npos || text.back() != ']')
    return parse_watch(program, state_, text);  // a temporary, or a mistake that it explains
  return parse_watch(program, state_, a->symbol + text.substr(open));
}

}  // namespace lathe::cli
