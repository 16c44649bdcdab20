// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while Python's main thread is inside the library. Python's own handler notes the signal
// and waits for the main thread to come back, which may take hours. So its handler is wrapped: ours
// notes which call was interrupted, wakes a thread that requests the cancellation (which takes a
// lock, and so may not be done in a handler), and calls Python's. The call ends, and Python raises
// KeyboardInterrupt as usual.
//
// A program that sets a handler of its own wants no KeyboardInterrupt: its handler runs when the
// call is over, as Python promises. Notebooks set Python's handler again for each cell, so ours is
// looked for in each call.

#include "running.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>
#include <vector>

#include "errors.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

lathe_cancel* main_cancel = nullptr;
unsigned long main_thread = 0;

// Odd while the main thread is in a call; which one.
std::atomic<unsigned> call_number{0};
std::atomic<unsigned> interrupted_call{0};
std::mutex call_mutex;  // between the end of a call and a request for it
sem_t interrupts;
bool watcher_runs = false;  // of the main thread; false in a forked child
struct sigaction python_handler;

void on_interrupt(int signal) {
  const int saved = errno;
  const unsigned call = call_number.load();
  if (call % 2 == 1) {
    interrupted_call.store(call);
    sem_post(&interrupts);
  }
  if (python_handler.sa_handler != SIG_DFL && python_handler.sa_handler != SIG_IGN)
    python_handler.sa_handler(signal);
  errno = saved;
}

void* watch(void*) {
  for (;;) {
    while (sem_wait(&interrupts) != 0) {
    }
    const std::lock_guard lock(call_mutex);
    if (call_number.load() == interrupted_call.load()) lathe_cancel_request(main_cancel);
  }
  return nullptr;
}

// Signals go to the threads of Python.
bool start_watcher() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool started = pthread_create(&thread, nullptr, watch, nullptr) == 0;
  if (started) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

bool look_for_handler() {
  struct sigaction now;
  if (sigaction(SIGINT, nullptr, &now) != 0) return false;
  if (now.sa_handler == on_interrupt) {
    if (!watcher_runs) watcher_runs = start_watcher();
    return watcher_runs;
  }
  const nb::module_ signals = nb::module_::import_("signal");
  if (!signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"))) return false;
  if (!watcher_runs) watcher_runs = start_watcher();
  if (!watcher_runs || (now.sa_flags & SA_SIGINFO)) return false;
  python_handler = now;
  now.sa_handler = on_interrupt;
  return sigaction(SIGINT, &now, nullptr) == 0;
}

// A system call takes a tenth of a short call's time; so who handles Ctrl-C is asked a hundred
// times a second at most.
bool asked_lately() {
  static timespec last{};
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  const bool lately =
      now.tv_sec == last.tv_sec && now.tv_nsec - last.tv_nsec < 10'000'000 && watcher_runs;
  if (!lately) last = now;
  return lately;
}

// Is a Ctrl-C seen by us? With the GIL.
bool is_watched() {
  static bool watched = false;
  if (!asked_lately()) watched = look_for_handler();
  return watched;
}

// What the library had to say, until somebody holds the GIL.
std::mutex warning_mutex;
std::vector<std::string> warnings_heard;
std::atomic<bool> has_warnings{false};

void on_warning(void*, const char* text, const char*) {
  const std::lock_guard lock(warning_mutex);
  warnings_heard.emplace_back(text);
  has_warnings.store(true);
}

void tell_warnings() {
  std::vector<std::string> heard;
  {
    const std::lock_guard lock(warning_mutex);
    heard.swap(warnings_heard);
    has_warnings.store(false);
  }
  for (std::string& text : heard) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    const std::string said = "warning: ";
    if (text.compare(0, said.size(), said) == 0) text.erase(0, said.size());
    if (PyErr_WarnEx(error_class("LatheWarning").ptr(), text.c_str(), 2) != 0)
      throw nb::python_error();
  }
}

}  // namespace

Interruptible::Interruptible() {
  if (PyThread_get_thread_ident() != main_thread || call_number.load() % 2 == 1) return;
  if (!is_watched()) return;
  cancel_ = main_cancel;
  call_number.fetch_add(1);
}

Interruptible::~Interruptible() {
  if (!cancel_) return;
  const std::lock_guard lock(call_mutex);
  call_number.fetch_add(1);
  lathe_cancel_reset(main_cancel);
}

void after_running(lathe_code code) {
  if (code == LATHE_ERROR_CANCELLED && PyErr_CheckSignals() != 0) return;  // check() throws it
  if (has_warnings.load()) tell_warnings();
}

void bind_running(nb::module_&) {
  main_cancel = lathe_cancel_create();
  main_thread = nb::cast<unsigned long>(
      nb::module_::import_("threading").attr("main_thread")().attr("ident"));
  sem_init(&interrupts, 0, 0);
  lathe_on_warning(on_warning, nullptr);
  // The child's main thread is the one that forked; the watcher stays with the parent.
  pthread_atfork([] { call_mutex.lock(), warning_mutex.lock(); },
                 [] { warning_mutex.unlock(), call_mutex.unlock(); },
                 [] {
                   warning_mutex.unlock(), call_mutex.unlock();
                   main_thread = PyThread_get_thread_ident();
                   watcher_runs = false;
                   call_number.store(0);
                   sem_init(&interrupts, 0, 0);
                 });
}

}  // namespace lathe_python
