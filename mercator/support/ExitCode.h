// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The exit codes of the Mercator commands (docs/cli.md).

#ifndef MERCATOR_SUPPORT_EXITCODE_H
#define MERCATOR_SUPPORT_EXITCODE_H

namespace mercator {

enum class ExitCode : int {
  Done = 0,
  InputRejected = 1, // a diagnostic says where and why
  WrongUsage = 2,    // an unknown flag, a missing argument
  PropertyFalse = 3, // `prove` found a counterexample
  Undecided = 4,     // neither proved nor refuted, or a limit was reached
  InternalError = 70 // our own bug; a reproducer's path was printed
};

} // namespace mercator

#endif // MERCATOR_SUPPORT_EXITCODE_H
