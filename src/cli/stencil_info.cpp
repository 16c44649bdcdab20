// SPDX-License-Identifier: Apache-2.0
#include "cli/stencil_info.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/stencils.h"

namespace lathe::cli {

using Json = nlohmann::ordered_json;

namespace {

using Extents = std::array<stencil::Extent, 3>;

// i 2 before, 1 after
std::string halo_text(const std::string& axes, const Extents& needed) {
  std::string text;
  for (char c : axes) {
    const stencil::Extent& e = needed[static_cast<std::size_t>(c - 'I')];
    const auto side = [](std::optional<std::int64_t> n) {
      return n ? std::to_string(*n) : std::string("-");
    };
    text += (text.empty() ? "" : ", ") + std::string(1, c) + " " + side(e.below()) + "/" +
            side(e.above());
  }
  return text;
}

Json beyond_json(const std::string& axes, const Extents& needed) {
  Json beyond = Json::object();
  for (char c : axes) {
    const stencil::Extent& e = needed[static_cast<std::size_t>(c - 'I')];
    const auto side = [](std::optional<std::int64_t> n) { return n ? Json(*n) : Json(nullptr); };
    beyond[std::string(1, c)] = {side(e.below()), side(e.above())};
  }
  return beyond;
}

const stencil::Output* find_output(const stencil::Info& info, const std::string& name) {
  for (const stencil::Output& o : info.outputs)
    if (o.name == name) return &o;
  return nullptr;
}

Json argument_json(const stencil::Info& info, const stencil::Argument& a) {
  Json json = {{"name", a.name},
               {"kind", a.is_field ? "field" : "scalar"},
               {"dtype", std::string(ir::name(a.dtype))},
               {"used", !a.symbol.empty()}};
  if (!a.is_field) {
    if (a.default_value) json["default"] = default_text(a);
    return json;
  }
  json["axes"] = a.axes;
  json["data_dims"] = a.data_dims;
  json["access"] = std::string(name(a.access));
  if (a.access != stencil::Access::None) json["beyond_domain"] = beyond_json(a.axes, a.needed);
  json["any_level"] = a.has_any_level();
  if (const stencil::Output* output = find_output(info, a.name)) {
    Json needs = Json::object();
    for (const auto& [name, needed] : output->inputs)
      needs[name] = beyond_json(info.find(name)->axes, needed);
    json["needs"] = std::move(needs);
  }
  return json;
}

// v needs u (I 1/1, J 0/0), w (I 0/0, J 0/0)
std::string needs_text(const stencil::Info& info, const stencil::Output& output) {
  std::string text;
  for (const auto& [name, needed] : output.inputs) {
    const std::string halo = halo_text(info.find(name)->axes, needed);
    text += (text.empty() ? " needs " : ", ") + name + (halo.empty() ? "" : " (" + halo + ")");
  }
  return output.name + (text.empty() ? " needs no field" : text);
}

}  // namespace

void print_info(const CheckedStencil& stencil, std::ostream& out) {
  const stencil::Info& info = stencil.info;
  for (const stencil::Argument& a : info.arguments) {
    out << "  " << (a.is_field ? "field  " : "scalar ") << a.name << ": " << ir::name(a.dtype);
    if (a.is_field) {
      out << " over " << (a.axes.empty() ? "no axis" : a.axes);
      if (!a.data_dims.empty()) {
        out << ", data (";
        for (std::size_t d = 0; d < a.data_dims.size(); ++d)
          out << (d ? ", " : "") << a.data_dims[d];
        out << ")";
      }
      out << ", " << name(a.access);
      if (a.access != stencil::Access::None && !a.axes.empty())
        out << ", needs beyond the domain (before/after): " << halo_text(a.axes, a.needed);
      if (a.has_any_level()) out << "; levels are computed: any that the array has";
    } else {
      if (a.default_value) out << ", " << default_text(a) << " by default";
      if (a.symbol.empty()) out << ", not used";
    }
    out << "\n";
  }
  if (info.outputs.size() > 1)
    for (const stencil::Output& o : info.outputs) out << "  output " << needs_text(info, o) << "\n";
  out << "  levels of K: at least " << std::max<std::int64_t>(1, info.min_levels) << "\n";
  if (!info.temporaries.empty()) {
    out << "  temporaries:";
    for (std::size_t i = 0; i < info.temporaries.size(); ++i)
      out << (i ? ", " : " ") << info.temporaries[i];
    out << "\n";
  }
  for (const StencilCopy& c : stencil.copies) out << "  copy: " << to_text(c) << "\n";
}

std::string info_json(const std::vector<CheckedStencil>& stencils) {
  Json all = Json::array();
  for (const CheckedStencil& s : stencils) {
    Json arguments = Json::array();
    for (const stencil::Argument& a : s.info.arguments)
      arguments.push_back(argument_json(s.info, a));
    Json copies = Json::array();
    for (const StencilCopy& c : s.copies)
      copies.push_back({{"field", c.field}, {"line", c.line}, {"holds", c.old ? "old" : "new"}});
    all.push_back({{"file", s.file},
                   {"stencil", s.info.name},
                   {"levels", std::max<std::int64_t>(1, s.info.min_levels)},
                   {"arguments", std::move(arguments)},
                   {"temporaries", s.info.temporaries},
                   {"copies", std::move(copies)}});
  }
  return all.dump();
}

}  // namespace lathe::cli
