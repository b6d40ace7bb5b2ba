// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/File.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mercator;
namespace fs = llvm::sys::fs;

namespace {

/// A temporary folder for the test.
class File : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("mercator-file-test", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> joined(folder);
    llvm::sys::path::append(joined, name);
    return std::string(joined);
  }
  static llvm::Error write(llvm::StringRef path, llvm::StringRef content) {
    return writeFile(path, [&](llvm::raw_ostream &os) { os << content; });
  }
  static std::string read(llvm::StringRef path) {
    llvm::Expected<std::string> content = readFile(path);
    return content ? *content : llvm::toString(content.takeError());
  }
  unsigned countFiles() {
    std::error_code code;
    unsigned count = 0;
    for (fs::directory_iterator it(folder, code), end; !code && it != end;
         it.increment(code))
      ++count;
    return count;
  }

  llvm::SmallString<128> folder;
};

TEST_F(File, ReadsWhatWasWritten) {
  std::string big(200'000, 'x');
  big[100'000] = '\0';
  for (const std::string &content : {std::string(), std::string("a\n"), big}) {
    EXPECT_FALSE(bool(write(path("a"), content)));
    EXPECT_EQ(read(path("a")), content);
  }
  EXPECT_EQ(countFiles(), 1u); // no temporary file remains
}

TEST_F(File, ErrorsNameTheFileAndTheReason) {
  EXPECT_EQ(read(path("none")),
            "cannot read '" + path("none") + "': no such file or directory");
  EXPECT_EQ(read(folder),
            "cannot read '" + std::string(folder) + "': is a directory");
  EXPECT_EQ(llvm::toString(write(path("no/file"), "x")),
            "cannot write '" + path("no/file") +
                "': no such file or directory");
  EXPECT_EQ(llvm::toString(write(folder, "x")),
            "cannot write '" + std::string(folder) + "': it is a folder");
}

TEST_F(File, TheLimitIsReported) {
  ASSERT_FALSE(bool(write(path("a"), "12345")));
  llvm::Expected<std::string> fits = readFile(path("a"), 5);
  ASSERT_TRUE(bool(fits));
  EXPECT_EQ(*fits, "12345");
  llvm::Expected<std::string> tooLong = readFile(path("a"), 4);
  ASSERT_FALSE(bool(tooLong));
  EXPECT_EQ(llvm::toString(tooLong.takeError()),
            "cannot read '" + path("a") +
                "': more than 4 bytes, the limit for an input");
}

TEST_F(File, KeepsPermissionsAndLinks) {
  ASSERT_FALSE(bool(write(path("a"), "old")));
  ASSERT_EQ(::chmod(path("a").c_str(), 0640), 0);
  ASSERT_EQ(::symlink("a", path("link").c_str()), 0);
  ASSERT_FALSE(bool(write(path("link"), "new")));
  EXPECT_EQ(read(path("a")), "new");
  struct stat status;
  ASSERT_EQ(::lstat(path("link").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(File, APipeIsReadToItsEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  pid_t child = ::fork();
  if (child == 0) {
    // A slow writer: the first read gets one byte only.
    int fd = ::open(path("pipe").c_str(), O_WRONLY);
    bool good = ::write(fd, "x", 1) == 1;
    ::usleep(20'000);
    good &= ::write(fd, "yz", 2) == 2;
    ::_exit(!good);
  }
  EXPECT_EQ(read(path("pipe")), "xyz");
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(File, AFailedWriteLeavesTheOldContentAndNothingElse) {
  ASSERT_FALSE(bool(write(path("a"), "old")));
  pid_t child = ::fork();
  if (child == 0) {
    // Like a full disk: no file may exceed 1000 bytes.
    ::signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::string message =
        llvm::toString(write(path("a"), std::string(5000, 'x')));
    ::_exit(!llvm::StringRef(message).starts_with("cannot write"));
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read(path("a")), "old");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(File, ADeviceIsNotReplaced) {
  EXPECT_FALSE(bool(write("/dev/null", "x")));
  fs::file_status status;
  ASSERT_FALSE(fs::status("/dev/null", status));
  EXPECT_EQ(status.type(), fs::file_type::character_file);
  if (fs::exists("/dev/full"))
    EXPECT_EQ(llvm::toString(write("/dev/full", "x")),
              "cannot write '/dev/full': no space left on device");
}

} // namespace
