// SPDX-License-Identifier: Apache-2.0
#include "ir/op.h"

#include <iterator>

namespace lathe::ir {
namespace {

constexpr OpInfo kOps[] = {
#define LATHE_OP(name, spelling, form, arity, typing, traits) \
  {#name, spelling, Form::form, arity, Typing::typing, traits},
#include "ir/ops.def"
};

}  // namespace

const int kOpCount = static_cast<int>(std::size(kOps));

const OpInfo& info(Op op) { return kOps[static_cast<int>(op)]; }

std::optional<Op> find_op(Form form, std::string_view spelling) {
  for (int i = 0; i < kOpCount; ++i)
    if (kOps[i].form == form && kOps[i].spelling == spelling) return static_cast<Op>(i);
  return std::nullopt;
}

}  // namespace lathe::ir
