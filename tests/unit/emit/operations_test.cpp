// SPDX-License-Identifier: Apache-2.0
// Every operation at every dtype, on single values and in lanes, against the interpreter's rows:
// bit for bit, for several compilers and levels. One kernel holds all operations of some dtypes.

#include <gtest/gtest.h>

#include "interp/row_ops.h"
#include "ir/typing.h"
#include "property/special_values.h"
#include "thorough.h"
#include "unit/emit/host.h"
#include "unit/emit/kernel_builder.h"

namespace lathe::testing {
namespace {

constexpr std::size_t kArguments = 2003;  // not a multiple of any vector

struct Case {
  Op op;
  std::vector<DType> operands;
  DType result;
};

std::string to_string(const Case& c) {
  std::string text(info(c.op).name);
  for (DType t : c.operands) text += " " + std::string(name(t));
  return text + " -> " + std::string(name(c.result));
}

// All operations whose last operand has dtype t.
std::vector<Case> cases_of(DType t) {
  std::vector<Case> cases;
  for (int i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    const ir::OpInfo& about = info(op);
    if (about.form == ir::Form::Leaf) continue;
    if (op == Op::Cast || op == Op::BitCast) {
      for (int k = 0; k < ir::kDTypeCount; ++k) {
        const DType to = static_cast<DType>(k);
        if (op == Op::Cast || ir::size_bytes(to) == ir::size_bytes(t))
          cases.push_back({op, {t}, to});
      }
      continue;
    }
    std::vector<DType> operands(static_cast<std::size_t>(about.arity), t);
    if (op == Op::Select || op == Op::Gate) operands[0] = DType::Bool;
    const auto result = ir::result_dtype(op, operands);
    if (const DType* r = std::get_if<DType>(&result)) cases.push_back({op, operands, *r});
  }
  return cases;
}

// Pairs of special values first, then random ones.
Row operand_row(DType t, std::size_t which, Rng& rng) {
  Row row(t, kArguments);
  const std::vector<ir::Scalar> special = special_values(t);
  for (std::size_t i = 0; i < kArguments; ++i) {
    const std::size_t at = which == 0 ? i : which == 1 ? i / special.size() : i * 7;
    row.set(i, i < special.size() * special.size() ? special[at % special.size()]
                                                   : random_value(t, rng));
  }
  return row;
}

struct Build {
  Compiler compiler;
  int vector_bytes;
  int share, shares;  // of elementary functions
};

struct Program {
  KernelBuilder k{"operations"};
  std::vector<Case> cases;
  emit::EmitResult emitted;
  std::vector<Row> inputs;  // in argument order

