// SPDX-License-Identifier: Apache-2.0
// lathe cache: list, info, clear, verify; and what it says about folders that are no cache.

#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "device/host/cache_entry.h"
#include "device/host/cache_folder.h"
#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CacheTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    if (const char* before = std::getenv("LATHE_CACHE_DIR")) before_ = before;
    folder_ = fs::current_path() / "kept";
    ::setenv("LATHE_CACHE_DIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    if (before_.empty())
      ::unsetenv("LATHE_CACHE_DIR");
    else
      ::setenv("LATHE_CACHE_DIR", before_.c_str(), 1);
    CommandTest::TearDown();
  }

  fs::path kernels() const { return folder_ / "kernels"; }

  // An entry as the cache writes it, without having run a compiler. Its key.
  std::string keep(const std::string& label, const std::string& text, int seconds_ago = 0) {
    std::string problem;
    const host::Descriptor folder = host::open_cache_folder(kernels(), problem);
    EXPECT_TRUE(folder) << problem;
    host::Manifest m;
    m.parts = host::KeyParts::of(text, {"-O1"}, "/usr/bin/cc, cc 12.2, 7 bytes of 1.0");
    m.key = m.parts.key();
    m.content = sha256_hex("code of " + text);
    m.label = label;
    m.created = 1000;
    EXPECT_EQ(host::write_entry(folder.get(), m, "code of " + text, text), 0);
    const timeval then = {::time(nullptr) - seconds_ago, 0};
    const timeval times[] = {then, then};
    EXPECT_EQ(::utimes((kernels() / (m.key + ".manifest")).c_str(), times), 0);
    return m.key;
  }

  std::string said(const std::vector<std::string>& words, int status = 0) {
    const Said s = lathe(words);
    EXPECT_EQ(s.status, status) << s.out << s.err;
    EXPECT_EQ(s.err, "");
    return s.out;
  }

  fs::path folder_;

 private:
  std::string before_;
};

TEST_F(CacheTest, ListShowsEntriesLastUsedFirst) {
  const std::string old = keep("diffuse", "a", 3 * 86400), fresh = keep("sum", "bb");
  const std::string line = "  cc 12.2\n";
  const auto size = [&](const std::string& key) {
    std::uintmax_t bytes = 0;
    for (const char* suffix : {".c", ".so", ".manifest"})
      bytes += fs::file_size(kernels() / (key + suffix));
    return std::to_string(bytes) + " B";
  };
  const auto right = [](const std::string& text) {
    return std::string(10 - text.size(), ' ') + text;
  };
  EXPECT_EQ(said({"cache", "list"}),
            "key           label          size        used  compiler\n" +  //
                fresh.substr(0, 12) + "  sum      " + right(size(fresh)) + "         now" + line +
                old.substr(0, 12) + "  diffuse  " + right(size(old)) + "      3 days" + line);
  EXPECT_EQ(json::parse(said({"cache", "list", "--json", "--older-than", "2d"})).at(0).at("key"),
            old);
  EXPECT_EQ(json::parse(said({"cache", "list", "--json", "--key", fresh.substr(0, 8)})).size(), 1u);
}

TEST_F(CacheTest, InfoSumsUp) {
  keep("diffuse", "a");
  keep("sum", "b");
  const json info = json::parse(said({"cache", "info", "--json"}));
  EXPECT_EQ(info.at("folder"), folder_.string());
  EXPECT_EQ(info.at("kernels"), 2);
  EXPECT_EQ(info.at("limit_bytes"), std::uint64_t{2} << 30);
  EXPECT_TRUE(info.at("exists"));
  EXPECT_TRUE(info.at("writable"));
  const std::string text = said({"cache", "info"});
  EXPECT_TRUE(text.starts_with("folder    " + folder_.string() + "\nkernels   2\nsize      "))
      << text;
  EXPECT_NE(text.find(" of at most 2.0 GiB\nused      last now, longest ago now\n"),
            std::string::npos)
      << text;
}

