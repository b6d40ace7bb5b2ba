// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Compile.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mercator;

static void loadDialects(MLIRContext *context) {
  DialectRegistry registry;
  cpu::registerDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadAllAvailableDialects();
}

FailureOr<std::vector<cpu::KernelSchedule>>
cpu::schedulesOf(ModuleOp module, StringRef function, const Machine &machine) {
  loadDialects(module.getContext());
  FailureOr<HostProgram> host = lowerHost(module, function, machine);
  if (failed(host))
    return failure();
  return std::move(host->kernels);
}

FailureOr<cpu::Code> cpu::compile(ModuleOp module, StringRef function,
                                  const Machine &machine, Emit form,
                                  ElementsFn elements, Phases *phases) {
  Phases unused;
  Phases &own = phases ? *phases : unused;
  own.begin("dispatches");
  loadDialects(module.getContext());
  FailureOr<HostProgram> host = lowerHost(module, function, machine);
  if (failed(host))
    return failure();
  own.begin("code");
  if (failed(lowerToLlvm(module, machine)))
    return failure();
  own.begin("LLVM");
  ConstantBytes constants;
  for (const Constant &constant : host->constants)
    if (elements) {
      FailureOr<std::string> bytes = elements(constant.elements);
      if (failed(bytes))
        return failure();
      constants[constant.symbol] = std::move(*bytes);
    }
  llvm::Expected<std::vector<std::string>> texts =
      emitCode(module, machine, form, constants);
  if (!texts)
    return emitError(module.getLoc()) << llvm::toString(texts.takeError());
  own.end();
  return Code{std::move(*texts), std::move(*host)};
}
