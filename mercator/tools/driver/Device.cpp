// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Device.h"

#include "mercator/compiler/Memory.h"

using namespace mercator;

bool mercator::readDevice(Invocation &invocation, MemorySystem &memory) {
  llvm::StringRef name =
      invocation.has("device") ? invocation.get("device") : "h100";
  llvm::Expected<MemorySystem> found = loadMemorySystem(name);
  if (found) {
    memory = std::move(*found);
    return true;
  }
  (void)invocation.getDiagnostics().error({},
                                          llvm::toString(found.takeError()));
  return false;
}
