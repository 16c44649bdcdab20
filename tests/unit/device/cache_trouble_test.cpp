// SPDX-License-Identifier: Apache-2.0
// What happens around a cache: other processes, kill -9, folders that cannot be used.
// LATHE_KILL_ROUNDS=10000 makes the killing long.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/stop.h"
#include "device/host/cache.h"
#include "thorough.h"
#include "unit/device/kernels.h"

extern char** environ;

namespace lathe::host {
namespace {

namespace fs = std::filesystem;

class CacheTroubleTest : public DeviceTest {
 protected:
  // Starts a process that asks for kernels first..last; its output goes to a file.
  pid_t start_worker(int first, int last, const std::string& output) const {
    std::vector<std::string> words = {LATHE_CACHE_WORKER, path("cache"), std::to_string(first),
                                      std::to_string(last)};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    pid_t pid = 0;
    EXPECT_EQ(::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
  }

  static int wait_for(pid_t pid) {
    int status = -1;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return status;
  }

  // The folder refused or full: right answers, one warning that ends so.
  void expect_works_with_warning(const CacheSettings& settings, const std::string& warning) {
    Cache cache(settings);
    const Kernel first = cache.lookup_or_compile(answer_request(1));
    EXPECT_EQ(call_answer(first, 1), 2);
    ASSERT_EQ(first.warnings.size(), 1u);
    EXPECT_EQ(first.warnings[0].message, warning);
    const Kernel second = cache.lookup_or_compile(answer_request(2));
    EXPECT_EQ(call_answer(second, 1), 3);
    EXPECT_TRUE(second.warnings.empty());
    EXPECT_EQ(cache.lookup_or_compile(answer_request(2)).origin, KernelOrigin::Memory);
  }
};

TEST_F(CacheTroubleTest, SixtyFourProcessesOneKey) {
  std::vector<pid_t> workers;
  for (int i = 0; i < 64; ++i) {
    workers.push_back(start_worker(1, 1, path("out" + std::to_string(i))));
  }
  for (const pid_t worker : workers) EXPECT_EQ(wait_for(worker), 0);
  int compiled = 0;
  for (int i = 0; i < 64; ++i) {
    int count = -1;
    std::ifstream(path("out" + std::to_string(i))) >> count;
    EXPECT_GE(count, 0);
    compiled += count;
  }
  EXPECT_EQ(compiled, 1);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(path("cache/kernels"))) ++files;
  EXPECT_EQ(files, 3u);  // no lock, no temporary file
}

// Killed anywhere between start and end, a process leaves nothing that harms the next.
TEST_F(CacheTroubleTest, KilledAtAnyMoment) {
  const char* wish = ::getenv("LATHE_KILL_ROUNDS");
  const int rounds = wish ? std::atoi(wish) : testing::is_thorough() ? 40 : 24;
  const ScopedVariable temporary("TMPDIR", folder_.path().c_str());
  std::mt19937 random(7);
  for (int round = 0; round < rounds; ++round) {
    const int number = static_cast<int>(random() % 3);
    if (random() % 2) Cache(settings()).clear();
    const pid_t worker = start_worker(number, number + 1, path("out"));
    ::usleep(static_cast<useconds_t>(random() % 120000));
    ::kill(worker, SIGKILL);
    wait_for(worker);
    if (round % 8 != 7) continue;
    Cache cache(settings());
    EXPECT_TRUE(cache.verify(false).empty());
    for (int i = 0; i < 4; ++i) {
      const Kernel kernel = cache.lookup_or_compile(answer_request(i));
      EXPECT_EQ(call_answer(kernel, 5), 5 + i);
      EXPECT_TRUE(kernel.warnings.empty()) << kernel.warnings[0].message;
    }
  }
}

TEST_F(CacheTroubleTest, AStoppedHolderOfTheLockStopsNobodyForLong) {
  CacheSettings hurried = settings();
  hurried.compiler.timeout_seconds = -4.5;  // half a second for the lock, none for the compiler
  Cache first(settings());
  const Kernel kept = first.lookup_or_compile(answer_request(1));
  const std::string lock = path("cache/kernels/") + kept.key + ".lock";
  ASSERT_EQ(first.clear(), 1u);
  write(lock, "");
  const int file = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  Cache second(hurried);
  const Kernel kernel = second.lookup_or_compile(answer_request(1));
  ASSERT_TRUE(kernel.error);  // it came as far as the compiler
  EXPECT_NE(kernel.error->message.find("C compiler"), std::string::npos);
  ::close(file);
}

// Ctrl-C in one thread, while another waits for the same kernel.
TEST_F(CacheTroubleTest, WhoIsStoppedStopsHisCompilerAndNobodyElse) {
  CacheSettings with = settings();
  with.folder = path("good");
  Cache good(with);
  const std::string object =
      path("good/kernels/") + good.lookup_or_compile(answer_request(1)).key + ".so";
  with = settings();
  with.compiler.program = fake_compiler(
      "if mkdir " + path("begun") + "; then echo $$ > " + path("compiler") + "; mv " +
      path("compiler") + " " + path("begun") + "; sleep 100; fi\ncp " + object + " \"$out\"");
  Cache cache(with);
  std::atomic<bool> asked{false}, stopped{false};
  std::thread first([&] {
    const StopWhen when(&asked, nullptr);
    try {
      cache.lookup_or_compile(answer_request(1));
    } catch (const Stopped&) {
      stopped = true;
    }
  });
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  while (!fs::exists(path("begun/compiler"))) pause();
  Kernel kernel;
  std::thread second([&] { kernel = cache.lookup_or_compile(answer_request(1)); });
  pause();
  asked = true;
  first.join();
  second.join();
  EXPECT_TRUE(stopped);
  EXPECT_EQ(call_answer(kernel, 5), 6);
  pid_t compiler = 0;
  std::ifstream(path("begun/compiler")) >> compiler;
  EXPECT_EQ(::kill(compiler, 0), -1) << compiler;  // it is gone
  asked = false;
  EXPECT_EQ(call_answer(cache.lookup_or_compile(answer_request(1)), 7), 8);
}

TEST_F(CacheTroubleTest, AFolderThatCannotBeMade) {
  write(path("file"), "");
  CacheSettings bad = settings();
  bad.folder = path("file/cache");
  expect_works_with_warning(
      bad, "kernels are not kept in '" + bad.folder + "': it cannot be opened: Not a directory");
  bad.folder = "relative";
  expect_works_with_warning(bad, "kernels are not kept in 'relative': it is no absolute path");
}

TEST_F(CacheTroubleTest, AFolderThatOthersMayWriteTo) {
  ASSERT_EQ(::mkdir(path("cache").c_str(), 0700), 0);
  ASSERT_EQ(::chmod(path("cache").c_str(), 0777), 0);
  expect_works_with_warning(
      settings(), "kernels are not kept in '" + path("cache") + "': other users may write to it");
  EXPECT_TRUE(fs::is_empty(path("cache")));
}

TEST_F(CacheTroubleTest, AFolderOfAnotherUser) {
  ASSERT_EQ(::mkdir(path("cache").c_str(), 0700), 0);
  if (::chown(path("cache").c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can chown";
  expect_works_with_warning(
      settings(), "kernels are not kept in '" + path("cache") + "': it belongs to another user");
}

class SmallDisk {
 public:
  SmallDisk(std::string path, const char* options) : path_(std::move(path)) {
    ::mkdir(path_.c_str(), 0700);
    mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, options) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }

 private:
  std::string path_;
  bool mounted_ = false;
};

TEST_F(CacheTroubleTest, FullDisk) {
  const SmallDisk disk(path("cache"), "size=8k,mode=0700");
  if (!disk.mounted()) GTEST_SKIP() << "cannot mount a small disk";
  expect_works_with_warning(settings(), "compiled kernels cannot be kept in '" +
                                            path("cache/kernels") + "': No space left on device");
  for (const auto& entry : fs::directory_iterator(path("cache/kernels"))) {
    ADD_FAILURE() << "left behind: " << entry.path();
  }
}

TEST_F(CacheTroubleTest, ReadOnlyDisk) {
  const SmallDisk disk(path("cache"), "size=1m,mode=0700");
  if (!disk.mounted()) GTEST_SKIP() << "cannot mount a small disk";
  {
    Cache cache(settings());
    cache.lookup_or_compile(answer_request(9));
  }
  ASSERT_EQ(::mount(nullptr, path("cache").c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  expect_works_with_warning(settings(), "compiled kernels cannot be kept in '" +
                                            path("cache/kernels") + "': Read-only file system");
  Cache cache(settings());
  EXPECT_EQ(cache.lookup_or_compile(answer_request(9)).origin, KernelOrigin::Disk);
}

TEST_F(CacheTroubleTest, NoTemporaryFolder) {
  const ScopedVariable temporary("TMPDIR", "/no/such/folder");
  Cache cache(settings());
  const Kernel kernel = cache.lookup_or_compile(answer_request(1));
  ASSERT_TRUE(kernel.error);
  EXPECT_EQ(kernel.error->message, "cannot make a temporary folder: No such file or directory");
}

}  // namespace
}  // namespace lathe::host
