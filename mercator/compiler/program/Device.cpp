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

/// What a file describes. An error names the file.
template <typename Described>
static llvm::Expected<Described>
loadFile(llvm::StringRef name,
         llvm::Expected<Described> (*parse)(llvm::StringRef)) {
  llvm::Expected<std::string> text = readFile(name.str());
  if (!text)
    return text.takeError();
  llvm::Expected<Described> described = parse(*text);
  if (described)
    return described;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 name + ": " +
                                     llvm::toString(described.takeError()));
}

llvm::Expected<Device> mercator::loadDevice(llvm::StringRef name) {
  return isFile(name) ? loadFile(name, parseDevice) : findDevice(name);
}

llvm::Expected<Cluster> mercator::loadCluster(llvm::StringRef name) {
  return isFile(name) ? loadFile(name, parseCluster) : findCluster(name);
}
