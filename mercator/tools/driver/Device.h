// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `--device`, of all commands that ask for one. The default is the CPU of this
/// machine; $MERCATOR_DEVICE changes it.

#ifndef MERCATOR_TOOLS_DRIVER_DEVICE_H
#define MERCATOR_TOOLS_DRIVER_DEVICE_H

#include "mercator/tools/driver/Command.h"

namespace mercator {

struct Device;

/// The help of `--device`.
inline constexpr llvm::StringRef deviceHelp =
    "host (default, this machine's CPU), a name such as zen4 or h100, or a JSON "
    "file";

/// The name, or the file of the form of devices/*.json, that the command line or
/// the environment gives, or else `host`.
[[nodiscard]] llvm::StringRef deviceName(const Invocation &invocation);

/// What the environment gives, or else `host`.
[[nodiscard]] llvm::StringRef defaultDevice();

/// The device of this name. False after an error.
[[nodiscard]] bool readDevice(Invocation &invocation, Device &device);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_DEVICE_H
