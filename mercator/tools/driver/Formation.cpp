// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Formation.h"

#include "mercator/compiler/program/Device.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/tools/driver/Device.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mercator;
using llvm::StringRef;

std::optional<uint64_t> mercator::scheduleSeedOf(Invocation &invocation) {
  if (!invocation.has("schedule"))
    return 0;
  StringRef text = invocation.get("schedule"), number = text;
  uint64_t seed = 0;
  if (number.consume_front("random:") && !number.getAsInteger(10, seed) &&
      seed != 0)
    return seed;
  (void)invocation.getDiagnostics().error(
      {}, "`--schedule=" + text +
              "`: expected random:SEED, with a seed of at least 1");
  return std::nullopt;
}

std::optional<Formation> mercator::formationOf(Invocation &invocation,
                                               bool runs) {
  Formation formation;
  formation.fusion = llvm::StringSwitch<Fusion>(invocation.get("fusion"))
                         .Case("seed", Fusion::Seed)
                         .Case("aggressive", Fusion::Aggressive)
                         .Default(Fusion::Maps);
  for (const char *option : {"device", "fuse"})
    if (invocation.has(option) && formation.fusion != Fusion::Maps) {
      (void)invocation.getDiagnostics().error(
          {}, llvm::Twine("expected --fusion=maps with --") + option +
                  ", got --fusion=" + invocation.get("fusion"));
      return std::nullopt;
    }
  Device known;
  if (!readDevice(invocation, known))
    return std::nullopt;
  StringRef device = deviceName(invocation);
  if (runs && known.target != "cpu") {
    if (invocation.has("device")) {
      (void)invocation.getDiagnostics().error(
          {}, "expected a CPU after `--device`, got " + quote(device) +
                  (known.target == "gpu" ? ", a GPU" : ", a chip of Ascend"));
      invocation.getDiagnostics().help("--device=host");
      return std::nullopt;
    }
    device = "host";
  }
  llvm::Expected<std::string> loaded = deviceText(device);
  if (!loaded) {
    (void)invocation.getDiagnostics().error({},
                                            llvm::toString(loaded.takeError()));
    return std::nullopt;
  }
  formation.device = std::move(*loaded);
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

void mercator::formForKernels(Invocation &invocation, const Device &device,
                              Formation &formation) {
  if (invocation.has("device"))
    return;
  if (llvm::Expected<std::string> text = deviceText(device.name))
    formation.device = std::move(*text);
  else
    llvm::consumeError(text.takeError());
}
