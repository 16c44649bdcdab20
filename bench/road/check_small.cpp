// SPDX-License-Identifier: Apache-2.0
#include "road/check_small.h"

#include "interp/interpreter.h"
#include "road/workspace.h"

namespace lathe::bench {

std::string check_small(const ir::Program& program, api::Compiled& compiled, const Row& row,
                        int threads) {
  interp::State state;
  for (const auto& [name, value] : small_sizes(row.bench))
    state.parameters[name] = ir::Scalar::of_int(ir::DType::I64, value);
  std::uint64_t seed = 0;
  for (const ir::Array& a : program.arrays) {
    if (a.role != ir::Role::Input && a.role != ir::Role::InOut) continue;
    interp::Buffer buffer = interp::make_buffer(a, interp::declared_bounds(program, a, state));
    fill(a.dtype, buffer.data.data(), buffer.element_count(), ++seed);
    state.arrays[std::string(a.name.text())] = std::move(buffer);
  }
  interp::State expected = state;
  interp::run(program, expected);
  api::RunOptions options;
  options.threads = threads;
  compiled.run(state, options);
  for (const ir::Array& a : program.arrays) {
    const std::string name(a.name.text());
    if (a.role != ir::Role::Temp && a.role != ir::Role::Const &&
        !interp::same_bits(expected.arrays.at(name), state.arrays.at(name)))
      return "'" + name + "' differs from the interpreter's in bits, at small sizes";
  }
  return {};
}

}  // namespace lathe::bench
