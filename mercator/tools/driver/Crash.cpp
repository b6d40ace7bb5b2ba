// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Crash.h"

#include "mercator/support/ExitCode.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/xxhash.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace mercator;
using llvm::StringRef;

/// A reproducer is meant to be mailed.
static constexpr size_t inputLimit = size_t(4) << 20;

/// The script, composed in advance: a signal handler may write bytes but not
/// allocate memory.
struct Script {
  std::vector<std::string> words;
  std::string head;
  StringRef input;
  std::string tail;
  char path[64];      // in the current folder
  char otherPath[64]; // in /tmp
};
static Script *script = nullptr;

static std::string shellQuote(StringRef word) {
  bool plain = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || StringRef("-_./=:,+@").contains(c);
  });
  if (plain)
    return word.str();
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

static void compose(StringRef operand, StringRef input) {
  constexpr StringRef delimiter = "MERCATOR_INPUT";
  std::string command = "mercator";
  bool replaced = operand.empty();
  for (StringRef word : llvm::ArrayRef(script->words).drop_front()) {
    bool isInput = !replaced && word == operand;
    replaced |= isInput;
    command += " " + (isInput ? std::string("-") : shellQuote(word));
  }
  script->head = "#!/bin/sh\n"
                 "# Mercator " MERCATOR_VERSION
                 " failed on this command. Please report "
                 "it.\n" +
                 command;
  script->tail = "\n";
  if (!operand.empty()) {
    script->head += (" <<'" + delimiter + "'\n").str();
    script->tail =
        ((input.ends_with("\n") ? "" : "\n") + delimiter + "\n").str();
  }
  script->input = input;
  unsigned hash = llvm::xxh3_64bits(command) ^ llvm::xxh3_64bits(input);
  std::snprintf(script->path, sizeof script->path,
                "mercator-reproducer-%08x.sh", hash);
  std::snprintf(script->otherPath, sizeof script->otherPath,
                "/tmp/mercator-reproducer-%08x.sh", hash);
}

static bool writeAll(int fd, StringRef text) {
  while (!text.empty()) {
    ssize_t count = ::write(fd, text.data(), text.size());
    if (count <= 0)
      return false;
    text = text.drop_front(count);
  }
  return true;
}

static bool writeScript(const char *path) {
  int fd = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0755);
  if (fd < 0)
    return false;
  bool written = writeAll(fd, script->head) && writeAll(fd, script->input) &&
                 writeAll(fd, script->tail);
  ::close(fd);
  return written;
}

/// Only async-signal-safe calls below: this runs on a broken process.
[[noreturn]] static void die(const char *reason) {
  auto say = [](const char *text) {
    (void)writeAll(STDERR_FILENO, {text, std::strlen(text)});
  };
  say("mercator: internal error");
  if (reason) {
    say(": ");
    say(reason);
  }
  say("\nnote: this is a bug in Mercator, whatever the input was\n");
  const char *path = nullptr;
  if (writeScript(script->path))
    path = script->path;
  else if (writeScript(script->otherPath))
    path = script->otherPath;
  if (path) {
    say("note: a script that reproduces it was written to ");
    say(path);
    say("\nhelp: sh ");
    say(path);
    say("\n");
  } else {
    say("note: no reproducer could be written here or in /tmp\n");
  }
  ::_exit(static_cast<int>(ExitCode::InternalError));
}

void mercator::installCrashHandlers(llvm::ArrayRef<const char *> commandLine) {
  // Never freed: a handler may need it until the last instruction. A process may run
  // several commands.
  bool isFirst = !script;
  if (isFirst)
    script = new Script;
  script->words.assign(commandLine.begin(), commandLine.end());
  if (script->words.empty())
    script->words.push_back("mercator");
  compose({}, {});
  if (!isFirst)
    return;

  llvm::install_fatal_error_handler(
      [](void *, const char *reason, bool) { die(reason); });
#if !__has_feature(address_sanitizer)
  // LLVM runs this on a stack of its own, after removing temporary files, so
  // that even an exhausted stack is reported.
  llvm::sys::AddSignalHandler([](void *) { die(nullptr); }, nullptr);
#endif
}

void mercator::rememberInput(StringRef operand, StringRef text) {
  if (script && script->input.empty() && text.size() <= inputLimit)
    compose(operand, text);
}

void mercator::forgetInput() {
  if (script)
    compose({}, {});
}

//===----------------------------------------------------------------------===//
// A way to see that it works
//===----------------------------------------------------------------------===//

static unsigned overflowStack(volatile unsigned *depth) {
  volatile unsigned frame[256] = {*depth + 1};
  if (frame[0] == 0) // never: the stack ends long before
    return 0;
  return overflowStack(frame) + frame[0];
}

static ExitCode crash(Invocation &invocation) {
  if (!invocation.readInput(0))
    return ExitCode::InputRejected;
  StringRef kind = invocation.get("by");
  if (kind == "abort")
    std::abort();
  if (kind == "fatal-error")
    llvm::report_fatal_error("asked to fail");
  if (kind == "stack") {
    volatile unsigned depth = 0;
    (void)overflowStack(&depth);
  }
  volatile int *nowhere = nullptr;
  *nowhere = 1;
  return ExitCode::Done;
}

static constexpr Option crashOptions[] = {
    {.name = "by",
     .value = "signal|abort|fatal-error|stack",
     .help = "the kind of failure"},
};
const Command mercator::crashCommand = {
    .name = "crash",
    .operands = "FILE",
    .summary = "fail on purpose, to see the reproducer",
    .options = crashOptions,
    .run = crash,
    .hidden = true,
};
