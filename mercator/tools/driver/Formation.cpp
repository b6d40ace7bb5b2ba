// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How the commands that form dispatches are told to.

#include "mercator/compiler/Memory.h"
#include "mercator/compiler/Stage.h"
#include "mercator/tools/driver/Command.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mercator;
using llvm::StringRef;

std::optional<Formation> mercator::formationOf(Invocation &invocation) {
  Formation formation;
  formation.fusion = llvm::StringSwitch<Fusion>(invocation.get("fusion"))
                         .Case("seed", Fusion::seed)
                         .Case("aggressive", Fusion::aggressive)
                         .Default(Fusion::maps);
  for (const char *option : {"device", "fuse"})
    if (invocation.has(option) && formation.fusion != Fusion::maps) {
      (void)invocation.getDiagnostics().error(
          {}, llvm::Twine("expected --fusion=maps with --") + option +
                  ", got --fusion=" + invocation.get("fusion"));
      return std::nullopt;
    }
  if (invocation.has("device")) {
    llvm::Expected<std::string> device = loadDevice(invocation.get("device"));
    if (!device) {
      (void)invocation.getDiagnostics().error(
          {}, llvm::toString(device.takeError()));
      return std::nullopt;
    }
    formation.device = std::move(*device);
  }
  for (StringRef lines : invocation.getAll("fuse")) {
    auto [producer, rest] = lines.split(',');
    auto [consumer, which] = rest.split(':');
    unsigned number;
    if (producer.getAsInteger(10, number) ||
        consumer.getAsInteger(10, number) ||
        (!which.empty() && which.getAsInteger(10, number))) {
      (void)invocation.getDiagnostics().error(
          {}, "expected two lines of the text, as in --fuse=12,20, got " +
                  quote(lines));
      return std::nullopt;
    }
    formation.fuse += (lines + ";").str();
  }
  return formation;
}

bool mercator::isForCpu(Invocation &invocation) {
  if (!invocation.has("device"))
    return true;
  llvm::Expected<MemorySystem> system =
      loadMemorySystem(invocation.get("device"));
  if (!system) {
    llvm::consumeError(system.takeError()); // formationOf reports it
    return true;
  }
  if (system->banks == 0)
    return true;
  (void)invocation.getDiagnostics().error(
      {}, "expected a CPU after `--device`, got " +
              quote(invocation.get("device")) + ", a GPU");
  invocation.getDiagnostics().help("--device=host");
  return false;
}
