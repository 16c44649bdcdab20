// SPDX-License-Identifier: Apache-2.0
// Everything that is said about a stencil is said here, once; contenders are told what they need.

#include "stencil/rows.h"

#include <fmt/format.h>

namespace lathe::bench {
namespace {

FieldRow in(std::string name, int halo = 0, double low = 0, double high = 1) {
  return {.name = std::move(name), .halo = halo, .low = low, .high = high};
}
FieldRow out(std::string name) { return {.name = std::move(name), .use = Use::Write}; }
FieldRow update(std::string name, double low = 0, double high = 1) {
  return {.name = std::move(name), .use = Use::Update, .low = low, .high = high};
}
FieldRow flat(FieldRow field) {
  field.has_k = false;
  return field;
}
FieldRow levels(std::string name, double high) {
  FieldRow field = in(std::move(name), 0, 0, high);
  field.is_int = true;
  return field;
}

constexpr double kStages = 1 / 1.5, kSweep = 1 / 1.8, kDiffusion = 0.72;

std::vector<Definition> make_definitions() {
  std::vector<Definition> all;
  all.push_back({.name = "hdiff",
                 .file = "horizontal_diffusion.py",
                 .function = "hdiff",
                 .fields = {in("in_f", 2), in("coeff"), out("out_f")},
                 .scalars = {},
                 .moved = 3,
                 .of_limit = kDiffusion,
                 .is_large = true});
  all.push_back(
      {.name = "vadv",
       .file = "vertical_advection.py",
       .function = "vadv",
       .fields = {update("utens_stage"), in("u_stage"), in("wcon", 1), in("u_pos"), in("utens")},
       .scalars = {{"dtr_stage", 3.0}},
       .moved = 6,
       .of_limit = kSweep,
       .is_large = true});
  all.push_back({.name = "tridiagonal",
                 .file = "tridiagonal.py",
                 .function = "tridiagonal",
                 .fields = {in("inf"), in("diag", 0, 3, 4), in("sup"), in("rhs"), out("out")},
                 .scalars = {},
                 .moved = 5,
                 .of_limit = kSweep,
                 .is_large = true});
  all.push_back({.name = "upwind5",
                 .file = "upwind_advection.py",
                 .function = "hadv",
                 .fields = {in("f", 3), in("u", 0, -1, 1), in("v", 0, -1, 1), out("out")},
                 .scalars = {{"dt", 0.1}, {"dx", 1.0}, {"dy", 1.25}},
                 .moved = 4,
                 .of_limit = kStages});
  all.push_back(
      {.name = "smagorinsky",
       .file = "smagorinsky.py",
       .function = "smagorinsky",
       .fields = {in("u", 1), in("v", 1), in("hd", 0, 0, 0.1), out("u_out"), out("v_out")},
       .scalars = {{"dx", 1.0}, {"dy", 1.25}, {"weight", 0.3}},
       .moved = 5,
       .of_limit = kStages});
  all.push_back(
      {.name = "transport",
       .file = "transport.py",
       .function = "transport",
       .fields = {in("q", 3), in("courant_x", 1, -0.5, 0.5), in("courant_y", 1, -0.5, 0.5),
                  in("mass_x", 1, 0.5, 1), in("mass_y", 1, 0.5, 1), flat(in("area", 0, 1, 2)),
                  in("delp", 0, 1, 2), out("q_out")},
       .scalars = {},
       .moved = 7,
       .of_limit = kStages});
  all.push_back({.name = "ppm",
                 .file = "ppm.py",
                 .function = "ppm",
                 .fields = {in("q", 3), in("courant", 1), out("out")},
                 .scalars = {},
                 .moved = 3,
                 .of_limit = kStages});
  // Newton's method ends a step earlier or later where rounding differs.
  all.push_back({.name = "adjust",
                 .file = "column_physics.py",
                 .function = "adjust",
                 .fields = {update("t", 270, 300), update("qv", 0.001, 0.02),
                            update("qc", 0, 0.002), in("p", 0, 5e4, 1e5)},
                 .scalars = {{"tolerance", 1e-6}},
                 .moved = 7,
                 .is_fresh = true,
                 .rounding_times = 30});
  all.push_back({.name = "sediment",
                 .file = "column_physics.py",
                 .function = "sediment",
                 .fields = {in("qr"), levels("speed", 3), flat(out("rain")), out("out")},
                 .scalars = {},
                 .moved = 3,
                 .of_limit = kStages});
  return all;
}

StencilRow stencil_row(const Definition& d, const std::string& dtype, std::int64_t side,
                       const std::string& layout) {
  StencilRow made{&d, layout, {side, side, 80}, {}};
  Row& r = made.row;
  r.bench = "stencil " + d.name;
  r.dtype = dtype;
  r.size_text = fmt::format("{}x{}x80 {}", side, side, layout);
  r.limit = Limit::Triad;
  r.work = d.moved * (dtype == "f32" ? 4 : 8) * static_cast<double>(side * side * 80);
  if (d.of_limit > 0) r.goals.push_back({"limit", d.of_limit});
  r.quick = side == 256 && layout == "KJI";
  return made;
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make_definitions();
  return all;
}

std::vector<StencilRow> stencil_rows() {
  std::vector<StencilRow> all;
  for (const Definition& d : definitions())
    for (const std::int64_t side : {128, 256, 1024})
      for (const char* layout : {"KJI", "IJK", "KIJ"})
        for (const char* dtype : {"f64", "f32"})
          if (side < 1024 || d.is_large) all.push_back(stencil_row(d, dtype, side, layout));
  return all;
}

}  // namespace lathe::bench
