// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How long a target takes for a dispatch, by the schedule that it would carry out.
///
/// Formation knows bytes, operations and cells (maps/Traffic.h), and no schedules.
/// A target that knows more gives formation a DispatchTime, and formation asks it
/// about what it is going to form:
///
///   class Twice : public flow::DispatchTime {
///     std::optional<double> of(mlir::func::FuncOp function, double) override {
///       return 2000.0 * std::distance(function.getBody().front().begin(), ..);
///     }
///   };
///   Twice time;
///   flow::PipelineOptions options = flow::dispatchesFromMaps();
///   options.time = &time;
///
/// targets/cpu/DispatchTimes.h is one for machine code.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHTIME_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHTIME_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <vector>

namespace mercator::flow {

class DispatchTime {
public:
  virtual ~DispatchTime() = default;

  /// Nanoseconds; none if they are not known. The function is one that outlining
  /// would make, alone in a module, and may be changed:
  ///
  ///   func.func @dispatch(%a: !flow.dispatch.tensor<readonly:tensor<4xf32>>,
  ///                       %r: !flow.dispatch.tensor<writeonly:tensor<4xf32>>)
  ///
  /// `programBytes` is what the program touches. Functions with equal texts take
  /// equally long. Called by several threads at once.
  [[nodiscard]] virtual std::optional<double> of(mlir::func::FuncOp function,
                                                 double programBytes) = 0;

  /// Of several functions.
  [[nodiscard]] virtual std::vector<std::optional<double>>
  ofAll(llvm::ArrayRef<mlir::func::FuncOp> functions, double programBytes) {
    std::vector<std::optional<double>> times;
    for (mlir::func::FuncOp function : functions)
      times.push_back(of(function, programBytes));
    return times;
  }
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHTIME_H