TEST_F(CacheTest, NothingIsMadeByLooking) {
  EXPECT_EQ(said({"cache", "list"}), "no kernels in '" + folder_.string() + "'\n");
  EXPECT_EQ(said({"cache", "list", "--json"}), "[]\n");
  EXPECT_EQ(said({"cache", "verify"}), "0 kernels, all as they were written\n");
  EXPECT_EQ(said({"cache", "clear", "--all"}), "removed 0 kernels, 0 B\n");
  EXPECT_TRUE(
      said({"cache", "info"})
          .starts_with("folder    " + folder_.string() + "  (does not exist yet)\nkernels   0\n"));
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(CacheTest, ClearRemovesWhatIsAskedForAndNothingElse) {
  const std::string old = keep("old", "a", 7200), fresh = keep("fresh", "b");
  std::ofstream(kernels() / "notes.txt") << "mine";
  EXPECT_TRUE(said({"cache", "clear", "--older-than", "1h"}).starts_with("removed 1 kernel, "));
  EXPECT_FALSE(fs::exists(kernels() / (old + ".so")));
  EXPECT_TRUE(fs::exists(kernels() / (fresh + ".so")));
  EXPECT_EQ(json::parse(said({"cache", "clear", "--key", "0123456789", "--json"})).at("removed"),
            0);
  EXPECT_EQ(json::parse(said({"cache", "clear", "--key", fresh, "--json"})).at("removed"), 1);
  EXPECT_FALSE(fs::exists(kernels() / (fresh + ".manifest")));
  EXPECT_TRUE(fs::exists(kernels() / "notes.txt"));
  // An entry that list() cannot read is one of those that --all removes.
  const std::string broken = keep("broken", "c");
  std::ofstream(kernels() / (broken + ".manifest")) << "nonsense";
  EXPECT_TRUE(said({"cache", "clear", "--all"}).starts_with("removed 1 kernel, "));
  EXPECT_FALSE(fs::exists(kernels() / (broken + ".so")));
  EXPECT_TRUE(fs::exists(kernels() / "notes.txt"));
}

TEST_F(CacheTest, VerifyFindsAndRemovesDamage) {
  const std::string fine = keep("fine", "a"), bad = keep("bad", "b");
  EXPECT_EQ(said({"cache", "verify"}), "2 kernels, all as they were written\n");
  std::ofstream(kernels() / (bad + ".so"), std::ios::app) << "x";
  const std::string problem =
      bad.substr(0, 12) + "  its shared object is not the one that was written";
  EXPECT_EQ(said({"cache", "verify"}, 1),
            problem + "\n1 kernel damaged; lathe cache verify --repair removes them\n");
  EXPECT_TRUE(fs::exists(kernels() / (bad + ".so")));
  const json found = json::parse(said({"cache", "verify", "--json"}, 1));
  EXPECT_EQ(found.at("damaged").at(0).at("key"), bad);
  EXPECT_EQ(found.at("kernels"), 2);
  EXPECT_EQ(said({"cache", "verify", "--repair"}), problem + "; removed\n1 kernel damaged\n");
  EXPECT_FALSE(fs::exists(kernels() / (bad + ".so")));
  EXPECT_TRUE(fs::exists(kernels() / (fine + ".so")));
  EXPECT_EQ(said({"cache", "verify"}), "1 kernel, all as they were written\n");
}

TEST_F(CacheTest, FoldersThatAreNoCache) {
  keep("a", "a");
  fs::permissions(folder_, fs::perms::all);
  const Said open = lathe({"cache", "list"});
  EXPECT_EQ(open.status, 1);
  EXPECT_EQ(open.err, "error: '" + folder_.string() +
                          "' is not used as a kernel cache: other users may write to it\n"
                          "  help: set LATHE_CACHE_DIR to a folder of yours with mode 0700\n");
  const json error = json::parse(lathe({"cache", "list", "--json"}).out).at("errors").at(0);
  EXPECT_EQ(error.at("help"), "set LATHE_CACHE_DIR to a folder of yours with mode 0700");
  fs::permissions(folder_, fs::perms::owner_all);
  fs::rename(kernels(), folder_ / "elsewhere");
  std::ofstream(kernels()) << "a file";
  const Said file = lathe({"cache", "clear", "--all"});
  EXPECT_EQ(file.status, 1);
  EXPECT_EQ(file.err, "error: '" + kernels().string() +
                          "' is not used as a kernel cache: it cannot be opened: Not a directory\n"
                          "  help: set LATHE_CACHE_DIR to a folder of yours with mode 0700\n");
}

TEST_F(CacheTest, ForeignFolder) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  keep("a", "a");
  ASSERT_EQ(::chown(kernels().c_str(), 12345, 12345), 0);
  const Said said = lathe({"cache", "verify"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.err, "error: '" + kernels().string() +
                          "' is not used as a kernel cache: it belongs to another user\n"
                          "  help: set LATHE_CACHE_DIR to a folder of yours with mode 0700\n");
}

TEST_F(CacheTest, ReadOnlyFolder) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may do everything";
  keep("a", "a");
  fs::permissions(kernels(), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string message = "error: the kernel cache '" + folder_.string() +
                              "' cannot be changed: it is read-only\n  help: chmod u+w '" +
                              kernels().string() + "', or set LATHE_CACHE_DIR\n";
  EXPECT_EQ(lathe({"cache", "clear", "--all"}).err, message);
  EXPECT_EQ(lathe({"cache", "verify", "--repair"}).err, message);
  EXPECT_EQ(lathe({"cache", "verify"}).status, 0);
  EXPECT_NE(lathe({"cache", "info"}).out.find("  (read-only)\n"), std::string::npos);
  fs::permissions(kernels(), fs::perms::owner_all);
}

struct WrongAction {
  std::vector<std::string> words;
  int status;
  std::string message;
};

TEST_F(CacheTest, WrongWords) {
  const std::string age =
      ": expected a number and a unit\n  help: for example 30d, 12h, 45m or 10s\n";
  const WrongAction cases[] = {
      {{"cache", "clear"},
       1,
       "error: lathe cache clear does not know what to remove\n"
       "  help: --all, --older-than 30d, or --key and the first digits of a key\n"},
      {{"cache", "clear", "--all", "--key", "1"},
       2,
       "error: --all is for lathe cache clear, alone\n  help: leave it out\n"},
      {{"cache", "list", "--repair"},
       2,
       "error: --repair is for lathe cache verify\n  help: leave it out\n"},
      {{"cache", "info", "--key", "1"},
       2,
       "error: --key and --older-than are for lathe cache list and clear\n"
       "  help: leave them out\n"},
      {{"cache", "list", "--key", "../x"},
       1,
       "error: --key ../x: keys are made of the digits 0-9 and a-f\n"
       "  help: lathe cache list shows them\n"},
      {{"cache", "list", "--older-than", "soon"}, 1, "error: --older-than soon" + age},
      {{"cache", "list", "--older-than", "-1d"}, 1, "error: --older-than -1d" + age},
      {{"cache", "list", "--older-than", "999999999d"}, 1, "error: --older-than 999999999d" + age},
  };
  for (const WrongAction& c : cases) {
    const Said s = lathe(c.words);
    EXPECT_EQ(s.status, c.status);
    EXPECT_EQ(s.out, "");
    EXPECT_EQ(s.err, c.message);
  }
  ::setenv("LATHE_CACHE_DIR", "relative", 1);
  const char* const names[] = {"XDG_CACHE_HOME", "HOME"};
  std::string kept[2];
  for (int i = 0; i < 2; ++i) {
    if (const char* value = std::getenv(names[i])) kept[i] = value;
    ::unsetenv(names[i]);
  }
  EXPECT_EQ(lathe({"cache", "list"}).err,
            "error: there is no folder for a kernel cache\n"
            "  help: set LATHE_CACHE_DIR to an absolute path\n");
  for (int i = 0; i < 2; ++i)
    if (!kept[i].empty()) ::setenv(names[i], kept[i].c_str(), 1);
}

}  // namespace
}  // namespace lathe::cli
