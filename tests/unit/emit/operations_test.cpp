// SPDX-License-Identifier: Apache-2.0
// Every operation at every dtype, on single values and in lanes, against the interpreter's rows:
// bit for bit, for several compilers and levels. One kernel holds all operations of some dtypes.

#include <gtest/gtest.h>

#include "interp/row_ops.h"
#include "ir/typing.h"
#include "property/special_values.h"
#include "unit/emit/host.h"
#include "unit/emit/kernel_builder.h"

namespace lathe::testing {
namespace {

constexpr std::size_t kCount = 2003;  // not a multiple of any vector

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
  Row row(t, kCount);
  const std::vector<ir::Scalar> special = special_values(t);
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t at = which == 0 ? i : which == 1 ? i / special.size() : i * 7;
    row.set(i, i < special.size() * special.size() ? special[at % special.size()]
                                                   : random_value(t, rng));
  }
  return row;
}

struct Program {
  KernelBuilder k{"operations"};
  std::vector<Case> cases;
  emit::EmitResult emitted;
  std::vector<Row> inputs;     // in argument order
  std::vector<DType> outputs;  // two per case: single, lanes

  Program(const std::vector<DType>& dtypes, int vector_bytes) {
    const E n = k.size("n");
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
    for (DType t : dtypes)
      for (const Case& c : cases_of(t)) {
        std::vector<Expr> args;
        for (std::size_t a = 0; a < c.operands.size(); ++a)
          args.push_back(k.read(input_name(c.operands[a], a), {i}));
        const E value = k.apply(c.op, c.result, args);
        for (bool lanes : {false, true}) {
          const std::string out = "out" + std::to_string(outputs.size());
          k.argument(out, c.result, {{k.num(0), n}}, ir::Role::Output);
          outputs.push_back(c.result);
          k.kernel.body.push_back(k.loop(lanes ? Kind::Vector : Kind::Serial, "i", k.num(0), n,
                                         {k.store(out, {i}, value)}, 16));
        }
        cases.push_back(c);
      }
    emitted = emit::emit_c(k.kernel, {.vector_bytes = vector_bytes});
  }
};

void compare(Program& p, const Loaded& loaded, const std::string& where) {
  const auto length = static_cast<std::int64_t>(kCount);
  Host host;
  host.parameter(length);
  std::vector<std::unique_ptr<HostArray>> arrays;
  for (const Row& row : p.inputs) {
    arrays.push_back(std::make_unique<HostArray>(row.dtype, std::vector<std::int64_t>{0},
                                                 std::vector<std::int64_t>{length}));
    std::memcpy(arrays.back()->at({0}), row.data.data(), row.data.size());
  }
  for (DType t : p.outputs)
    arrays.push_back(std::make_unique<HostArray>(t, std::vector<std::int64_t>{0},
                                                 std::vector<std::int64_t>{length}));
  for (auto& a : arrays) host.array(*a);
  ASSERT_EQ(host.run(loaded, p.emitted), LATHE_FINE);
  std::map<DType, std::size_t> first;  // input rows of a dtype
  for (std::size_t i = 0; i < p.inputs.size(); i += 3) first[p.inputs[i].dtype] = i;
  for (std::size_t i = 0; i < p.cases.size(); ++i) {
    const Case& c = p.cases[i];
    std::vector<const void*> args;
    for (std::size_t a = 0; a < c.operands.size(); ++a)
      args.push_back(p.inputs[first[c.operands[a]] + a].data.data());
    Row wanted(c.result, kCount);
    interp::apply_row(c.op, c.operands.back(), c.result, args, wanted.data.data(), kCount);
    for (std::size_t form = 0; form < 2; ++form) {
      HostArray& got = *arrays[p.inputs.size() + 2 * i + form];
      for (std::size_t at = 0; at < kCount; ++at) {
        const ir::Scalar g = got.get({static_cast<std::int64_t>(at)}), w = wanted.at(at);
        if (g == w) continue;
        std::string values;
        for (std::size_t a = 0; a < c.operands.size(); ++a)
          values += " " + to_text(p.inputs[first[c.operands[a]] + a].at(at));
        ADD_FAILURE() << where << (form == 0 ? " single: " : " lanes: ") << to_string(c) << ":"
                      << values << " gives " << to_text(g) << ", not " << to_text(w);
        break;
      }
    }
  }
}

struct Build {
  Compiler compiler;
  int vector_bytes;
};

class Operations : public ::testing::TestWithParam<std::vector<DType>> {};

TEST_P(Operations, HaveTheBitsOfTheInterpreter) {
  const Build builds[] = {{{"gcc", 0, true}, 64},
                          {{"gcc", 2, true}, 64},
                          {{"clang", 2, true}, 64},
                          {{"gcc", 2, false}, 16}};
  for (const Build& b : builds) {
    if (!available(b.compiler)) continue;
    Program p(GetParam(), b.vector_bytes);
    const Loaded loaded(p.emitted, {.vector_bytes = b.vector_bytes}, b.compiler);
    compare(p, loaded, text(b.compiler));
  }
}

std::string group_name(const ::testing::TestParamInfo<std::vector<DType>>& info) {
  std::string text;
  for (DType t : info.param) text += name(t);
  return text;
}

INSTANTIATE_TEST_SUITE_P(Groups, Operations,
                         ::testing::Values(std::vector{DType::Bool, DType::I8, DType::U8},
                                           std::vector{DType::I16, DType::U16},
                                           std::vector{DType::I32, DType::U32},
                                           std::vector{DType::I64, DType::U64},
                                           std::vector{DType::F16, DType::BF16},
                                           std::vector{DType::F32}, std::vector{DType::F64}),
                         group_name);

}  // namespace
}  // namespace lathe::testing
