// SPDX-License-Identifier: Apache-2.0
// What comes out of `lathe run`: files, pictures, watched elements, a line per array.

#include <algorithm>
#include <optional>

#include "base/number_text.h"
#include "cli/bindings.h"
#include "io/image.h"
#include "io/npy.h"

namespace lathe::cli {
namespace {

using interp::Buffer;

bool is_result(ir::Role role) {
  return role == ir::Role::Output || role == ir::Role::InOut || role == ir::Role::State;
}

std::string count(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

void check_path(const std::string& option, const std::string& path, const ir::Array& a) {
  if (path.ends_with(".npy") || path.starts_with("/dev/")) return;
  if (!path.ends_with(".png")) throw UserError(option + ": expected FILE.npy or FILE.png");
  if (a.axes.empty() || a.axes.size() > 2)
    throw UserError(option + ": a picture needs one or two axes, '" + std::string(a.name.text()) +
                        "' has " + std::to_string(a.axes.size()),
                    {}, "write a .npy file");
}

std::vector<std::int64_t> parse_index(const std::string& text) {
  std::vector<std::int64_t> index;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string part = text.substr(at, comma - at);
    std::erase(part, ' ');
    const auto value = parse_int64(part);
    if (!value) throw UserError("'" + part + "' is not an integer");
    index.push_back(value.value);
    at = comma + 1;
  }
  return index;
}

// Where the range is known before the run, an index outside of it is a mistake.
void check_inside(const ir::Program& program, const interp::State& state, const ir::Array& a,
                  const std::vector<std::int64_t>& index) {
  interp::Bounds bounds;
  try {
    bounds = interp::declared_bounds(program, a, state);
  } catch (const UserError&) {
    return;  // the program computes it
  }
  for (std::size_t k = 0; k < index.size(); ++k)
    if (index[k] < bounds.lo[k] || index[k] >= bounds.hi[k])
      throw UserError("axis '" + std::string(a.axes[k].name.text()) + "' of '" +
                      std::string(a.name.text()) + "' covers " + std::to_string(bounds.lo[k]) +
                      ".." + std::to_string(bounds.hi[k]) + ", not " + std::to_string(index[k]));
}

interp::Options::Watch watch_of(const ir::Program& program, const interp::State& state,
                                const std::string& text) {
  const std::size_t open = text.find('[');
  const std::string name = text.substr(0, open);
  const ir::Array* a = program.find_array(program.graph->symbol(name));
  if (!a) throw UserError("there is no array '" + name + "'");
  if (a->role == ir::Role::Input || a->role == ir::Role::Const)
    throw UserError("'" + name + "' is " +
                    (a->role == ir::Role::Input ? "an input" : "a constant") +
                    ": nothing writes it");
  std::vector<std::int64_t> index;
  if (open != std::string::npos) {
    if (text.back() != ']') throw UserError("']' is missing");
    index = parse_index(text.substr(open + 1, text.size() - open - 2));
  }
  if (index.size() != a->axes.size())
    throw UserError("'" + name + "' has " + count(a->axes.size(), "axis", "axes") + ", not " +
                    std::to_string(index.size()));
  index = ir::as_stored(a->users_order, index);
  check_inside(program, state, *a, index);
  return {name, index};
}

}  // namespace

std::string index_text(const std::vector<std::int64_t>& index) {
  if (index.empty()) return {};
  std::string text = "[";
  for (std::int64_t i : index) text += (text.size() > 1 ? ", " : "") + std::to_string(i);
  return text + "]";
}

interp::Options::Watch parse_watch(const ir::Program& program, const interp::State& state,
                                   const std::string& text) {
  try {
    return watch_of(program, state, text);
  } catch (const UserError& e) {
    throw UserError("--watch " + text + ": " + e.what(), {}, "for example: --watch v[3,4]");
  }
}

std::vector<std::string> result_names(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Array& a : program.arrays)
    if (is_result(a.role)) names.push_back(std::string(a.name.text()));
  return names;
}

std::vector<OutFile> parse_outs(const ir::Program& program, const std::vector<std::string>& out) {
  std::vector<OutFile> files;
  for (const std::string& text : out) {
    const auto [name, path] = split_assignment("--out", text);
    const ir::Array* a = program.find_array(program.graph->symbol(name));
    if (!a || !is_result(a->role)) {
      std::string help;
      for (const std::string& r : result_names(program)) help += (help.empty() ? "" : ", ") + r;
      throw UserError("--out " + text + ": program '" + std::string(program.name.text()) +
                          "' has no output, inout or state '" + name + "'",
                      {}, help.empty() ? "" : "it has " + help);
    }
    check_path("--out " + text, path, *a);
    files.push_back({name, path});
  }
  return files;
}

std::vector<OutFile> parse_outs(const std::vector<std::string>& results,
                                const std::vector<std::string>& out) {
  std::vector<OutFile> files;
  for (const std::string& text : out) {
    const auto [name, path] = split_assignment("--out", text);
    if (std::find(results.begin(), results.end(), name) == results.end()) {
      std::string help;
      for (const std::string& r : results) help += (help.empty() ? "" : ", ") + r;
      throw UserError("--out " + text + ": the stencil does not write '" + name + "'", {},
                      help.empty() ? "" : "it writes " + help);
    }
    if (!path.ends_with(".npy") && !path.starts_with("/dev/"))
      throw UserError("--out " + text + ": fields are written to FILE.npy");
    files.push_back({name, path});
  }
  return files;
}

void write_array(const OutFile& out, const Buffer& buffer) {
  const std::vector<std::int64_t> shape = shape_of(buffer);
  if (!out.path.ends_with(".png")) return io::write_npy(out.path, buffer.dtype, shape, buffer.data);
  const std::size_t rows = shape.size() == 2 ? static_cast<std::size_t>(shape[0]) : 1;
  const std::size_t columns = static_cast<std::size_t>(shape.back());
  if (rows == 0 || columns == 0)
    throw UserError("--out " + out.name + "=" + out.path + ": '" + out.name +
                    "' has no elements to draw");
  std::vector<double> values;
  const std::size_t size = size_bytes(buffer.dtype);
  for (std::size_t at = 0; at < buffer.data.size(); at += size)
    values.push_back(ir::Scalar::load(buffer.dtype, buffer.data.data() + at).as_double());
  io::write_png(out.path, io::heat_map(values, rows, columns, io::finite_range(values),
                                       io::scale_to(rows, columns)));
}

Summary summarise(const Buffer& b) {
  const std::size_t size = size_bytes(b.dtype);
  const auto less = [&](const ir::Scalar& x, const ir::Scalar& y) {
    if (is_float(b.dtype)) return x.as_double() < y.as_double();
    if (b.dtype == ir::DType::U64) return x.bits < y.bits;  // beyond i64 and the doubles
    return x.as_int() < y.as_int();
  };
  Summary s;
  std::optional<ir::Scalar> low, high;
  for (std::size_t at = 0; at < b.data.size(); at += size) {
    const ir::Scalar x = ir::Scalar::load(b.dtype, b.data.data() + at);
    if (x.is_nan()) {
      ++s.nans;
      continue;
    }
    if (!low || less(x, *low)) low = x;
    if (!high || less(*high, x)) high = x;
  }
  if (low) s.low = ir::to_text(*low);
  if (high) s.high = ir::to_text(*high);
  return s;
}

}  // namespace lathe::cli
