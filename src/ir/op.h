// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation enum and its table, both expanded from ops.def.

#include <cstdint>
#include <optional>
#include <string_view>

namespace lathe::ir {

enum class Op : std::uint8_t {
#define LATHE_OP(name, spelling, form, arity, typing, traits) name,
#include "ir/ops.def"
};

enum class Form : std::uint8_t { Leaf, Call, Infix, Prefix, Conversion };
enum class Typing : std::uint8_t {
  Arith,
  Float,
  Integer,
  Bits,
  Order,
  Same,
  Logic,
  Test,
  Select,
  Gate,
  Special
};

enum Trait : unsigned { kCommutes = 1, kAssociates = 2, kLazy = 4, kElementary = 8 };

struct OpInfo {
  std::string_view name;      // "FloorDiv"
  std::string_view spelling;  // "//"
  Form form;
  int arity;  // -1: varies
  Typing typing;
  unsigned traits;
};

const OpInfo& info(Op op);
inline bool has(Op op, Trait t) { return (info(op).traits & t) != 0; }
extern const int kOpCount;

// By spelling among the operations of one form.
std::optional<Op> find_op(Form form, std::string_view spelling);

}  // namespace lathe::ir
