// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the options of `mercator run` ask for.

#ifndef MERCATOR_TOOLS_DRIVER_RUNOPTIONS_H
#define MERCATOR_TOOLS_DRIVER_RUNOPTIONS_H

#include "mercator/compiler/run/Run.h"
#include "mercator/tools/driver/Command.h"

#include <optional>

namespace mercator {

/// None after an error. Requires: the invocation is one of runCommand, and outlives
/// the options.
[[nodiscard]] std::optional<RunOptions> runOptionsOf(Invocation &invocation);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_RUNOPTIONS_H
