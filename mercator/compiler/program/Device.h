// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The device that a user names: `h100`, or a file of the form of
/// devices/*.json.

#ifndef MERCATOR_COMPILER_PROGRAM_DEVICE_H
#define MERCATOR_COMPILER_PROGRAM_DEVICE_H

#include "mercator/analysis/device/Cluster.h"
#include "mercator/analysis/device/Device.h"

namespace mercator {

/// A name with `/` or the ending `.json` is that of a file. An error says what is
/// wrong, and names the file.
[[nodiscard]] llvm::Expected<Device> loadDevice(llvm::StringRef nameOrFile);

/// The same for a cluster, and files of the form of devices/clusters/*.json.
[[nodiscard]] llvm::Expected<Cluster> loadCluster(llvm::StringRef nameOrFile);

/// The name, or the text of the file or of the host, for Formation::device. Fails where
/// loadDevice does.
[[nodiscard]] llvm::Expected<std::string> deviceText(llvm::StringRef name);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_DEVICE_H
