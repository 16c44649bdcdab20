// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why a call failed that was not refused: a caller may want to treat the reasons apart.

#include "base/diagnostics.h"

namespace lathe::api {

enum class FailureKind {
  Program,  // it failed while it ran: an index out of range, a while without end
  Cancelled,
  NoMemory,
  NoCompiler,
};

class Failure : public UserError {
 public:
  Failure(FailureKind kind, Diagnostic diagnostic)
      : UserError(std::move(diagnostic)), kind_(kind) {}
  Failure(FailureKind kind, std::string message, std::string help = {})
      : UserError(std::move(message), {}, std::move(help)), kind_(kind) {}

  FailureKind kind() const { return kind_; }

 private:
  FailureKind kind_;
};

}  // namespace lathe::api
