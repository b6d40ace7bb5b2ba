// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Compile.h"
#include "mercator/targets/cpu/estimate/KernelTime.h"
#include "mercator/targets/cpu/kernels/Schedules.h"
#include "mercator/targets/cpu/llvm/Lower.h"
#include "mercator/targets/cpu/machine/Buffers.h"
#include "mercator/transforms/Threads.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;
using namespace mercator;

double cpu::bytesOf(ModuleOp module, StringRef function) {
  double bytes = 0;
  auto add = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      bytes += double(tensor.getNumElements()) *
               double(cpu::elementBytes(tensor.getElementType()));
  };
  auto source = module.lookupSymbol<func::FuncOp>(function);
  if (!source)
    return 0;
  llvm::for_each(source.getArgumentTypes(), add);
  llvm::for_each(source.getResultTypes(), add);
  return bytes;
}

namespace {
/// The times of the kernels of a module, by their names.
class KernelTimes {
public:
  KernelTimes(ModuleOp module, const cpu::Machine &machine, double programBytes)
      : module(module), machine(machine),
        options{.threads = machine.device.cores, .programBytes = programBytes} {
  }

  /// Of what has a kernel or a call.
  template <typename Dispatch>
  std::optional<cpu::Time> of(const Dispatch &dispatch,
                              std::vector<cpu::NestNode> *nest = nullptr) {
    if (dispatch.call)
      return cpu::timeOf(*dispatch.call, machine.device, options);
    // Equal kernels with operands that are about as far away are estimated once.
    std::string key = dispatch.kernel;
    for (double distance : dispatch.distances)
      key += "," + std::to_string(int(4 * std::log2(1 + distance)));
    auto [found, isNew] = known.try_emplace(key);
    if (isNew)
      if (auto function = module.lookupSymbol<func::FuncOp>(dispatch.kernel)) {
        options.distances = dispatch.distances;
        found->second = cpu::timeOf(function, machine.device, options, nest);
      }
    return found->second;
  }

private:
  ModuleOp module;
  const cpu::Machine &machine;
  cpu::TimeOptions options;
  llvm::StringMap<std::optional<cpu::Time>> known;
};
} // namespace

FailureOr<std::vector<cpu::KernelSchedule>>
cpu::schedulesOf(ModuleOp module, StringRef function, const Machine &machine) {
  loadDialects(*module.getContext());
  double bytes = bytesOf(module, function);
  FailureOr<HostProgram> host = lowerHost(module, function, machine);
  if (failed(host))
    return failure();
  KernelTimes times(module, machine, bytes + double(host->arenaBytes));
  for (KernelSchedule &kernel : host->kernels)
    kernel.predicted = times.of(kernel, &kernel.nest);
  return std::move(host->kernels);
}

FailureOr<cpu::Code> cpu::compile(ModuleOp module, StringRef function,
                                  const Machine &machine, Emit form,
                                  ElementsFn elements, Phases *phases) {
  Phases unused;
  Phases &own = phases ? *phases : unused;
  own.begin("dispatches");
  loadDialects(*module.getContext());
  Threads threads(module.getContext());
  auto textOfModule = [&](HostProgram host) {
    std::string text;
    llvm::raw_string_ostream(text) << module << "\n";
    return Code{{std::move(text)}, std::move(host)};
  };
  if (form == Emit::Schedules) {
    if (failed(writeSchedules(module, machine)))
      return failure();
    return textOfModule({});
  }
  double bytes = bytesOf(module, function);
  FailureOr<HostProgram> host = lowerHost(module, function, machine);
  if (failed(host))
    return failure();
  KernelTimes times(module, machine, bytes + double(host->arenaBytes));
  for (TracedDispatch &dispatch : host->dispatches)
    dispatch.predicted = times.of(dispatch);
  if (form == Emit::Kernels)
    return textOfModule(std::move(*host));
  own.begin("code");
  if (failed(lowerToLlvm(module, machine)))
    return failure();
  if (form == Emit::LlvmDialect)
    return textOfModule(std::move(*host));
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
