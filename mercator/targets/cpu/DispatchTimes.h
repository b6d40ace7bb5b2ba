// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What formation asks about machine code: how long a dispatch takes by the schedule
/// that its kernel would have.
///
///   cpu::DispatchTimes times(context, machine);
///   flow::PipelineOptions options = flow::dispatchesFromMaps();
///   options.time = &times;
///
/// A question makes the kernel of the dispatch, up to its loops, and estimates these
/// (estimate/KernelTime.h). Equal dispatches are estimated once.

#ifndef MERCATOR_TARGETS_CPU_DISPATCHTIMES_H
#define MERCATOR_TARGETS_CPU_DISPATCHTIMES_H

#include "mercator/targets/cpu/machine/Machine.h"
#include "mercator/transforms/flow/formation/DispatchTime.h"

#include "llvm/ADT/StringMap.h"

#include <mutex>

namespace mercator::cpu {

class DispatchTimes : public flow::DispatchTime {
public:
  /// Loads what kernels consist of into the context.
  DispatchTimes(mlir::MLIRContext &context, Machine machine);

  [[nodiscard]] std::optional<double> of(mlir::func::FuncOp function,
                                         double programBytes) override;
  /// In all threads that the context has.
  [[nodiscard]] std::vector<std::optional<double>>
  ofAll(llvm::ArrayRef<mlir::func::FuncOp> functions,
        double programBytes) override;

private:
  std::optional<double> find(const std::string &key,
                             mlir::func::FuncOp function, double programBytes);

  Machine machine;
  std::mutex mutex;
  llvm::StringMap<std::optional<double>> known; ///< by the text of the function
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_DISPATCHTIMES_H
