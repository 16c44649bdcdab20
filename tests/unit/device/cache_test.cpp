// SPDX-License-Identifier: Apache-2.0
#include "device/host/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "device/host/cache_folder.h"
#include "unit/device/kernels.h"

namespace lathe::host {
namespace {

namespace fs = std::filesystem;

class CacheTest : public DeviceTest {
 protected:
  std::string file_of(const Kernel& kernel, const std::string& suffix) const {
    return path("cache/kernels/") + kernel.key + suffix;
  }
  std::set<std::string> suffixes() const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(path("cache/kernels"))) {
      out.insert(entry.path().extension().string());
    }
    return out;
  }
  // Damages the one entry, then asks for it with a new Cache, as another process would.
  template <class Damage>
  void expect_replaced(Damage damage, const std::string& why) {
    std::string key;
    {
      Cache cache(settings());
      const Kernel made = cache.lookup_or_compile(answer_request(7));
      key = made.key;
      damage(made);
    }
    Cache cache(settings());
    EXPECT_EQ(cache.verify(false).size(), why.empty() ? 0u : 1u);
    const Kernel again = cache.lookup_or_compile(answer_request(7));
    EXPECT_EQ(call_answer(again, 1), 8);
    EXPECT_EQ(again.origin, KernelOrigin::Compiler);
    if (why.empty()) {
      EXPECT_TRUE(again.warnings.empty());
    } else {
      ASSERT_EQ(again.warnings.size(), 1u);
      EXPECT_EQ(again.warnings[0].message, "a kept kernel in '" + path("cache/kernels") +
                                               "' is damaged and was replaced: " + why);
    }
    EXPECT_TRUE(cache.verify(false).empty());
    Cache third(settings());
    EXPECT_EQ(third.lookup_or_compile(answer_request(7)).origin, KernelOrigin::Disk);
  }
};

