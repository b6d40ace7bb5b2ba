// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Device.h"

#include "mercator/support/File.h"

using namespace mercator;

static bool isFile(llvm::StringRef name) {
  return name.contains('/') || name.ends_with(".json");
}

llvm::Expected<std::string> mercator::loadDevice(llvm::StringRef name) {
  llvm::Expected<MemorySystem> system = loadMemorySystem(name);
  if (!system)
    return system.takeError();
  // A program that is kept must not depend on what `host` is later.
  if (name == "host")
    return toJson(*system);
  return isFile(name) ? readFile(name.str()) : name.str();
}

llvm::Expected<MemorySystem> mercator::loadMemorySystem(llvm::StringRef name) {
  if (!isFile(name))
    return findMemorySystem(name);
  llvm::Expected<std::string> text = readFile(name.str());
  if (!text)
    return text.takeError();
  llvm::Expected<MemorySystem> system = parseMemorySystem(*text);
  if (system)
    return system;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 name + ": " +
                                     llvm::toString(system.takeError()));
}
