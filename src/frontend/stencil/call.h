// SPDX-License-Identifier: Apache-2.0
#pragma once
// Calling a stencil: which part of each array it works on.
//
// `origin` is the index of an array's element that lies at the first point of the compute domain.
// Without one it is the smallest that leaves room for what the stencil reads before the domain, of
// any field whose array is as long there (GT4Py takes 0, and refuses most calls). Without a domain
// it is the largest that fits all arrays.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/stencil/stencil.h"

namespace lathe::stencil {

// An array of the caller: axes in the order I, J, K of those that the field has, then data.
struct Given {
  ir::DType dtype = ir::DType::F64;
  std::vector<std::int64_t> shape;
};

struct CallOptions {
  std::optional<std::array<std::int64_t, 3>> domain;
  // By field; "_all_" for all others. As many numbers as the field has axes; or three, of which
  // those of its axes are taken; one number stands for all axes.
  std::map<std::string, std::vector<std::int64_t>> origin;
};

struct CallPlan {
  std::array<std::int64_t, 3> domain{};
  struct Part {
    std::vector<std::int64_t> begin, extent;           // in the caller's array, data axes included
    std::vector<std::int64_t> origin;                  // of the field's axes
    std::int64_t levels_before = 0, levels_after = 0;  // where Argument names sizes for them
  };
  std::map<std::string, Part> parts;  // by field: what the program's array is
};

// Throws UserError: what is missing, too small, of another type; names and numbers in the message.
// `given` holds the fields that were passed.
CallPlan plan_call(const Info& info, const std::map<std::string, Given>& given,
                   const CallOptions& options);

}  // namespace lathe::stencil