TEST_F(CacheTest, MemoryThenDiskThenCompiler) {
  Cache cache(settings());
  Kernel first = cache.lookup_or_compile(answer_request(1));
  EXPECT_EQ(call_answer(first, 1), 2);
  EXPECT_EQ(first.origin, KernelOrigin::Compiler);
  EXPECT_GT(first.compile_seconds, 0);
  EXPECT_TRUE(first.warnings.empty());
  const Kernel second = cache.lookup_or_compile(answer_request(1));
  EXPECT_EQ(second.origin, KernelOrigin::Memory);
  EXPECT_EQ(second.library, first.library);
  Cache other(settings());
  const Kernel third = other.lookup_or_compile(answer_request(1));
  EXPECT_EQ(third.origin, KernelOrigin::Disk);
  EXPECT_EQ(third.key, first.key);
  EXPECT_EQ(call_answer(third, 1), 2);
  EXPECT_EQ(suffixes(), (std::set<std::string>{".c", ".so", ".manifest"}));
  struct stat status {};
  ASSERT_EQ(::stat(path("cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(CacheTest, EveryPartOfTheKeyCounts) {
  Cache cache(settings());
  const Kernel base = cache.lookup_or_compile(answer_request(1));
  KernelRequest other = answer_request(1);
  other.flags = {"-O2"};
  EXPECT_NE(cache.lookup_or_compile(other).key, base.key);
  EXPECT_NE(cache.lookup_or_compile(answer_request(2)).key, base.key);
  KernelRequest renamed = answer_request(1);
  renamed.label = "another name";
  EXPECT_EQ(cache.lookup_or_compile(renamed).key, base.key);
  const KeyParts parts = KeyParts::of("text", {"-O1"}, "cc");
  for (const NamedPart& part : kKeyParts) {
    KeyParts changed = parts;
    changed.*part.value += "x";
    EXPECT_NE(changed.key(), parts.key()) << part.name;
  }
}

TEST_F(CacheTest, ManifestsParseBack) {
  Manifest manifest;
  manifest.parts = KeyParts::of("text", {"-O1", "-DX=\"a\nb\\n\""}, "cc, version");
  manifest.key = manifest.parts.key();
  manifest.content = std::string(64, 'a');
  manifest.label = "two\nlines";
  manifest.created = 12;
  const std::string text = manifest.print();
  const auto back = Manifest::parse(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->print(), text);
  EXPECT_EQ(back->parts.flags, manifest.parts.flags);
  EXPECT_EQ(back->label, manifest.label);
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(Manifest::parse(text.substr(0, size))) << size;
  }
}

TEST_F(CacheTest, DamagedEntriesAreReplaced) {
  const std::string changed = "its shared object is not the one that was written";
  expect_replaced([&](const Kernel& k) { fs::resize_file(file_of(k, ".so"), 1000); }, changed);
  expect_replaced([&](const Kernel& k) { fs::resize_file(file_of(k, ".so"), 0); }, changed);
  expect_replaced(
      [&](const Kernel& k) {
        std::fstream file(file_of(k, ".so"));
        file.seekp(4200);
        file << "poison";
      },
      changed);
  expect_replaced([&](const Kernel& k) { fs::remove(file_of(k, ".so")); },
                  "its shared object is missing");
  expect_replaced([&](const Kernel& k) { fs::resize_file(file_of(k, ".manifest"), 80); },
                  "its manifest is damaged");
  expect_replaced([&](const Kernel& k) { fs::resize_file(file_of(k, ".manifest"), 0); },
                  "its manifest is damaged");
  expect_replaced([&](const Kernel& k) { fs::remove(file_of(k, ".manifest")); }, "");
  // Another kernel's files under this name.
  expect_replaced(
      [&](const Kernel& k) {
        Cache cache(settings());
        const Kernel other = cache.lookup_or_compile(answer_request(8));
        fs::copy_file(file_of(other, ".so"), file_of(k, ".so"),
                      fs::copy_options::overwrite_existing);
        fs::copy_file(file_of(other, ".manifest"), file_of(k, ".manifest"),
                      fs::copy_options::overwrite_existing);
      },
      "its manifest is damaged");
}

TEST_F(CacheTest, LinksAreNotFollowed) {
  expect_replaced(
      [&](const Kernel& k) {
        fs::rename(file_of(k, ".so"), path("elsewhere.so"));
        fs::create_symlink(path("elsewhere.so"), file_of(k, ".so"));
      },
      "its shared object is missing");
}

TEST_F(CacheTest, AMissingSymbolIsAnErrorEachTime) {
  Cache cache(settings());
  KernelRequest request = answer_request(1);
  request.symbols = {"answer", "question"};
  for (int i = 0; i < 2; ++i) {
    const Kernel kernel = cache.lookup_or_compile(request);
    ASSERT_TRUE(kernel.error);
    EXPECT_NE(kernel.error->message.find("it has no function 'question'"), std::string::npos);
    EXPECT_FALSE(kernel.library);
  }
}

TEST_F(CacheTest, MissingCompiler) {
  CacheSettings without = settings();
  without.compiler.program = "no-such-compiler";
  Cache cache(without);
  const Kernel kernel = cache.lookup_or_compile(answer_request(1));
  EXPECT_FALSE(kernel.library);
  EXPECT_EQ(kernel.error->message, "there is no C compiler 'no-such-compiler'");
}

TEST_F(CacheTest, ManyThreadsOneCompile) {
  const std::string counter = path("count");
  CacheSettings counting = settings();
  counting.compiler.program =
      fake_compiler("echo x >> " + counter +
                    "; echo 'long answer(long x) { return x + 5; }' > $out.c; "
                    "exec cc -shared -fPIC -o $out $out.c");
  Cache cache(counting);
  std::vector<Kernel> kernels(16);
  std::vector<std::thread> threads;
  for (Kernel& kernel : kernels) {
    threads.emplace_back([&] { kernel = cache.lookup_or_compile(answer_request(5)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Kernel& kernel : kernels) {
    EXPECT_EQ(call_answer(kernel, 1), 6);
    EXPECT_EQ(kernel.library, kernels[0].library);
  }
  std::ifstream file(counter);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(file)), {}), "x\n");
}

TEST_F(CacheTest, ManyThreadsManyKernels) {
  Cache cache(settings());
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 4; ++i) {
        const int number = (t + i) % 4;
        EXPECT_EQ(call_answer(cache.lookup_or_compile(answer_request(number)), 10), 10 + number);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache.list().size(), 4u);
}

TEST_F(CacheTest, WorksInAForkedChild) {
  Cache cache(settings());
  const Kernel before = cache.lookup_or_compile(answer_request(1));
  const pid_t child = ::fork();
  if (child == 0) {
    const Kernel old = cache.lookup_or_compile(answer_request(1));
    const Kernel fresh = cache.lookup_or_compile(answer_request(2));
    const bool right = old.library && fresh.library &&
                       old.library->function<Answer>("answer")(1) == 2 &&
                       fresh.library->function<Answer>("answer")(1) == 3;
    ::_exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(cache.lookup_or_compile(answer_request(2)).origin, KernelOrigin::Disk);
}

TEST_F(CacheTest, WhyMissed) {
  Cache cache(settings());
  EXPECT_EQ(cache.why_missed(answer_request(1)),
            "nothing is kept in '" + path("cache/kernels") + "'");
  const std::string key = cache.lookup_or_compile(answer_request(1)).key;
  EXPECT_EQ(cache.why_missed(answer_request(1)), "it is kept: " + key);
  KernelRequest other = answer_request(1);
  other.flags = {"-O2", "-g"};
  const std::string nearest =
      "the nearest kept kernel, 'answer 1' (" + key.substr(0, 12) + "), differs in ";
  EXPECT_EQ(cache.why_missed(other), nearest + "the flags ('-O2 -g' now, '-O1' then)");
  EXPECT_EQ(cache.why_missed(answer_request(2)), nearest + "the text");
}

TEST_F(CacheTest, ListFindClear) {
  Cache cache(settings());
  const Kernel first = cache.lookup_or_compile(answer_request(1));
  cache.lookup_or_compile(answer_request(2));
  EXPECT_EQ(cache.list().size(), 2u);
  const auto found = cache.find(first.key.substr(0, 20));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].manifest.label, "answer 1");
  EXPECT_GT(found[0].bytes, 1000u);
  std::ifstream text(found[0].text_path);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(text)), {}), answer_text(1));
  write(path("cache/kernels/mine.txt"), "not the cache's");
  EXPECT_EQ(cache.clear(), 2u);
  EXPECT_EQ(suffixes(), std::set<std::string>{".txt"});
  EXPECT_EQ(call_answer(first, 1), 2);  // what is loaded stays loaded
}

