// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/DispatchTimes.h"

#include "mercator/targets/cpu/estimate/KernelTime.h"
#include "mercator/targets/cpu/kernels/Pipeline.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mercator;

cpu::DispatchTimes::DispatchTimes(MLIRContext &context, Machine machine)
    : machine(std::move(machine)) {
  loadDialects(context);
}

std::optional<double> cpu::DispatchTimes::of(func::FuncOp function,
                                             double programBytes) {
  std::string key;
  llvm::raw_string_ostream text(key);
  text << programBytes;
  function.print(text, OpPrintingFlags().useLocalScope());
  {
    std::lock_guard lock(mutex);
    if (auto found = known.find(key); found != known.end())
      return found->second;
  }
  // What has no kernel has no time. Whoever compiles the program says why.
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silent(function.getContext(), [&](Diagnostic &) {
    return success(llvm::get_threadid() == thread);
  });
  std::optional<double> time;
  if (succeeded(verify(function)) && succeeded(makeKernel(function, machine)))
    if (auto found = timeOf(
            function, machine.device,
            {.threads = machine.device.cores, .programBytes = programBytes}))
      time = found->total();
  std::lock_guard lock(mutex);
  return known[key] = time;
}
