// SPDX-License-Identifier: Apache-2.0
#include "interp/interpreter.h"

#include "interp/binding.h"
#include "interp/executor.h"
#include "interp/float_mode.h"

namespace lathe::interp {

struct Interpreter::Machine {
  Machine(const ir::Program& program, State& state, Options given)
      : options(std::move(given)), executor(program, state, options), body(program.body) {
    bind_arrays(executor.space);
  }

  Options options;
  Executor executor;
  const ir::Body& body;
  std::size_t next = 0;
};

Interpreter::Interpreter(const ir::Program& program, State& state, Options options) {
  const FloatMode mode;
  check_binding(program, state);
  machine_ = std::make_unique<Machine>(program, state, std::move(options));
}

Interpreter::~Interpreter() = default;

const ir::Item* Interpreter::next() const {
  return machine_->next < machine_->body.size() ? &machine_->body[machine_->next] : nullptr;
}

bool Interpreter::step() {
  const ir::Item* item = next();
  if (item == nullptr) return false;
  const FloatMode mode;
  ++machine_->next;
  machine_->executor.run(*item);
  if (next() == nullptr) machine_->executor.finish();
  return true;
}

void Interpreter::run() {
  while (step()) {
  }
}

std::uint64_t Interpreter::operations() const { return machine_->executor.space.operations; }

}  // namespace lathe::interp
