// SPDX-License-Identifier: Apache-2.0
#pragma once
// The call of the last run, for the next one: mostly that gives the same arrays again, and then has
// nothing to prepare.

#include <atomic>
#include <memory>

namespace lathe::api {

class Call;
class Compiled;

// Any number of threads may take and keep at once.
class SpareCall {
 public:
  SpareCall() = default;
  ~SpareCall();
  SpareCall(const SpareCall&) = delete;
  SpareCall& operator=(const SpareCall&) = delete;

  // Nothing is given yet: what the last run was given counts only when it is given again. All
  // that are kept here are of the same `compiled`.
  std::unique_ptr<Call> take(Compiled& compiled);
  // After a run that went well.
  void keep(std::unique_ptr<Call> call);

 private:
  std::atomic<Call*> call_{nullptr};
};

}  // namespace lathe::api