  Program(const std::vector<DType>& dtypes, const Build& build) {
    const E lo = k.size("lo"), hi = k.size("hi"), n = k.num(kArguments);
    Rng rng(11);
    std::vector<DType> needed = {DType::Bool};
    for (DType t : dtypes)
      if (t != DType::Bool) needed.push_back(t);
    const auto input_name = [](DType t, std::size_t i) { return std::string(name(t)) + "abc"[i]; };
    for (DType t : needed)
      for (std::size_t i = 0; i < 3; ++i) {
        k.argument(input_name(t, i), t, {{k.num(0), n}}, ir::Role::Input);
        inputs.push_back(operand_row(t, i, rng));
      }
    const E i = k.var("i");
    auto left_out = [&, elementary = 0, half = 0](Op op, DType t) mutable {
      if (!ir::is_float(t) || is_thorough()) return false;
      if (has(op, ir::kElementary) && ir::is_half(t))
        return op != Op::Exp && op != Op::Pow;     // float32's functions, rounded
      if (ir::is_half(t)) return half++ % 3 != 0;  // conversions take long to compile
      return has(op, ir::kElementary) && elementary++ % build.shares != build.share;
    };
    for (DType t : dtypes)
      for (const Case& c : cases_of(t)) {
        if (left_out(c.op, t)) continue;
        std::vector<Expr> args;
        for (std::size_t a = 0; a < c.operands.size(); ++a)
          args.push_back(k.read(input_name(c.operands[a], a), {i}));
        const std::string out = "out" + std::to_string(cases.size());
        k.argument(out, c.result, {{k.num(0), n}}, ir::Role::Output);
        k.kernel.body.push_back(
            k.vector("i", lo, hi, 8, {k.store(out, {i}, k.apply(c.op, c.result, args))}));
        cases.push_back(c);
      }
    emitted = emit::emit_c(k.kernel, {.vector_bytes = build.vector_bytes});
  }
};

// Runs the kernel on pieces of that length, and compares.
void compare(const Program& p, const Loaded& loaded, std::int64_t piece, const std::string& where) {
  const auto length = static_cast<std::int64_t>(kArguments);
  using Bound = std::vector<std::int64_t>;
  std::vector<std::unique_ptr<HostArray>> arrays;
  for (const Row& row : p.inputs) {
    arrays.push_back(std::make_unique<HostArray>(row.dtype, Bound{0}, Bound{length}));
    std::memcpy(arrays.back()->at({0}), row.data.data(), row.data.size());
  }
  for (const Case& c : p.cases)
    arrays.push_back(std::make_unique<HostArray>(c.result, Bound{0}, Bound{length}));
  Host host;
  for (auto& a : arrays) host.array(*a);
  for (std::int64_t at = 0; at < length; at += piece) {
    host.parameters = {static_cast<lathe_uint64>(at),
                       static_cast<lathe_uint64>(std::min(length, at + piece))};
    ASSERT_EQ(host.run(loaded, p.emitted), LATHE_FINE);
  }
  std::map<DType, std::size_t> first;  // input rows of a dtype
  for (std::size_t i = 0; i < p.inputs.size(); i += 3) first[p.inputs[i].dtype] = i;
  for (std::size_t i = 0; i < p.cases.size(); ++i) {
    const Case& c = p.cases[i];
    std::vector<const void*> args;
    for (std::size_t a = 0; a < c.operands.size(); ++a)
      args.push_back(p.inputs[first[c.operands[a]] + a].data.data());
    Row wanted(c.result, kArguments);
    interp::apply_row(c.op, c.operands.back(), c.result, args, wanted.data.data(), kArguments);
    HostArray& got = *arrays[p.inputs.size() + i];
    if (std::memcmp(got.at({0}), wanted.data.data(), wanted.data.size()) == 0) continue;
    for (std::size_t at = 0; at < kArguments; ++at) {
      const ir::Scalar g = got.get({static_cast<std::int64_t>(at)}), w = wanted.at(at);
      if (g == w) continue;
      std::string values;
      for (std::size_t a = 0; a < c.operands.size(); ++a)
        values += " " + to_text(p.inputs[first[c.operands[a]] + a].at(at));
      ADD_FAILURE() << where << ": " << to_string(c) << ":" << values << " gives " << to_text(g)
                    << ", not " << to_text(w);
      break;
    }
  }
}

class Operations : public ::testing::TestWithParam<std::vector<DType>> {};

TEST_P(Operations, HaveTheBitsOfTheInterpreter) {
  const Build builds[] = {{{"gcc", 0, true}, 64, 0, 1},   {{"gcc", 2, true}, 64, 0, 3},
                          {{"clang", 2, true}, 64, 1, 3}, {{"gcc", 1, false}, 16, 2, 3},
                          {{"gcc", 0, false}, 0, 0, 1},   {{"gcc", 2, true}, 0, 1, 3},
                          {{"clang", 2, true}, 0, 2, 3}};
  // Every build meets every fifth dtype, and every dtype a fifth of the builds, one at least.
  constexpr std::size_t kShare = 5;
  for (std::size_t i = 0; i < std::size(builds); ++i) {
    const Build& b = builds[i];
    if (!available(b.compiler)) continue;
    if ((i + static_cast<std::size_t>(GetParam()[0])) % kShare != 0 && !is_thorough()) continue;
    const Program p(GetParam(), b);
    const Loaded loaded(p.emitted, {.vector_bytes = b.vector_bytes}, b.compiler);
    compare(p, loaded, kArguments,
            text(b.compiler) + (b.vector_bytes > 0 ? " in lanes" : " single"));
    if (b.vector_bytes > 0) compare(p, loaded, 7, text(b.compiler) + " in parts");
  }
}

std::string group_name(const ::testing::TestParamInfo<std::vector<DType>>& info) {
  std::string text;
  for (DType t : info.param) text += name(t);
  return text;
}

INSTANTIATE_TEST_SUITE_P(Groups, Operations,
                         ::testing::Values(std::vector{DType::Bool}, std::vector{DType::I8},
                                           std::vector{DType::U8}, std::vector{DType::I16},
                                           std::vector{DType::U16}, std::vector{DType::I32},
                                           std::vector{DType::U32}, std::vector{DType::I64},
                                           std::vector{DType::U64}, std::vector{DType::F16},
                                           std::vector{DType::BF16}, std::vector{DType::F32},
                                           std::vector{DType::F64}),
                         group_name);

}  // namespace
}  // namespace lathe::testing
