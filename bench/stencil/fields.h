// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of a row in this process's memory: for Lathe and for other compiled code.

#include <lathe/stencil.h>

#include <string>
#include <vector>

#include "device/host/memory.h"
#include "stencil/rows.h"

namespace lathe::bench {

struct FieldMemory {
  const FieldRow* field = nullptr;
  lathe::DType dtype = lathe::DType::F64;
  std::vector<std::int64_t> shape, origin, strides;  // I, J and K where it has it; in bytes
  std::int64_t count = 1;
  host::Block memory;
  lathe::View view;

  char* at_origin() const;  // the first point of the domain
};

class Fields {
 public:
  Fields(const Definition& definition, const std::string& dtype, const std::string& layout,
         const Domain& domain);

  const std::vector<FieldMemory>& all() const { return fields_; }
  const Domain& domain() const { return domain_; }
  void poison();   // what is only written
  void restore();  // what is updated in place
  // Of each result at most `count` elements, evenly spread over its points of the domain in the
  // order I, J, K; as "sample" of peers/peer.py.
  std::vector<double> sample(std::size_t count) const;
  // How two such samples differ, field by field; "" when only by rounding.
  std::string difference(const std::vector<double>& expected, const std::vector<double>& got,
                         std::size_t count, double rounding) const;

 private:
  std::int64_t points_of(const FieldMemory& f) const;  // of the domain
  void fill(FieldMemory& f, std::uint64_t seed) const;

  Domain domain_;
  std::vector<FieldMemory> fields_;
};

}  // namespace lathe::bench
