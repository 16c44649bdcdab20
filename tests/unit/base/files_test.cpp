// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/diagnostics.h"

namespace lathe {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lathe-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(FilesTest, WhatIsWrittenIsRead) {
  const std::string text("a\0b\n", 4);
  write_file(path("f"), text);
  EXPECT_EQ(read_file(path("f")), text);
  write_file(path("f"), "");
  EXPECT_EQ(read_file(path("f")), "");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FilesTest, WithoutCommitTheOldContentStays) {
  write_file(path("f"), "old");
  {
    AtomicFile file(path("f"));
    file.write("new");
    EXPECT_EQ(entries(), 2u);
  }
  EXPECT_EQ(read_file(path("f")), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FilesTest, LinksAndPermissionsStay) {
  write_file(path("f"), "old");
  fs::permissions(path("f"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path("f"), path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("f")), "new");
  EXPECT_EQ(fs::status(path("f")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FilesTest, DevicesAreWrittenNotReplaced) {
  write_file("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FilesTest, MessagesNameTheFileAndTheReason) {
  EXPECT_EQ(message_of([&] { read_file(path("none")); }),
            "cannot read '" + path("none") + "': there is no such file");
  EXPECT_EQ(message_of([&] { read_file(folder_.string()); }),
            "cannot read '" + folder_.string() + "': it is a folder");
  EXPECT_EQ(message_of([&] { write_file(folder_.string(), ""); }),
            "cannot write '" + folder_.string() + "': it is a folder");
  EXPECT_EQ(message_of([&] { write_file(path("no/f"), ""); }),
            "cannot write '" + path("no/f") + "': there is no such folder");
  write_file(path("f"), "12345");
  EXPECT_EQ(message_of([&] { read_file(path("f/g")); }),
            "cannot read '" + path("f/g") + "': a part of the path is not a folder");
  EXPECT_EQ(message_of([&] { read_file(path("f"), 4); }),
            "cannot read '" + path("f") + "': it is larger than the limit of 4 bytes");
  EXPECT_EQ(read_file(path("f"), 5), "12345");
  EXPECT_EQ(message_of([&] { read_file("/dev/zero", 100000); }),
            "cannot read '/dev/zero': it is larger than the limit of 100000 bytes");
  EXPECT_EQ(message_of([&] { write_file("/dev/full", "x"); }),
            "cannot write '/dev/full': the disk is full");
}

TEST_F(FilesTest, PermissionDenied) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may do everything";
  write_file(path("f"), "x");
  fs::permissions(path("f"), fs::perms::none);
  EXPECT_EQ(message_of([&] { read_file(path("f")); }),
            "cannot read '" + path("f") + "': permission denied");
}

}  // namespace
}  // namespace lathe
