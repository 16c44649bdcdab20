// SPDX-License-Identifier: Apache-2.0
#pragma once
// The small functions of a kernel: add_i32, min_f64x8, load_f32x16 ... Each is printed once, when
// it is first asked for, after those that it needs.
//
// They are written as templates over a dtype and a number of lanes (library_*.cpp):
//   $T  the type of a value      $E  of one lane              $L  lanes      $B  bits of a lane
//   $S  signed, $U unsigned integers of the same width and lanes
//   $W  the unsigned type to compute in: never promoted to int
//   $X  ps or pd, as in names of x86 instructions             $f  f or nothing, as in sqrtf
//   $I  sd, sq, ud or uq, as in pminsd
//   $(text with #)   the text once per lane, # being its number, separated by commas
//   $[text with #]   the same as statements, separated by blanks
//   %u32   the type of u32 with the same lanes; %f64x2 that one
//   @min   the function min of the same dtype and lanes; @min:f32 of another dtype; @min:1 of
//          another number of lanes

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/dtype.h"
#include "ir/expr.h"

namespace lathe::emit {

enum Kinds : unsigned {
  kFloat32 = 1,
  kFloat64 = 2,
  kFloat16 = 4,
  kBFloat16 = 8,
  kSigned32 = 16,
  kSigned64 = 32,
  kSignedOther = 64,
  kUnsigned32 = 128,
  kUnsigned64 = 256,
  kUnsignedOther = 512,
  kFloat = kFloat32 | kFloat64,
  kSigned = kSigned32 | kSigned64 | kSignedOther,
  kUnsigned = kUnsigned32 | kUnsigned64 | kUnsignedOther,
  kIntegers = kSigned | kUnsigned,
  kAny = kIntegers | kFloat,
  kWords32 = kFloat32 | kSigned32 | kUnsigned32,
  kIntegers32 = kSigned32 | kUnsigned32,
  kIntegers64 = kSigned64 | kUnsigned64,
  kWords64 = kFloat64 | kSigned64 | kUnsigned64,
};

struct FunctionTemplate {
  std::string_view name;
  unsigned kinds;  // of the dtype
  bool vector;     // several lanes, or one
  unsigned bytes;  // of all lanes together; 0: any
  std::string_view result, parameters, body;
};

// The tables.
std::span<const FunctionTemplate> integer_templates();
std::span<const FunctionTemplate> divide_templates();
std::span<const FunctionTemplate> float_templates();
std::span<const FunctionTemplate> rounding_templates();
std::span<const FunctionTemplate> half_templates();
std::span<const FunctionTemplate> memory_templates();

class Library {
 public:
  // The name of a type; a vector type is declared.
  std::string type(ir::DType t, int lanes);
  // The name of a function of the tables, defined from now on.
  std::string function(std::string_view name, ir::DType t, int lanes);
  // The name of a conversion between two dtypes as they are held in lanes (not bool).
  // `small`: of lanes that are in range or NaNs.
  std::string conversion(ir::DType from, ir::DType to, int lanes, bool small = false);
  // The name of a constant table, defined from now on.
  std::string table(const ir::Table& table);

  // A function made elsewhere. begin() is true for the one who must define it.
  bool begin(const std::string& name) { return defined_.insert(name).second; }
  void define(std::string text) { definitions_.push_back(std::move(text)); }

  bool needs_libm() const { return needs_libm_; }
  std::string text() const;

 private:
  struct Context;
  std::string expand(std::string_view text, const Context& context);
  void define_function(const std::string& name, std::string_view result,
                       std::string_view parameters, std::string_view body, const Context& context);
  static std::string store_part_body(int lanes);
  std::string conversion_body(ir::DType from, ir::DType to, int lanes);

  std::set<std::string> defined_, types_;
  std::vector<std::string> type_lines_, definitions_;
  bool needs_libm_ = false;
};

}  // namespace lathe::emit
