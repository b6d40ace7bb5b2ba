// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The command line `mercator COMMAND ...` as a function.

#ifndef MERCATOR_TOOLS_DRIVER_DRIVER_H
#define MERCATOR_TOOLS_DRIVER_DRIVER_H

namespace mercator {

/// Does what the command line asks and returns the exit code of the process
/// (ExitCode.h). From then on a crash ends the process with code 70, after
/// writing a reproducer.
int runMercator(int argc, const char *const *argv);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_DRIVER_H
