// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Device.h"

#include "mercator/compiler/program/Device.h"

#include <cstdlib>

using namespace mercator;

llvm::StringRef mercator::deviceName(const Invocation &invocation) {
  if (invocation.has("device"))
    return invocation.get("device");
  return defaultDevice();
}

llvm::StringRef mercator::defaultDevice() {
  const char *name = std::getenv("MERCATOR_DEVICE");
  return name && *name ? name : "host";
}

bool mercator::readDevice(Invocation &invocation, Device &device) {
  llvm::Expected<Device> found = loadDevice(deviceName(invocation));
  if (found) {
    device = std::move(*found);
    return true;
  }
  (void)invocation.getDiagnostics().error({},
                                          llvm::toString(found.takeError()));
  return false;
}
