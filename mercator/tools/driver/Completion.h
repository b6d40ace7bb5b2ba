// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Completion of command lines in a shell, from the tables of commands and options:
///
///   source <(mercator --completion=bash)

#ifndef MERCATOR_TOOLS_DRIVER_COMPLETION_H
#define MERCATOR_TOOLS_DRIVER_COMPLETION_H

#include "mercator/tools/driver/Command.h"

namespace mercator {

/// Writes a script for bash, which zsh reads too after `bashcompinit`. It
/// completes commands, options, the values of "a|b|c" options, and files.
void printCompletion(llvm::ArrayRef<const Command *> commands,
                     llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_COMPLETION_H
