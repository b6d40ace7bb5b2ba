// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/machine/Machine.h"

#include "mercator/runtime/Abi.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mercator;

cpu::Machine cpu::Machine::host() {
  llvm::SubtargetFeatures features;
  llvm::StringMap<bool> found = llvm::sys::getHostCPUFeatures();
  // Registers that the system does not give are not there.
  bool hasTiles = found.lookup("amx-tile") &&
                  mercator_begin_tiles(/*context=*/nullptr) == mercator_ok;
  for (const auto &[name, isThere] : found)
    features.AddFeature(name,
                        isThere && (hasTiles || !name.starts_with("amx-")));
  return {.cpu = llvm::sys::getHostCPUName().str(),
          .features = features.getString(),
          .device = hostDevice()};
}

std::optional<cpu::Machine> cpu::Machine::named(llvm::StringRef name) {
  if (name == "host")
    return host();
  if (!llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86() ||
      llvm::X86::parseArchX86(name, /*Only64Bit=*/true) == llvm::X86::CK_None)
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 32> known;
  llvm::X86::getFeaturesForCPU(name, known);
  llvm::SubtargetFeatures features;
  for (llvm::StringRef feature : known)
    features.AddFeature(feature);
  return Machine{.cpu = name.str(),
                 .features = features.getString(),
                 .device = nearestDevice(name)};
}

int64_t cpu::Machine::vectorBytes() const {
  llvm::StringRef all = features;
  if (!all.contains("+fma,") && !all.ends_with("+fma"))
    return 0;
  return all.contains("+avx512f") ? 64 : 32;
}

double cpu::Machine::matrixRate(llvm::StringRef type) const {
  constexpr double kEmulated = 1e9; // it always pays
  if (emulatesMatrices)
    return kEmulated;
  llvm::StringRef all = features;
  llvm::StringRef needed = type == "bf16" ? "+amx-bf16"
                           : type == "i8" ? "+amx-int8"
                                          : "";
  if (needed.empty() || !all.contains("+amx-tile") || !all.contains(needed))
    return 0;
  return device.multiplyAddRate(type, Device::Unit::Matrix);
}

int64_t cpu::Machine::firstCacheBytes() const {
  constexpr int64_t kUsual = 32 << 10;
  return device.caches.empty() ? kUsual : device.caches.front().bytes;
}

int64_t cpu::Machine::ownCacheBytes() const {
  constexpr int64_t kUsual = 1 << 20;
  // The last cache is shared, the one before it is a core's own.
  size_t count = device.caches.size();
  return count == 0 ? kUsual : device.caches[count < 2 ? 0 : count - 2].bytes;
}

int64_t cpu::Machine::lastCacheBytes() const {
  constexpr int64_t kUsual = 32 << 20;
  return device.caches.empty() ? kUsual : device.caches.back().bytes;
}
