// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Our own bugs: what a user gets instead of a bare "Segmentation fault".
///
/// On a fatal signal, an assertion, an LLVM fatal error or exhausted memory, a
/// shell script `mercator-reproducer-HASH.sh` is left in the current folder (or
/// in /tmp where that cannot be written), its path is printed, and the process
/// ends with code 70. The script holds the command line and, if it is small,
/// the input, so that it alone shows the bug on another machine.

#ifndef MERCATOR_TOOLS_DRIVER_CRASH_H
#define MERCATOR_TOOLS_DRIVER_CRASH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mercator {

/// Installs the handlers. The command line is remembered for the reproducer.
/// In a sanitized build the signals are left to the sanitizer.
void installCrashHandlers(llvm::ArrayRef<const char *> commandLine);

/// Makes `text`, which operand `i` of the command named, part of a reproducer
/// where it is small and the first. Requires: it lives until the process ends
/// or forgetInput is called.
void rememberInput(llvm::StringRef operand, llvm::StringRef text);
void forgetInput();

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_CRASH_H
