// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/diagnostics.h"
#include "road/contender.h"

namespace lathe::bench {
namespace {

// One row in a peer's process. The next row's setup takes its place there.
class PeerContender : public Contender {
 public:
  explicit PeerContender(Peer& peer) : peer_(peer) {
    who = peer.who();
    process = peer.process();
    gap_seconds = 0.02;  // OpenBLAS's and torch's threads spin for long
  }
  double run() override { return std::stod(peer_.ask("run")); }
  std::vector<double> sample(std::size_t count) override {
    std::istringstream words(peer_.ask("sample " + std::to_string(count)));
    std::vector<double> out;
    for (double value = 0; words >> value;) out.push_back(value);
    return out;
  }

 private:
  Peer& peer_;
};

}  // namespace

Peer::Peer(std::string who, const std::string& python, const std::string& script, int threads)
    : who_(std::move(who)) {
  int down[2], up[2];
  if (::pipe2(down, O_CLOEXEC) != 0) return;
  if (::pipe2(up, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], 0);
  posix_spawn_file_actions_adddup2(&actions, up[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const std::string number = std::to_string(threads);
  const char* arguments[] = {python.c_str(), script.c_str(), who_.c_str(), number.c_str(), nullptr};
  const int failed = ::posix_spawnp(&pid_, python.c_str(), &actions, nullptr,
                                    const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(down[0]);
  ::close(up[1]);
  to_ = down[1];
  from_ = up[0];
  if (failed) {
    pid_ = -1;
    what_ = python + " could not be started";
    return;
  }
  ::signal(SIGPIPE, SIG_IGN);  // a peer that dies is reported, not followed
  const std::string first = answer();
  const std::size_t blank = std::min(first.find(' '), first.size());
  ready_ = first.substr(0, blank) == "ready";
  what_ = blank < first.size() ? first.substr(blank + 1) : "its process ended at once";
}

Peer::~Peer() {
  if (to_ >= 0) ::close(to_);  // its loop over stdin ends
  if (from_ >= 0) ::close(from_);
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

std::string Peer::answer() {
  for (;;) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      const std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    char buffer[4096];
    const ssize_t got = ::read(from_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    pending_.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string Peer::ask(const std::string& line) {
  const std::string text = line + "\n";
  const bool sent = ::write(to_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const std::string reply = sent ? answer() : std::string();
  if (reply.empty()) {
    ready_ = false;
    throw UserError("the peer '" + who_ + "' ended while it was asked to " +
                    line.substr(0, line.find(' ')));
  }
  return reply;
}

std::unique_ptr<Contender> Peer::make(const Row& row, const Workspace& space) {
  if (!ready_) return nullptr;
  nlohmann::ordered_json task = {{"bench", row.bench}, {"dtype", row.dtype}};
  for (const auto& [name, value] : row.sizes) task["parameters"][name] = value;
  task["inputs"] = nlohmann::ordered_json::array();
  for (const Argument& a : space.arguments())
    if (a.role != ir::Role::Output) task["inputs"].push_back({a.name, a.shape});
  if (ask("setup " + task.dump()) != "ok") return nullptr;
  return contender();
}

std::unique_ptr<Contender> Peer::contender() { return std::make_unique<PeerContender>(*this); }

}  // namespace lathe::bench
