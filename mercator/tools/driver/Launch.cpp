// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Launch.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace mercator;
using llvm::StringRef;

/// The words of this process's command line, without the first.
static std::vector<std::string> ownWords() {
  std::vector<std::string> words;
  auto line = llvm::MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!line)
    return words;
  StringRef rest = (*line)->getBuffer();
  while (!rest.empty()) {
    auto [word, next] = rest.split('\0');
    words.push_back(word.str());
    rest = next;
  }
  if (!words.empty())
    words.erase(words.begin());
  return words;
}

ExitCode mercator::launchProcesses(int64_t count,
                                   DiagnosticEngine &diagnostics) {
  llvm::ErrorOr<std::string> mpirun = llvm::sys::findProgramByName("mpirun");
  if (!mpirun) {
    (void)diagnostics.error(
        {}, "expected the program `mpirun` to start " + llvm::Twine(count) +
                " processes, and there is none on the PATH");
    diagnostics.help("apt-get install openmpi-bin");
    return ExitCode::Undecided;
  }
  static int here;
  std::vector<std::string> words = {
      *mpirun, "-n", std::to_string(count),
      llvm::sys::fs::getMainExecutable(nullptr, &here)};
  for (std::string &word : ownWords())
    words.push_back(std::move(word));
  // Options of Open MPI: other launchers do not know them as words.
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  setenv("OMPI_MCA_orte_execute_quiet", "1", 0);
  if (geteuid() == 0) {
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  }
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(mpirun->c_str(), arguments.data());
  (void)diagnostics.error({}, *mpirun + ": " + std::strerror(errno));
  return ExitCode::Undecided;
}

//===----------------------------------------------------------------------===//
// Standard error
//===----------------------------------------------------------------------===//

KeptErrors::KeptErrors(bool keeps) {
  if (!keeps)
    return;
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("mercator", "txt", file, path))
    return;
  (void)llvm::sys::fs::remove(path);
  errors = dup(STDERR_FILENO);
  if (errors >= 0)
    dup2(file, STDERR_FILENO);
}

std::string KeptErrors::release() {
  std::string text;
  if (errors < 0)
    return text;
  dup2(errors, STDERR_FILENO);
  close(errors);
  errors = -1;
  lseek(file, 0, SEEK_SET);
  char part[4096];
  for (ssize_t got; (got = read(file, part, sizeof(part))) > 0;)
    text.append(part, size_t(got));
  close(file);
  return text;
}