TEST_F(CacheTest, TheLongestUnusedGoFirst) {
  CacheSettings small = settings();
  Cache measuring(small);
  std::vector<std::string> keys;
  for (int i = 0; i < 5; ++i) {
    keys.push_back(measuring.lookup_or_compile(answer_request(i)).key);
    const timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    ::utimensat(AT_FDCWD, (path("cache/kernels/") + keys.back() + ".manifest").c_str(), times, 0);
  }
  // Using the oldest makes it the newest.
  {
    Cache using_it(small);
    EXPECT_EQ(using_it.lookup_or_compile(answer_request(0)).origin, KernelOrigin::Disk);
  }
  small.max_bytes = measuring.list()[0].bytes * 5 / 2;
  Cache cache(small);
  cache.evict();
  std::set<std::string> left;
  for (const CacheEntry& entry : cache.list()) left.insert(entry.manifest.key);
  EXPECT_EQ(left, (std::set<std::string>{keys[0], keys[4]}));
}

TEST_F(CacheTest, LeftoversAreSwept) {
  Cache cache(settings());
  const Kernel kernel = cache.lookup_or_compile(answer_request(1));
  const std::string orphan = std::string(64, 'a');
  for (const std::string& name : {std::string("tmp-1-1-x"), orphan + ".so", orphan + ".lock"}) {
    write(path("cache/kernels/" + name), "x");
    const timespec times[2] = {{1000, 0}, {1000, 0}};
    ::utimensat(AT_FDCWD, path("cache/kernels/" + name).c_str(), times, 0);
  }
  write(path("cache/kernels/tmp-2-2-young"), "x");
  cache.evict();
  EXPECT_FALSE(fs::exists(path("cache/kernels/tmp-1-1-x")));
  EXPECT_FALSE(fs::exists(path("cache/kernels/" + orphan + ".so")));
  EXPECT_FALSE(fs::exists(path("cache/kernels/" + orphan + ".lock")));
  EXPECT_TRUE(fs::exists(path("cache/kernels/tmp-2-2-young")));
  EXPECT_EQ(cache.list().size(), 1u);
}

TEST_F(CacheTest, WhereItIs) {
  const ScopedVariable own("LATHE_CACHE_DIR", nullptr);
  const ScopedVariable home("HOME", "/home/x");
  {
    const ScopedVariable xdg("XDG_CACHE_HOME", "/var/x");
    EXPECT_EQ(default_cache_folder(), "/var/x/lathe");
  }
  const ScopedVariable xdg("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(default_cache_folder(), "/home/x/.cache/lathe");
  const ScopedVariable chosen("LATHE_CACHE_DIR", "/mine");
  EXPECT_EQ(default_cache_folder(), "/mine");
}

}  // namespace
}  // namespace lathe::host
