// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Device.h"

#include "mercator/support/File.h"

using namespace mercator;

static bool isFile(llvm::StringRef name) {
  return name.contains('/') || name.ends_with(".json");
}

llvm::Expected<std::string> mercator::deviceText(llvm::StringRef name) {
  llvm::Expected<Device> device = loadDevice(name);
  if (!device)
    return device.takeError();
  // A program that is kept must not depend on what `host` is later.
  if (name == "host")
    return toJson(*device);
  return isFile(name) ? readFile(name.str()) : name.str();
}

llvm::Expected<Device> mercator::loadDevice(llvm::StringRef name) {
  if (!isFile(name))
    return findDevice(name);
  llvm::Expected<std::string> text = readFile(name.str());
  if (!text)
    return text.takeError();
  llvm::Expected<Device> device = parseDevice(*text);
  if (device)
    return device;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 name + ": " +
                                     llvm::toString(device.takeError()));
}
