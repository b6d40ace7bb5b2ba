// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/DispatchTimes.h"

#include "mercator/targets/cpu/estimate/KernelTime.h"
#include "mercator/targets/cpu/kernels/Pipeline.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mercator;

cpu::DispatchTimes::DispatchTimes(MLIRContext &context, Machine machine)
    : machine(std::move(machine)) {
  loadDialects(context);
}

/// Equal dispatches have equal keys.
static std::string keyOf(func::FuncOp function, double programBytes) {
  std::string key;
  llvm::raw_string_ostream text(key);
  text << programBytes;
  function.print(text, OpPrintingFlags().useLocalScope());
  return key;
}

std::optional<double> cpu::DispatchTimes::find(const std::string &key,
                                               func::FuncOp function,
                                               double programBytes) {
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
    if (auto found = timeOfOwn(
            function, machine.device,
            {.threads = machine.device.cores, .programBytes = programBytes}))
      time = found->total();
  std::lock_guard lock(mutex);
  return known[key] = time;
}

std::optional<double> cpu::DispatchTimes::of(func::FuncOp function,
                                             double programBytes) {
  return find(keyOf(function, programBytes), function, programBytes);
}

std::vector<std::optional<double>>
cpu::DispatchTimes::ofAll(ArrayRef<func::FuncOp> functions,
                          double programBytes) {
  if (functions.empty())
    return {};
  MLIRContext *context = functions.front()->getContext();
  std::vector<std::string> keys(functions.size());
  parallelFor(context, 0, keys.size(),
              [&](size_t i) { keys[i] = keyOf(functions[i], programBytes); });
  llvm::StringSet<> seen;
  SmallVector<size_t> first; ///< of equal ones
  for (auto [i, key] : llvm::enumerate(keys))
    if (seen.insert(key).second)
      first.push_back(i);
  parallelForEach(context, first, [&](size_t i) {
    (void)find(keys[i], functions[i], programBytes);
  });
  std::vector<std::optional<double>> times;
  std::lock_guard lock(mutex);
  for (const std::string &key : keys)
    times.push_back(known.find(key)->second);
  return times;
}
