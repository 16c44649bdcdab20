// SPDX-License-Identifier: Apache-2.0
#include "cli/bindings.h"

#include <map>

#include "base/hash.h"
#include "base/number_text.h"
#include "cli/infer_sizes.h"

namespace lathe::cli {
namespace {

using interp::Buffer;
using interp::State;

bool given_by_user(ir::Role role) {
  return role == ir::Role::Input || role == ir::Role::InOut || role == ir::Role::State;
}

ir::Scalar parse_value(const ir::Parameter& p, const std::string& text) {
  const std::string name(p.name.text());
  const auto wrong = [&](const std::string& why) {
    return UserError("--set " + name + "=" + text + ": " + why);
  };
  if (is_bool(p.dtype)) {
    if (text == "true" || text == "True") return ir::Scalar::of_bool(true);
    if (text == "false" || text == "False") return ir::Scalar::of_bool(false);
    throw wrong("'" + name + "' is a bool: true or false");
  }
  if (is_float(p.dtype)) {
    const auto value = parse_double(text);
    if (!value) throw wrong("'" + name + "' is a " + std::string(ir::name(p.dtype)) + " number");
    return ir::Scalar::of_double(p.dtype, value.value);
  }
  const auto value = parse_int64(text);
  const auto natural = parse_uint64(text);
  if (!value && !(p.dtype == ir::DType::U64 && natural)) {
    if (value.fault == NumberFault::TooLarge)
      throw wrong("the number does not fit into 64 bits" +
                  (natural ? ", of which one is the sign" : std::string()));
    throw wrong("'" + name + "' is an integer");
  }
  if (p.is_size && value.value < 0) throw wrong("a size cannot be negative");
  const ir::Scalar s = value ? ir::Scalar::of_int(p.dtype, value.value)
                             : ir::Scalar::of_uint(p.dtype, natural.value);
  if (value && (s.as_int() != value.value || (is_unsigned_int(p.dtype) && value.value < 0)))
    throw wrong("does not fit into " + std::string(ir::name(p.dtype)));
  return s;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::int64_t n : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + ")";
}

std::string axes_text(std::size_t rank) {
  return std::to_string(rank) + (rank == 1 ? " axis" : " axes");
}

// What can be said before the sizes are known.
void check_kind(const ir::Array& a, const GivenFile& file) {
  const std::string name = "'" + std::string(a.name.text()) + "'";
  if (file.array.dtype != a.dtype)
    throw UserError("'" + file.path + "' holds " + std::string(ir::name(file.array.dtype)) +
                        ", but " + name + " is " + std::string(ir::name(a.dtype)),
                    a.span, "convert the file, or change the declaration");
  const std::size_t rank = file.array.shape.size();
  if (rank != a.axes.size())
    throw UserError("'" + file.path + "' has shape " + shape_text(file.array.shape) + ", " +
                        axes_text(rank) + ", but " + name + " has " + axes_text(a.axes.size()),
                    a.span, "reshape the file, or change the declaration");
}

void fill_from_file(const std::string& name, const GivenFile& file, Buffer& buffer) {
  if (file.array.shape != shape_of(buffer))
    throw UserError("'" + file.path + "' has shape " + shape_text(file.array.shape) + ", but '" +
                    name + "' needs " + shape_text(shape_of(buffer)));
  io::copy_elements(file.array, buffer.data);
}

// Uniform in [-1, 1) for floats, small integers otherwise; the same numbers on every machine.
void fill_random(std::uint64_t seed, Buffer& buffer) {
  const std::size_t size = size_bytes(buffer.dtype);
  for (std::size_t i = 0; i * size < buffer.data.size(); ++i) {
    const std::uint64_t bits = Hasher().add(seed).add(i).finish();
    ir::Scalar s;
    if (is_float(buffer.dtype))
      s = ir::Scalar::of_double(buffer.dtype, static_cast<double>(bits >> 11) * 0x1p-52 - 1.0);
    else if (is_bool(buffer.dtype))
      s = ir::Scalar::of_bool((bits & 1) != 0);
    else
      s = ir::Scalar::of_int(buffer.dtype, static_cast<std::int64_t>(bits % 100));
    s.store(buffer.data.data() + i * size);
  }
}

void fill_ramp(Buffer& buffer) {
  const std::size_t size = size_bytes(buffer.dtype);
  for (std::size_t i = 0; i * size < buffer.data.size(); ++i)
    ir::Scalar::of_int(buffer.dtype, static_cast<std::int64_t>(i))
        .store(buffer.data.data() + i * size);
}

void fill(const std::string& name, const std::string& source,
          const std::map<std::string, GivenFile>& files, Buffer& buffer) {
  if (auto file = files.find(name); file != files.end())
    return fill_from_file(name, file->second, buffer);
  fill_generated(name, source, buffer);
}

}  // namespace

bool is_npy_source(const std::string& name, const std::string& source) {
  if (source == "ramp" || source == "zeros" || source.starts_with("random:")) return false;
  if (source.ends_with(".npy") || source.starts_with("/dev/")) return true;
  throw UserError("--in " + name + "=" + source +
                  ": expected FILE.npy, random:SEED, ramp or zeros");
}

ir::Scalar parse_scalar(const std::string& name, ir::DType dtype, const std::string& text) {
  ir::Graph graph;
  return parse_value({graph.symbol(name), false, dtype, {}}, text);
}

void fill_generated(const std::string& name, const std::string& source, Buffer& buffer) {
  if (source == "ramp") return fill_ramp(buffer);
  if (source == "zeros") return;
  const auto seed = parse_uint64(source.substr(std::string("random:").size()));
  if (!seed) throw UserError("--in " + name + "=" + source + ": the seed is a natural number");
  fill_random(seed.value, buffer);
}

namespace {

std::string program_name(const ir::Program& program) {
  return "program '" + std::string(program.name.text()) + "'";
}

// "it has n, m", or that there is none.
template <class T, class F>
std::string those_of(const T& things, F&& wanted, const std::string& what) {
  std::string names;
  for (const auto& thing : things)
    if (wanted(thing)) names += (names.empty() ? "" : ", ") + std::string(thing.name.text());
  return names.empty() ? "it has no " + what : "it has " + names;
}

void set_parameters(const ir::Program& program, const std::vector<std::string>& set, State& state) {
  for (const std::string& text : set) {
    const auto [name, value] = split_assignment("--set", text);
    const ir::Parameter* p = program.find_parameter(program.graph->symbol(name));
    if (!p)
      throw UserError(
          "--set " + text + ": " + program_name(program) + " has no parameter '" + name + "'", {},
          those_of(
              program.parameters, [](const auto&) { return true; }, "parameters"));
    if (!state.parameters.emplace(name, parse_value(*p, value)).second)
      throw UserError("--set " + text + ": '" + name + "' is given twice");
  }
}

struct Sources {
  std::map<std::string, std::string> named;  // as the user wrote them
  std::map<std::string, GivenFile> files;    // those that are files
};

Sources find_sources(const ir::Program& program, const std::vector<std::string>& in) {
  Sources sources;
  for (const std::string& text : in) {
    const auto [name, source] = split_assignment("--in", text);
    const ir::Array* a = program.find_array(program.graph->symbol(name));
    if (!a || !given_by_user(a->role))
      throw UserError(
          "--in " + text + ": " + program_name(program) + " has no input, inout or state '" + name +
              "'",
          {},
          those_of(
              program.arrays, [](const ir::Array& x) { return given_by_user(x.role); }, "inputs"));
    if (!sources.named.emplace(name, source).second)
      throw UserError("--in " + text + ": '" + name + "' is given twice");
    if (!is_npy_source(name, source)) continue;
    const GivenFile& file = sources.files[name] = {source, io::read_npy(source)};
    check_kind(*a, file);
  }
  return sources;
}

// Everything that is missing, in one error that says what to add.
void check_complete(const ir::Program& program, const State& state, const Sources& sources) {
  std::string missing;
  for (const ir::Parameter& p : program.parameters)
    if (const std::string name(p.name.text()); !state.parameters.contains(name))
      missing += " --set " + name + "=" + (p.is_size ? "100" : is_bool(p.dtype) ? "true" : "1");
  for (const ir::Array& a : program.arrays)
    if (const std::string name(a.name.text());
        given_by_user(a.role) && !sources.named.contains(name))
      missing += " --in " + name + "=" + (a.role == ir::Role::State ? "zeros" : "random:1");
  if (!missing.empty())
    throw UserError(program_name(program) + " needs values that are not given", {},
                    "add, for example:" + missing);
}

}  // namespace

std::vector<std::int64_t> shape_of(const Buffer& b) {
  std::vector<std::int64_t> shape;
  for (std::size_t k = 0; k < b.lo.size(); ++k) shape.push_back(b.extent(k));
  return shape;
}

std::pair<std::string, std::string> split_assignment(const std::string& option,
                                                     const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw UserError(option + " " + text + ": expected NAME=VALUE");
  return {text.substr(0, at), text.substr(at + 1)};
}

State bind_inputs(const ir::Program& program, const std::vector<std::string>& set,
                  const std::vector<std::string>& in) {
  State state;
  set_parameters(program, set, state);
  const Sources sources = find_sources(program, in);
  infer_sizes(program, sources.files, state);
  check_complete(program, state, sources);
  for (const ir::Array& a : program.arrays) {
    if (!given_by_user(a.role)) continue;
    const std::string name(a.name.text());
    Buffer& buffer = state.arrays[name] =
        interp::make_buffer(a, interp::declared_bounds(program, a, state));
    fill(name, sources.named.at(name), sources.files, buffer);
  }
  return state;
}

}  // namespace lathe::cli
