// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Device.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;

double Device::multiplyAddRate(StringRef type, Unit unit) const {
  for (const MultiplyAdd &each : multiplyAdds)
    if (each.type == type && each.unit == unit)
      return each.gigaflopsPerSecond;
  return 0;
}

Device::Bandwidth Device::bandwidthOf(size_t level) const {
  Bandwidth memory = {coreGigabytesPerSecond, gigabytesPerSecond};
  if (level >= caches.size())
    return memory;
  Bandwidth own = {caches[level].coreGigabytesPerSecond,
                   caches[level].gigabytesPerSecond};
  bool isKnown = own.ofCore > 0 || own.ofAll > 0;
  return isKnown || level + 1 < caches.size() ? own : memory;
}

double Device::functionRate(StringRef name) const {
  for (const Function &each : functions)
    if (each.name == name)
      return each.gigaPerSecond;
  return 0;
}

llvm::ArrayRef<StringRef> mercator::deviceFunctions() {
  static constexpr StringRef names[] = {"division", "sqrt",    "rsqrt", "exp",
                                        "log",      "tanh",    "erf",   "sin",
                                        "power",    "maximum", "gather"};
  return names;
}

//===--- Known devices ----------------------------------------------------===//

namespace {
struct DeviceFile {
  StringRef name, json;
};
// {"h100", R"json(...)json"}, for each file of devices/.
constexpr DeviceFile deviceFiles[] = {
#include "mercator/analysis/device/Devices.inc"
};
} // namespace

llvm::ArrayRef<Device> mercator::knownDevices() {
  // A test parses each file; here an error is a bug.
  static const std::vector<Device> all = [] {
    std::vector<Device> devices;
    for (const DeviceFile &file : deviceFiles)
      devices.push_back(llvm::cantFail(parseDevice(file.json)));
    return devices;
  }();
  return all;
}

static const Device *knownDevice(StringRef name) {
  const auto *found = llvm::find_if(knownDevices(), [&](const Device &device) {
    return device.name == name;
  });
  return found == knownDevices().end() ? nullptr : found;
}

std::vector<std::string> mercator::deviceNames() {
  std::vector<std::string> names;
  for (const Device &device : knownDevices())
    names.push_back(device.name);
  names.push_back("host");
  return names;
}

llvm::Expected<Device> mercator::findDevice(StringRef name) {
  if (name == "host")
    return hostDevice();
  if (const Device *device = knownDevice(name))
    return *device;
  return llvm::createStringError("expected a device (" +
                                 llvm::join(deviceNames(), ", ") +
                                 ") or a file, got '" + name + "'");
}

llvm::Expected<Device> mercator::readDevice(StringRef text) {
  return text.starts_with("{") ? parseDevice(text) : findDevice(text);
}

const Device *mercator::findDevice(StringRef target, StringRef name) {
  if (target == "ascend" && name == "any")
    return &devices::ascendAny();
  const Device *device = knownDevice(name);
  return device && device->target == target ? device : nullptr;
}

const Device &devices::ascendAny() {
  static const Device any = [] {
    Device device;
    device.name = "any";
    device.title = "any Ascend";
    device.target = "ascend";
    return device;
  }();
  return any;
}

const Device &devices::ascend910b() {
  static const Device &device = *knownDevice("910b");
  return device;
}

const Device &mercator::nearestDevice(StringRef cpu) {
  for (const Device &device : knownDevices())
    if (llvm::is_contained(device.cpus, cpu))
      return device;
#if defined(__aarch64__)
  return *knownDevice("aarch64");
#else
  return *knownDevice("x86-64-v3");
#endif
}

std::string mercator::whyNotOnCore(const Device &device, StringRef op,
                                   StringRef type) {
  auto found =
      llvm::find_if(device.coreOperators,
                    [&](const CoreOperator &row) { return row.name == op; });
  if (found == device.coreOperators.end() ||
      llvm::is_contained(found->types, type))
    return "";
  std::string cores = "the cores of the " + device.title;
  if (found->types.empty())
    return (op + " is not supported by " + cores).str();
  return (op + " of " + type + " is not supported by " + cores +
          " (they support " + llvm::join(found->types, ", ") + ")")
      .str();
}
