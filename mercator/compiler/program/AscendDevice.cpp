// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/AscendDevice.h"
#include "mercator/support/Suggest.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;

const Device *mercator::findAscendDevice(StringRef name,
                                         DiagnosticEngine &diagnostics) {
  if (const Device *device = findDevice("ascend", name))
    return device;
  // As ATC calls the chips: Ascend910B1 to Ascend910B4, Ascend910B2C, ..
  StringRef rest = name;
  if (rest.consume_front_insensitive("ascend910b") && !rest.empty() &&
      rest.front() >= '1' && rest.front() <= '4')
    return &devices::ascend910b();
  (void)diagnostics.error(
      {}, "expected 910b, any, or a chip of the 910B, such as Ascend910B1, "
          "with `--soc`, got " +
              quote(name));
  diagnostics.help(name.starts_with_insensitive("ascend910b") ||
                           name.starts_with_insensitive("910b")
                       ? "did you mean `--soc=910b`?"
                       : "--soc=any asks only which operators GE has");
  return nullptr;
}

std::optional<ascend::PlanOptions>
mercator::findPlanOptions(StringRef soc, StringRef way,
                          DiagnosticEngine &diagnostics) {
  const Device *device = findAscendDevice(soc, diagnostics);
  if (!device)
    return std::nullopt;
  ascend::PlanOptions options{.device = device,
                              .way = gather::findStrategy(way)};
  if (options.way || way.empty())
    return options;
  llvm::SmallVector<StringRef> names;
  for (unsigned i = 0; i < gather::kStrategies; ++i)
    names.push_back(gather::identifier(gather::Strategy(i)));
  (void)diagnostics.error(
      {}, "expected `--way` to be " +
              llvm::join(llvm::ArrayRef(names).drop_back(), ", ") + " or " +
              names.back() + ", got " + quote(way));
  if (auto nearest = suggest(way, names))
    diagnostics.help("did you mean `--way=" + *nearest + "`?");
  return std::nullopt;
}
