// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Where `mercator compile` can lead, one function each. They read the operand
/// of the invocation and write to its output; the options that belong to
/// another road were refused before.

#ifndef MERCATOR_TOOLS_DRIVER_COMPILE_H
#define MERCATOR_TOOLS_DRIVER_COMPILE_H

#include "mercator/tools/driver/Command.h"

namespace mercator {

/// `--stop-after=flow`: linalg on tensors into dispatches of executables.
[[nodiscard]] ExitCode compileToFlow(Invocation &invocation);

/// `--target=ascend`: StableHLO into graphs of Ascend's Graph Engine.
[[nodiscard]] ExitCode compileToAscend(Invocation &invocation);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_COMPILE_H
