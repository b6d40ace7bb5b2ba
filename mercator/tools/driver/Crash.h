// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reproducers for our own bugs.
///
/// On a fatal signal, an assertion, an LLVM fatal error or exhausted memory, the
/// process writes a shell script `mercator-reproducer-HASH.sh` to the current
/// folder, or to /tmp if the folder is not writable. It prints the path and ends
/// with code 70. The script holds the command line and, if it is small, the
/// input: it shows the bug on another machine without any other file.

#ifndef MERCATOR_TOOLS_DRIVER_CRASH_H
#define MERCATOR_TOOLS_DRIVER_CRASH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mercator {

/// Installs the handlers. The command line is remembered for the reproducer.
/// In a sanitized build the signals are left to the sanitizer.
void installCrashHandlers(llvm::ArrayRef<const char *> commandLine);

/// Makes `text`, the input that `operand` names, a part of the reproducer. Only
/// the first input is kept, and only if it is small. Requires: the text lives
/// until the process ends or forgetInput is called.
void rememberInput(llvm::StringRef operand, llvm::StringRef text);
void forgetInput();

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_CRASH_H
