// SPDX-License-Identifier: Apache-2.0
#pragma once
// Somebody who can run a row once and say how long it took: the machine's limit, Lathe, C, peers.

#include <memory>
#include <string>
#include <vector>

#include "api/compiled.h"
#include "road/rows.h"
#include "road/workspace.h"

namespace lathe::bench {

class Contender {
 public:
  virtual ~Contender() = default;
  virtual double run() = 0;  // seconds
  // Of the result of the last run; empty when there is none to compare.
  virtual std::vector<double> sample(std::size_t count) = 0;

  std::string who;
  double gap_seconds = 0;  // its threads go on spinning for a while: wait so long afterwards
  int process = 0;         // where it runs; 0: here
};

// What a run takes at least: the row's bytes (or operations) at the rate of the kernel that reaches
// most, over as much memory as the row touches.
std::unique_ptr<Contender> make_limit(const Row& row, int threads);

std::unique_ptr<Contender> make_lathe(api::Compiled& compiled, Workspace& space, int threads);

// bench_NAME of a shared object; null when it has none, or there is no such file.
std::unique_ptr<Contender> make_c(const std::string& who, const std::string& library,
                                  const Row& row, Workspace& space);

// A process that speaks the protocol of peers/peer.py. Started once, used for many rows.
class Peer {
 public:
  Peer(std::string who, const std::string& python, const std::string& script, int threads);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const std::string& who() const { return who_; }
  bool is_ready() const { return ready_; }
  const std::string& what() const { return what_; }  // its version, or why it is missing
  std::unique_ptr<Contender> make(const Row& row, const Workspace& space);
  std::unique_ptr<Contender> contender();  // of what it was last asked to set up

  int process() const { return pid_; }
  std::string ask(const std::string& line);  // throws UserError when the process is gone

 private:
  std::string answer();

  std::string who_, what_, pending_;
  bool ready_ = false;
  int to_ = -1, from_ = -1, pid_ = -1;
};

}  // namespace lathe::bench
