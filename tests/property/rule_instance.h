// SPDX-License-Identifier: Apache-2.0
#pragma once
// A rule as two expressions over parameters x y z b c d k l, for given dtypes.

#include <map>
#include <optional>
#include <string>

#include "ir/build.h"
#include "ir/typing.h"
#include "rewrite/pattern.h"
#include "rewrite/rules.h"

namespace lathe::testing {

struct Types {
  ir::DType t, s, u;
};

// Turns terms into expressions. Names that stand for constants become parameters, or the constants
// in `constants` when it has them.
class TermBuilder {
 public:
  TermBuilder(ir::Maker& maker, Types types) : maker_(maker), types_(types) {}
  std::map<std::string, ir::Scalar> constants;
  std::map<std::string, ir::DType> dtypes;  // of every name met so far
  bool reads = false;                       // variables are reads, which may fail

  // Null when these dtypes do not fit.
  ir::Expr build(const rewrite::Term& term) { return build(term, types_.t); }

 private:
  using Term = rewrite::Term;

  ir::DType named(const rewrite::TypeName& type) const {
    switch (type.variable) {
      case rewrite::TypeName::T: return types_.t;
      case rewrite::TypeName::S: return types_.s;
      case rewrite::TypeName::U: return types_.u;
      case rewrite::TypeName::Fixed: return type.fixed;
    }
    return types_.t;
  }

  static std::string name_of(const Term& term) {
    const auto names =
        term.kind == Term::Kind::Variable ? rewrite::kVariableNames : rewrite::kConstantNames;
    return std::string(1, names[static_cast<std::size_t>(term.slot)]);
  }

  // The dtype that a term has by itself, whatever stands next to it.
  std::optional<ir::DType> own_dtype(const Term& term) const {
    switch (term.kind) {
      case Term::Kind::Variable: return term.is_bool ? ir::DType::Bool : types_.t;
      case Term::Kind::Constant: {
        const auto found = dtypes.find(name_of(term));
        return found == dtypes.end() ? std::nullopt : std::optional(found->second);
      }
      case Term::Kind::Literal: return term.is_bool ? std::optional(ir::DType::Bool) : std::nullopt;
      case Term::Kind::Fold: return own_dtype(term.args[0]);
      case Term::Kind::Apply: break;
    }
    if (term.op == ir::Op::Cast || term.op == ir::Op::BitCast) return named(term.type);
    const auto typing = info(term.op).typing;
    if (typing == ir::Typing::Order || typing == ir::Typing::Same || typing == ir::Typing::Logic ||
        typing == ir::Typing::Test)
      return ir::DType::Bool;
    for (std::size_t i = first_value(term.op); i < term.args.size(); ++i)
      if (const auto t = own_dtype(term.args[i])) return t;
    return std::nullopt;
  }

  static std::size_t first_value(ir::Op op) {
    return op == ir::Op::Select || op == ir::Op::Gate ? 1 : 0;
  }

  ir::Expr build(const Term& term, ir::DType hint) {
    ir::Graph& graph = maker_.graph();
    switch (term.kind) {
      case Term::Kind::Variable: {
        const ir::DType t = term.is_bool ? ir::DType::Bool : types_.t;
        dtypes[name_of(term)] = t;
        const Symbol symbol = graph.symbol(name_of(term));
        return reads ? graph.read(symbol, t, {}) : graph.param(symbol, t);
      }
      case Term::Kind::Constant: {
        const std::string name = name_of(term);
        const ir::DType t = dtypes.emplace(name, hint).first->second;
        const auto value = constants.find(name);
        if (value == constants.end()) return graph.param(graph.symbol(name), t);
        return value->second.dtype == t ? graph.constant(value->second) : nullptr;
      }
      case Term::Kind::Literal:
        if (term.is_bool) hint = ir::DType::Bool;
        return graph.constant(rewrite::literal(term, hint));
      case Term::Kind::Fold: return build(term.args[0], hint);
      case Term::Kind::Apply: break;
    }
    ir::DType operand = term.op == ir::Op::Cast || term.op == ir::Op::BitCast ? types_.t : hint;
    if (info(term.op).typing == ir::Typing::Logic) operand = ir::DType::Bool;
    for (std::size_t i = first_value(term.op); i < term.args.size(); ++i)
      if (const auto t = own_dtype(term.args[i])) operand = *t;
    std::vector<ir::Expr> args;
    std::vector<ir::DType> types;
    for (std::size_t i = 0; i < term.args.size(); ++i) {
      args.push_back(build(term.args[i], i < first_value(term.op) ? ir::DType::Bool : operand));
      if (args.back() == nullptr) return nullptr;
      types.push_back(args.back()->dtype);
    }
    if (term.op == ir::Op::Cast) return maker_.make(term.op, named(term.type), args);
    if (term.op == ir::Op::BitCast) {
      const ir::DType to = named(term.type);
      if (ir::size_bytes(to) != ir::size_bytes(types[0]) || ir::is_bool(to) ||
          ir::is_bool(types[0]))
        return nullptr;
      return maker_.make(term.op, to, args);
    }
    const auto result = ir::result_dtype(term.op, types);
    if (!std::holds_alternative<ir::DType>(result)) return nullptr;
    return maker_.make(term.op, std::get<ir::DType>(result), args);
  }

  ir::Maker& maker_;
  Types types_;
};

// Every choice of dtypes that the rule admits, as far as text goes.
inline std::vector<Types> all_types(const rewrite::Rule& rule) {
  const bool has_s = rule.pattern.find("S(") != std::string_view::npos;
  const bool has_u = rule.pattern.find("U(") != std::string_view::npos;
  std::vector<Types> all;
  for (int t = 0; t < ir::kDTypeCount; ++t) {
    if (!rewrite::admits(rule.dtypes, static_cast<ir::DType>(t))) continue;
    for (int s = 0; s < (has_s ? ir::kDTypeCount : 1); ++s)
      for (int u = 0; u < (has_u ? ir::kDTypeCount : 1); ++u)
        all.push_back({static_cast<ir::DType>(t), static_cast<ir::DType>(has_s ? s : t),
                       static_cast<ir::DType>(has_u ? u : t)});
  }
  return all;
}

}  // namespace lathe::testing
