// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stencils in GTScript, from Python text to Program.
//
//   @gtscript.stencil(backend="numpy")                    program lap(ni: size, nj: size, nk: size)
//   def lap(u: Field[float], v: Field[float]):              input  u: f64[i: -1..ni+1, j: nj, k:
//   nk]
//       with computation(PARALLEL), interval(...):   ->     output v: f64[i: ni, j: nj, k: nk]
//           v = u[-1, 0, 0] + u[1, 0, 0]
//                                                           for i in 0..ni, j in 0..nj, k in 0..nk:
//                                                             v[i, j, k] = u[i-1, j, k] + u[i+1, j,
//                                                             k]
//
// Index 0 is the first point of the compute domain. Arrays are declared on exactly the range that
// is read or written, so that whoever calls knows what to check. Temporaries are `extended`: the
// pass compute-extents finds where they are needed. docs/gtscript.md has the language.

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "frontend/stencil/extent.h"
#include "frontend/stencil/value.h"
#include "ir/program.h"

namespace lathe::stencil {

inline constexpr char kAxisNames[] = "IJK";

struct Options {
  Members externals;                        // for `from __externals__ import X`
  std::map<std::string, ir::DType> dtypes;  // of Field["name"]; "float" and "int" for those words
  int int_bits = 64, float_bits = 64;       // precision of literals
  // The axes of arrays from the outermost to the one that lies densely in memory.
  std::string layout = "IJK";
  // Say where GT4Py's result differs, and which temporaries may have no value; and of each output
  // what it needs.
  bool remarks = false;
};

enum class Access : std::uint8_t { None, Read, Write, ReadWrite };
std::string_view name(Access a);  // "none" "read" "write" "read-write"

struct Argument {
  std::string name;    // as the user wrote it
  std::string symbol;  // of the program's array or parameter; empty when it is not used
  bool is_field = true;
  bool keyword_only = false;
  ir::DType dtype = ir::DType::F64;
  Span span;
  // Fields. Axes in the order of the program's array; a table has none.
  Access access = Access::None;
  std::string axes;  // those that it has, in the order I, J, K
  std::vector<std::int64_t> data_dims;
  bool optional = false;         // may be None
  std::array<Extent, 3> needed;  // by axis; empty for axes that it does not have
  // Where data say which level is meant: the program's sizes that hold how many levels its array
  // has before and after the domain, at least what is `needed`. Otherwise empty, and its levels are
  // those needed.
  std::string levels_before, levels_after;
  bool has_any_level() const { return !levels_before.empty(); }
  // Scalars.
  std::optional<Value> default_value;
};

// A field that is written, and what it takes to know it on the whole domain: the ranges of the
// fields that it is computed from, by axis, as in Argument.
struct Output {
  std::string name;
  std::vector<std::pair<std::string, std::array<Extent, 3>>> inputs;
};

struct Info {
  std::string name;
  std::vector<Argument> arguments;  // in the order of the definition
  std::int64_t min_levels = 0;      // the smallest size of K
  std::vector<std::string> temporaries;
  std::vector<Output> outputs;  // with remarks; in the order of the arguments
  // What options could say about it: externals that it uses, the dtypes of Field["name"].
  std::set<std::string, std::less<>> externals, dtype_names;

  const Argument* find(std::string_view argument) const;
};

struct Stencil {
  ir::Program program;  // not yet verified
  Info info;
};

// One Python file. Keeps its text and tree.
class File {
 public:
  // Nothing, and errors, if it is not Python.
  static std::optional<File> parse(std::shared_ptr<SourceMap> sources, std::uint32_t file,
                                   Diagnostics& diagnostics);
  File(File&&) noexcept;
  File& operator=(File&&) noexcept;
  ~File();

  std::vector<std::string> stencils() const;  // their names, in the order of the text

  // Names that functions of the file import from __externals__, whichever stencils reach them.
  std::set<std::string, std::less<>> externals() const;

  // Nothing, and every error that could be found. Options of the decorator apply where `options`
  // does not say something else.
  std::optional<Stencil> compile(std::string_view stencil, const Options& options,
                                 Diagnostics& diagnostics) const;

 private:
  struct Parts;
  explicit File(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace lathe::stencil
