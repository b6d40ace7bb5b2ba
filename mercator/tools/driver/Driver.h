// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The command line `mercator COMMAND ...` as a function, and the questions of
/// commands about programs that the caller has loaded.
///
///   Compilation *programs[] = {compilation.get()};
///   ExitCode code = askMercator({"map", "--fused", "--json"}, programs, os,
///                               diagnostics);

#ifndef MERCATOR_TOOLS_DRIVER_DRIVER_H
#define MERCATOR_TOOLS_DRIVER_DRIVER_H

#include "mercator/compiler/program/Answer.h"
#include "mercator/compiler/run/Run.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mercator {

class Compilation;
class DiagnosticEngine;

/// Does what the command line asks and returns the exit code of the process
/// (ExitCode.h). From then on a crash ends the process with code 70, after
/// writing a reproducer.
int runMercator(int argc, const char *const *argv);

/// Asks a question about programs. `words` are a command and its options; the
/// programs stand for its files. The answer goes to `out`, or to the file after `-o`.
/// Requires: `diagnostics` is that of the first program.
/// Unlike runMercator, it changes nothing in the process.
[[nodiscard]] ExitCode askMercator(llvm::ArrayRef<llvm::StringRef> words,
                                   llvm::ArrayRef<Compilation *> programs,
                                   llvm::raw_ostream &out,
                                   DiagnosticEngine &diagnostics);

/// What the options of `mercator run` ask for, for a program whose results are not
/// printed. None after an error.
[[nodiscard]] std::optional<RunOptions>
runOptionsOf(llvm::ArrayRef<llvm::StringRef> options, Compilation &program,
             DiagnosticEngine &diagnostics);

/// What `mercator --version` says after the name.
[[nodiscard]] const char *versionOfMercator();

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_DRIVER_H
