// SPDX-License-Identifier: Apache-2.0
#include "cli/infer_sizes.h"

#include <algorithm>
#include <optional>

#include "base/checked.h"
#include "base/quoted.h"
#include "ir/domain.h"
#include "ir/text.h"

namespace lathe::cli {
namespace {

using ir::PwAff;
using Values = std::map<std::string, std::int64_t>;

// Made of sums and products alone: minima, remainders and reads may look linear and are not.
bool is_polynomial(const PwAff& e) {
  switch (e.kind()) {
    case PwAff::Kind::Param:
    case PwAff::Kind::Zero:
    case PwAff::Kind::Int: return true;
    case PwAff::Kind::Sum:
    case PwAff::Kind::Product:
      return std::all_of(e.operands().begin(), e.operands().end(), is_polynomial);
    default: return false;
  }
}

struct Equation {
  const GivenFile* file;
  const ir::Array* array;
  const ir::Axis* axis;
  PwAff extent;  // hi - lo
  std::int64_t elements;
};

class Solver {
 public:
  Solver(const ir::Program& program, const std::map<std::string, GivenFile>& files,
         interp::State& state)
      : program_(program), state_(state) {
    for (const auto& [name, value] : state.parameters)
      if (ir::is_int(value.dtype)) {
        values_[name] = value.as_int();
        from_[name] = "--set " + name + "=" + ir::to_text(value);
      }
    for (const auto& [name, file] : files) {
      const ir::Array* a = program.find_array(program.graph->symbol(name));
      for (std::size_t k = 0; k < a->axes.size(); ++k)
        equations_.push_back({&file, a, &a->axes[k],
                              ir::to_bound(a->axes[k].hi) - ir::to_bound(a->axes[k].lo),
                              file.array.shape[k]});
    }
  }

  void run() {
    // Each round finds a size or is the last one.
    while (std::any_of(equations_.begin(), equations_.end(),
                       [&](const Equation& e) { return solve(e); })) {
    }
    for (const Equation& e : equations_) check(e);
  }

 private:
  // The one parameter of the equation that has no value, if it is a size.
  std::optional<std::string> unknown(const PwAff& rest) const {
    const std::vector<std::string> names = rest.parameters();
    if (names.size() != 1) return std::nullopt;
    const ir::Parameter* p = program_.find_parameter(program_.graph->symbol(names[0]));
    if (p == nullptr || !p->is_size) return std::nullopt;
    return names[0];
  }

  // elements = a + b * size. Does it give a new size?
  bool solve(const Equation& e) {
    const PwAff rest = e.extent.substitute(values_);
    const auto name = unknown(rest);
    if (!name || !rest.is_affine() || !is_polynomial(rest)) return false;
    const CheckedInt a = rest.evaluate({{*name, 0}});
    const CheckedInt b = checked_sub(rest.evaluate({{*name, 1}}), a);
    const CheckedInt way = checked_sub(CheckedInt(e.elements), a);
    if (!a || !b || !way || *b == 0) return false;
    if (floor_mod(*way, *b) != 0 || (*way < 0) != (*b < 0 && *way != 0)) fail_no_size(e, *name);
    values_[*name] = *b == -1 ? -*way : *way / *b;
    from_[*name] = "axis " + lathe::quoted(e.axis->name) + " of " + lathe::quoted(e.file->path) +
                   " has " + count(e.elements);
    state_.parameters[*name] = ir::Scalar::of_int(ir::DType::I64, values_[*name]);
    return true;
  }

  void check(const Equation& e) const {
    const auto value = e.extent.substitute(values_).evaluate({});
    if (!value || std::max<std::int64_t>(*value, 0) == e.elements) return;
    std::string help;
    for (const std::string& name : e.extent.parameters())
      if (const auto from = from_.find(name); from != from_.end())
        help += (help.empty() ? "" : "; ") + name + " is " + std::to_string(values_.at(name)) +
                ": " + from->second;
    throw UserError(
        axis_text(e) + " is " + std::to_string(std::max<std::int64_t>(*value, 0)) + " long",
        e.array->span, help);
  }

  [[noreturn]] void fail_no_size(const Equation& e, const std::string& size) const {
    throw UserError(axis_text(e) + " is not that long for any size " + lathe::quoted(size),
                    e.array->span, "give a file of another shape, or change the declaration");
  }

  // 'u.npy' has 4 elements along axis 'i' of 'u', but 0..2*n
  static std::string axis_text(const Equation& e) {
    return lathe::quoted(e.file->path) + " has " + count(e.elements) + " along axis " +
           lathe::quoted(e.axis->name) + " of " + lathe::quoted(e.array->name) + ", but " +
           ir::print(e.axis->lo) + ".." + ir::print(e.axis->hi);
  }
  static std::string count(std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " element" : " elements");
  }

  const ir::Program& program_;
  interp::State& state_;
  std::vector<Equation> equations_;
  Values values_;
  std::map<std::string, std::string> from_;  // why a parameter has its value
};

}  // namespace

void infer_sizes(const ir::Program& program, const std::map<std::string, GivenFile>& files,
                 interp::State& state) {
  Solver(program, files, state).run();
}

}  // namespace lathe::cli
