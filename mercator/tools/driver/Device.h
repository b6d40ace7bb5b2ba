// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `--device`, of the commands that ask how a device reads memory.

#ifndef MERCATOR_TOOLS_DRIVER_DEVICE_H
#define MERCATOR_TOOLS_DRIVER_DEVICE_H

#include "mercator/tools/driver/Command.h"

namespace mercator {

struct MemorySystem;

/// A name, or a file of the form of devices/*.json; h100 if the option is not
/// given. False after an error.
[[nodiscard]] bool readDevice(Invocation &invocation, MemorySystem &memory);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_DEVICE_H
