// SPDX-License-Identifier: Apache-2.0
// lathe_campaign: every check on many random programs, for as long as it takes.
//
//   lathe_campaign --count 20000 --seed 1 --state campaign.json --jobs 2 --save failures --json
//
// Workers are processes, so that a crash or a hang is one more failure with a seed. The state file
// is replaced whole every few seconds; a run that was killed goes on from it. Failing programs are
// reduced and saved as .lathe text.

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/files.h"
#include "campaign_work.h"
#include "thorough.h"

namespace lathe::testing {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

// Seconds of processor time. Some random programs take 10 to interpret, and each check does that.
constexpr int kHangs = 900;

constexpr const char* kUsage =
    "usage: lathe_campaign [--count N] [--seed FIRST] [--state FILE] [--jobs N] [--save FOLDER]\n"
    "                      [--check NAME] [--seconds N] [--json] [--quiet] [--list] [--quick N]\n"
    "                      [--targets [--everything]]   schedules and targets instead of passes\n"
    "       lathe_campaign --replay FILE         what --save wrote, in every build\n"
    "--quick N: so many programs, unless LATHE_THOROUGH=1 asks for all of --count.\n"
    "--batch N: programs per C file. --tries N: steps of the reducer per failure, 0 for none. "
    "--here:\n"
    "the first program alone, in this process, for debuggers.\n"
    "Runs every check on the random programs FIRST .. FIRST+N-1. With --state, a later call with "
    "the\n"
    "same file goes on where this one stopped. Exit status: 0 all held, 1 failures, 2 wrong use.\n"
    "--seed commit takes the first from `git rev-parse HEAD^{tree}`.\n"
    "  lathe_campaign --count 20000 --state campaign.json --jobs 2\n"
    "  lathe_campaign --seed 4711 --count 1 --check inline-temporary    one program, one check\n";

struct Settings {
  std::uint64_t count = 1000, seed = 1;
  int jobs = 1;
  double seconds = 0;  // 0: no limit
  std::string state, save;
  WorkSettings work;
  bool json = false, quiet = false;
};

struct Failure {
  std::uint64_t seed;
  std::string check, message, text;
};

// ---- The parent.

struct Worker {
  pid_t pid = -1;
  int fd = -1;
  std::uint64_t index = 0;  // seeds with seed % jobs == index, counted from the first
  std::uint64_t current = 0;
  bool busy = false;  // inside `current`
  double since = 0;   // processor time when it began with `current`
  std::string buffer;
};

// Seconds of processor time: a machine that is busy with other things does not make a hang.
double processor_time(pid_t pid) {
  clockid_t clock;
  timespec t{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

class Campaign {
 public:
  explicit Campaign(Settings settings) : settings_(std::move(settings)) {}

  int run() {
    load();
    start_ = Clock::now();
    workers_.resize(static_cast<std::size_t>(settings_.jobs));
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      workers_[i].index = i;
      launch(workers_[i]);
    }
    while (alive() > 0) {
      listen();
      if (settings_.seconds > 0 && elapsed() > settings_.seconds) stop();
      progress();
      if (elapsed() - saved_at_ > 2) save();
    }
    save();
    return summary();
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  std::size_t alive() const {
    std::size_t n = 0;
    for (const Worker& w : workers_) n += w.pid > 0;
    return n;
  }

  void load() {
    if (settings_.state.empty() || !std::filesystem::exists(settings_.state)) return;
    const Json state = Json::parse(read_file(settings_.state));
    if (state.at("seed") != settings_.seed) throw UserError("the state file is of another --seed");
    for (std::uint64_t seed = settings_.seed; seed < state.at("next"); ++seed) done_.insert(seed);
    for (const Json& seed : state.at("done")) done_.insert(seed.get<std::uint64_t>());
    for (const Json& f : state.at("failures"))
      failures_.push_back({f.at("seed"), f.at("check"), f.at("message"), f.at("text")});
    resumed_ = done_.size();
  }

  std::vector<std::uint64_t> undone(std::uint64_t index) const {
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t n = index; n < settings_.count;
         n += static_cast<std::uint64_t>(settings_.jobs))
      if (!done_.count(settings_.seed + n)) seeds.push_back(settings_.seed + n);
    return seeds;
  }

  void launch(Worker& w) {
    const std::vector<std::uint64_t> seeds = undone(w.index);
    w.pid = -1;
    w.busy = false;
    w.buffer.clear();
    if (seeds.empty()) return;
    int ends[2];
    if (pipe(ends) != 0) throw UserError("no pipe to a worker");
    fflush(nullptr);
    w.pid = fork();
    if (w.pid == 0) {
      close(ends[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // a campaign that is killed leaves nothing behind
      work(settings_.work, seeds, ends[1]);
      _exit(0);
    }
    close(ends[1]);
    w.fd = ends[0];
    w.since = 0;
  }

  void listen() {
    std::vector<pollfd> polls;
    for (const Worker& w : workers_) polls.push_back({w.pid > 0 ? w.fd : -1, POLLIN, 0});
    poll(polls.data(), polls.size(), 200);
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& w = workers_[i];
      if (w.pid <= 0) continue;
      const bool hangs = w.busy && processor_time(w.pid) - w.since > kHangs;
      if (hangs) kill(w.pid, SIGKILL);
      if (!hangs && (polls[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      char bytes[65536];
      const ssize_t n = read(w.fd, bytes, sizeof bytes);
      if (n > 0) {
        w.buffer.append(bytes, static_cast<std::size_t>(n));
        take_lines(w);
        continue;
      }
      int status = 0;
      waitpid(w.pid, &status, 0);
      close(w.fd);
      w.pid = -1;
      if (w.busy && !stopped_) {
        const std::string why = hangs ? "hang: more than " + std::to_string(kHangs) + " s"
                                : WIFSIGNALED(status)
                                    ? std::string("crash: ") + strsignal(WTERMSIG(status))
                                    : "crash: exit " + std::to_string(WEXITSTATUS(status));
        fail({w.current, "process", why, ""});
        done_.insert(w.current);
        launch(w);
      }
    }
  }

  void take_lines(Worker& w) {
    for (std::size_t end; (end = w.buffer.find('\n')) != std::string::npos;) {
      const Json event = Json::parse(w.buffer.substr(0, end));
      w.buffer.erase(0, end + 1);
      if (event.contains("begin")) {
        w.current = event["begin"];
        w.busy = true;
        w.since = processor_time(w.pid);
      } else if (event.contains("done")) {
        done_.insert(event["done"].get<std::uint64_t>());
        w.busy = false;
        for (const Json& f : event["failures"])
          fail({event["done"], f.at("check"), f.at("message"), f.at("text")});
      } else {
        for (const Json& u : event["usage"]) {
          usage_[u.at("name")].first += u.at("asked").get<std::uint64_t>();
          usage_[u.at("name")].second += u.at("applied").get<std::uint64_t>();
        }
      }
    }
  }

  void fail(Failure f) {
    if (!settings_.save.empty()) {
      std::filesystem::create_directories(settings_.save);
      write_file(settings_.save + "/" + f.check + "-" + std::to_string(f.seed) + ".lathe",
                 f.text.empty() ? "# " + f.message + "\n" : f.text);
    }
    if (!settings_.quiet && !settings_.json)
      fprintf(stdout, "seed %llu fails %s: %s\n%s\n", static_cast<unsigned long long>(f.seed),
              f.check.c_str(), f.message.c_str(), f.text.c_str());
    failures_.push_back(std::move(f));
  }

  void stop() {
    stopped_ = true;
    for (Worker& w : workers_)
      if (w.pid > 0) kill(w.pid, SIGKILL);
  }

  void progress() {
    if (settings_.quiet || isatty(2) == 0 || elapsed() - shown_at_ < 0.5) return;
    shown_at_ = elapsed();
    const double rate = static_cast<double>(done_.size() - resumed_) / std::max(elapsed(), 1e-3);
    const double left = static_cast<double>(settings_.count) - static_cast<double>(done_.size());
    fprintf(stderr, "\r%zu of %llu programs, %zu failures, %.1f/s, %.0f s left   ", done_.size(),
            static_cast<unsigned long long>(settings_.count), failures_.size(), rate,
            rate > 0 ? left / rate : 0.0);
  }

  Json as_json() const {
    std::uint64_t next = settings_.seed;
    while (done_.count(next)) ++next;
    Json state = {{"seed", settings_.seed}, {"count", settings_.count}, {"next", next}};
    state["done"] = Json::array();
    for (auto at = done_.upper_bound(next); at != done_.end(); ++at) state["done"].push_back(*at);
    state["failures"] = Json::array();
    for (const Failure& f : failures_)
      state["failures"].push_back(
          {{"seed", f.seed}, {"check", f.check}, {"message", f.message}, {"text", f.text}});
    return state;
  }

  void save() {
    saved_at_ = elapsed();
    if (!settings_.state.empty()) write_file(settings_.state, as_json().dump(1) + "\n");
  }

  int summary() {
    const double seconds = elapsed();
    const auto ran = static_cast<double>(done_.size() - resumed_);
    if (settings_.json) {
      Json out = as_json();
      out["programs"] = done_.size();
      out["seconds"] = seconds;
      out["per_second"] = ran / seconds;
      for (const auto& [name, use] : usage_) out["transforms"][name] = {use.first, use.second};
      printf("%s\n", out.dump(1).c_str());
    } else {
      if (isatty(2) != 0 && !settings_.quiet) fprintf(stderr, "\n");
      printf("%zu programs (%zu from before), %zu failures, %.1f s, %.1f programs/s\n",
             done_.size(), resumed_, failures_.size(), seconds, ran / seconds);
      for (const auto& [name, use] : usage_)
        printf("  %-34s asked %8llu applied %8llu\n", name.c_str(),
               static_cast<unsigned long long>(use.first),
               static_cast<unsigned long long>(use.second));
    }
    return failures_.empty() ? 0 : 1;
  }

  Settings settings_;
  std::vector<Worker> workers_;
  std::set<std::uint64_t> done_;
  std::vector<Failure> failures_;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> usage_;
  std::size_t resumed_ = 0;
  bool stopped_ = false;
  Clock::time_point start_;
  double shown_at_ = -1, saved_at_ = 0;
};

// A number, or `commit`: whatever a commit holds gives its first seed, the same every time.
std::uint64_t seed_of(const std::string& text) {
  if (text != "commit") return std::stoull(text);
  std::uint64_t seed = 20'000'000;
  if (FILE* git = popen("git rev-parse 'HEAD^{tree}' 2>/dev/null", "r")) {
    char hash[64] = "";
    if (fgets(hash, sizeof hash, git) && strlen(hash) > 8)
      seed = std::stoull(std::string(hash, 8), nullptr, 16) * 1000;
    pclose(git);
  }
  printf("first seed %llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

int main_of(const std::vector<std::string>& args) {
  Settings s;
  bool here = false;  // one program, in this process: for debuggers
  std::optional<std::uint64_t> quick;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& a = args[i];
    const auto next = [&] {
      if (i + 1 == args.size()) throw UserError("'" + a + "' needs a value");
      return args[++i];
    };
    if (a == "--count")
      s.count = std::stoull(next());
    else if (a == "--quick")
      quick = std::stoull(next());
    else if (a == "--seed")
      s.seed = seed_of(next());
    else if (a == "--jobs")
      s.jobs = std::max(1, std::stoi(next()));
    else if (a == "--here")
      here = true;
    else if (a == "--seconds")
      s.seconds = std::stod(next());
    else if (a == "--state")
      s.state = next();
    else if (a == "--save")
      s.save = next();
    else if (a == "--check")
      s.work.check = next();
    else if (a == "--targets")
      s.work.targets = true;
    else if (a == "--everything")
      s.work.everything = true;
    else if (a == "--batch")
      s.work.batch = std::max<std::size_t>(1, std::stoull(next()));
    else if (a == "--tries")
      s.work.tries = std::stoi(next());
    else if (a == "--replay")
      return replay(next()) == 0 ? 0 : 1;
    else if (a == "--json")
      s.json = true;
    else if (a == "--quiet")
      s.quiet = true;
    else if (a == "--help")
      return fputs(kUsage, stdout), 0;
    else if (a == "--list") {
      for (const std::string& name : check_names(s.work)) puts(name.c_str());
      return 0;
    } else {
      throw UserError("unknown option '" + a + "'");
    }
  }
  if (quick && !is_thorough()) s.count = *quick;
  if (here) return work(s.work, {s.seed}, 1), 0;
  return Campaign(std::move(s)).run();
}

}  // namespace
}  // namespace lathe::testing

int main(int argc, char** argv) {
  try {
    return lathe::testing::main_of(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    fprintf(stderr, "error: %s\n%s", e.what(), lathe::testing::kUsage);
    return 2;
  }
}
