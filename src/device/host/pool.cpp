// SPDX-License-Identifier: Apache-2.0
// One job at a time, described by a word:
//
//   seats_:  | generation (32 bits) | free seats (16) | workers inside (16) |
//
// The caller fills in the job and opens it by storing a new generation with free seats. A worker
// takes a seat and enters in one exchange, draws pieces from a counter, and leaves. When the caller
// finds no more pieces it takes away the free seats and waits until nobody is inside. So a worker
// that wakes up late does not hold up the end, and a job's fields change only while nobody can
// look.
//
// Sleeping: whoever goes to sleep counts itself first and looks once more; whoever has news changes
// the word first and looks at the count afterwards. Both in sequential consistency, so at least one
// of them sees the other.

#include "device/host/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "device/host/float_mode.h"
#include "device/host/limits.h"

namespace lathe::host {
namespace {

constexpr int kMaxWorkers = 1023;
// A thread draws a third of its share of what is left, and never less than a twelfth of its share
// of all: about seven pieces for each, few enough to be cheap, and the last ones short, so that all
// finish together. (Equal pieces of whole units do not: 22 units in pieces of 2 are 12 and 10.)
constexpr std::uint64_t kSharesLeft = 3, kShortestPiece = 12;
// Longer than the pause between two calls of a busy program, far shorter than a time slice. Waking
// a sleeping worker costs the caller 2 to 30 microseconds.
constexpr std::chrono::microseconds kSpin{50};

// How often this process is a child of the one it was: threads do not survive a fork.
std::atomic<unsigned> fork_count{0};
// True while this thread runs a body.
thread_local bool inside_body = false;

void watch_forks() {
  static const int registered = ::pthread_atfork(
      nullptr, nullptr, [] { fork_count.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Moves this thread off `cpu` if it woke up there. Linux likes to wake a worker on the processor of
// the caller, when that has slept a while, and needs some milliseconds to see that both are busy:
// the caller works, so the worker has to go. Where it may run is the same afterwards as before.
void step_aside(int cpu) {
  if (cpu < 0 || ::sched_getcpu() != cpu) return;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<std::size_t>(cpu), &others);
  if (::sched_setaffinity(0, sizeof others, &others) == 0)
    ::sched_setaffinity(0, sizeof allowed, &allowed);
}

// True when `ready` became true within kSpin.
template <class Ready>
bool spin_until(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 16; ++i) {
      if (ready()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

struct Job {
  Body body = nullptr;
  void* context = nullptr;
  std::int64_t lo = 0, hi = 0;
  std::uint64_t unit = 1;      // pieces are multiples of it, but for the last
  std::uint64_t units = 0;     // that the range has
  std::uint64_t shortest = 1;  // piece, in units
  std::uint64_t shares = 0;    // a piece is this part of what is left; 0: always the shortest
  const std::atomic<bool>* cancel = nullptr;
  int cpu = -1;                        // where the caller runs
  std::atomic<std::uint64_t> next{0};  // unit that nobody has drawn
  std::atomic<bool> cancelled{false}, threw{false};

  void cut(std::int64_t grain, std::uint64_t parts, std::uint64_t of_rest) {
    const auto length = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    unit = static_cast<std::uint64_t>(std::max<std::int64_t>(grain, 1));
    units = (length - 1) / unit + 1;
    // Rounded down where there are many threads: up, some of them would get nothing.
    shortest = of_rest == 0 ? (units - 1) / parts + 1 : std::max<std::uint64_t>(units / parts, 1);
    shares = of_rest;
  }

  struct Piece {
    std::uint64_t begin = 0, end = 0;  // units
  };

  // The next piece; empty when there is none.
  Piece draw() {
    std::uint64_t begin = next.load(std::memory_order_relaxed), end = 0;
    do {
      if (begin >= units) return {};
      const std::uint64_t left = units - begin;
      const std::uint64_t share = shares == 0 ? 0 : left / shares;
      end = begin + std::min(left, std::max(share, shortest));
    } while (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    return {begin, end};
  }

  void work() {
    const FloatModeGuard mode;
    const bool outer = inside_body;
    inside_body = true;
    for (;;) {
      const Piece piece = draw();
      if (piece.begin == piece.end) break;
      if (cancel && cancel->load(std::memory_order_relaxed)) {
        cancelled.store(true, std::memory_order_relaxed);
        break;
      }
      if (threw.load(std::memory_order_relaxed)) break;
      const std::uint64_t begin = static_cast<std::uint64_t>(lo) + piece.begin * unit;
      const std::uint64_t end = piece.end == units
                                    ? static_cast<std::uint64_t>(hi)
                                    : static_cast<std::uint64_t>(lo) + piece.end * unit;
      try {
        body(context, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
      } catch (...) {
        threw.store(true, std::memory_order_relaxed);
      }
    }
    inside_body = outer;
  }

  Parallel outcome() const {
    if (threw.load(std::memory_order_relaxed)) return Parallel::Threw;
    return cancelled.load(std::memory_order_relaxed) ? Parallel::Cancelled : Parallel::Done;
  }
};

constexpr std::uint64_t kOneInside = 1;
constexpr std::uint64_t kOneSeat = std::uint64_t{1} << 16;
constexpr std::uint64_t kInsideMask = kOneSeat - 1;
constexpr std::uint64_t kSeatMask = kInsideMask << 16;
std::uint32_t generation_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

}  // namespace

// The workers and their word. A forked child loses sight of its parent's team and makes a new one.
struct Pool::Team {
  const unsigned forks = fork_count.load(std::memory_order_relaxed);
  std::atomic<std::uint64_t> seats{0};
  std::atomic<int> sleepers{0};  // workers asleep, or about to be
  std::atomic<bool> caller_asleep{false};
  std::atomic<bool> busy{false};  // a caller owns the job
  std::atomic<bool> stop{false};
  std::atomic<int> worker_count{0};
  Job job;
  std::mutex mutex;
  std::condition_variable wake_workers, wake_caller;
  std::vector<std::thread> threads;  // touched by the owner of `busy` only

  ~Team() {
    {
      const std::scoped_lock guard(mutex);
      stop.store(true);
    }
    wake_workers.notify_all();
    for (std::thread& thread : threads) thread.join();
  }

  // As many of `wanted` as the system gives.
  int grow(int wanted) {
    wanted = std::min(wanted, kMaxWorkers);
    if (static_cast<int>(threads.size()) >= wanted) return wanted;
    // Signals are the application's threads' to handle.
    sigset_t all, old;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    try {
      while (static_cast<int>(threads.size()) < wanted) {
        threads.emplace_back([this, seen = generation_of(seats.load())] { serve(seen); });
      }
    } catch (const std::system_error&) {
      // Fewer threads are slower, not wrong.
    }
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    worker_count.store(static_cast<int>(threads.size()));
    return static_cast<int>(threads.size());
  }

  void serve(std::uint32_t seen) {
    const auto news = [&] { return generation_of(seats.load()) != seen || stop.load(); };
    for (;;) {
      const bool slept = !spin_until(news);
      if (slept) {
        std::unique_lock guard(mutex);
        sleepers.fetch_add(1);
        wake_workers.wait(guard, news);
        sleepers.fetch_sub(1);
      }
      if (stop.load()) return;
      std::uint64_t word = seats.load();
      while ((word & kSeatMask) != 0) {
        if (!seats.compare_exchange_weak(word, word - kOneSeat + kOneInside)) continue;
        if (slept) step_aside(job.cpu);
        job.work();
        const std::uint64_t left = seats.fetch_sub(kOneInside) - kOneInside;
        if ((left & kInsideMask) == 0 && caller_asleep.load()) {
          const std::scoped_lock guard(mutex);
          wake_caller.notify_one();
        }
        break;
      }
      seen = generation_of(word);
    }
  }

  void open(int helpers) {
    const std::uint64_t generation = std::uint64_t{generation_of(seats.load()) + 1u} << 32;
    seats.store(generation | static_cast<std::uint64_t>(helpers) << 16);
    const int asleep = sleepers.load();
    if (asleep == 0) return;
    // Passing through the mutex: a worker between its last look and its sleep holds it.
    { const std::scoped_lock guard(mutex); }
    for (int i = 0; i < std::min(helpers, asleep); ++i) wake_workers.notify_one();
  }

  void close() {
    seats.fetch_and(~kSeatMask);
    const auto empty = [&] {
      // A child that was forked inside a body comes here without the others.
      return (seats.load() & kInsideMask) == 0 ||
             fork_count.load(std::memory_order_relaxed) != forks;
    };
    if (spin_until(empty)) return;
    std::unique_lock guard(mutex);
    caller_asleep.store(true);
    wake_caller.wait(guard, empty);
    caller_asleep.store(false);
  }
};

Pool::Pool() {
  watch_forks();
  team_.store(new Team);
}

Pool::~Pool() {
  Team* const team = team_.load();
  // A parent's workers cannot be joined by its child.
  if (team->forks == fork_count.load()) delete team;
}

Pool& Pool::shared() {
  static Pool* const pool = new Pool;
  return *pool;
}

Pool::Team& Pool::team() {
  Team* current = team_.load(std::memory_order_acquire);
  if (current->forks == fork_count.load(std::memory_order_relaxed)) return *current;
  auto* fresh = new Team;  // the parent's is lost, whatever state it is in
  if (team_.compare_exchange_strong(current, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;
  return *current;
}

int Pool::workers() const { return team_.load()->worker_count.load(); }

Parallel Pool::parallel(Body body, void* context, std::int64_t lo, std::int64_t hi,
                        std::int64_t grain, int threads, const std::atomic<bool>* cancel) {
  if (hi <= lo) return Parallel::Done;
  if (threads <= 0) threads = hardware_threads();
  const auto length = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
  const bool small = grain > 0 && length <= static_cast<std::uint64_t>(grain);
  Team* crew = nullptr;
  if (threads > 1 && !small && !inside_body) {
    crew = &team();
    if (crew->busy.exchange(true, std::memory_order_acquire)) crew = nullptr;
  }
  if (!crew) {
    Job job;
    job.body = body;
    job.context = context;
    job.lo = lo;
    job.hi = hi;
    job.cancel = cancel;
    job.cut(grain, cancel ? 64 : 1, 0);
    job.work();
    return job.outcome();
  }

  Job& job = crew->job;
  job.body = body;
  job.context = context;
  job.lo = lo;
  job.hi = hi;
  job.cancel = cancel;
  job.cpu = ::sched_getcpu();
  const auto sharing = static_cast<std::uint64_t>(std::min(threads, kMaxWorkers + 1));
  job.cut(grain, sharing * kShortestPiece, sharing * kSharesLeft);
  job.next.store(0, std::memory_order_relaxed);
  job.cancelled.store(false, std::memory_order_relaxed);
  job.threw.store(false, std::memory_order_relaxed);
  const auto useful = static_cast<int>(std::min<std::uint64_t>(job.units, sharing));
  const int helpers = crew->grow(useful - 1);
  if (helpers > 0) crew->open(helpers);
  job.work();
  if (helpers > 0) crew->close();
  const Parallel outcome = job.outcome();
  crew->busy.store(false, std::memory_order_release);
  return outcome;
}

}  // namespace lathe::host
