// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Descriptions of dispatches, of kernels, and of the tensors they read and write. Internal.

#ifndef MERCATOR_COMPILER_EXPLAIN_DISPATCHES_H
#define MERCATOR_COMPILER_EXPLAIN_DISPATCHES_H

#include "mercator/compiler/explain/Explanation.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator {

/// The name, the type and the size of a value.
[[nodiscard]] Explanation::Tensor describe(mlir::Value value);

/// Descriptions of dispatches, made while their bodies are still in the
/// functions, for the calls that remain after executables have been outlined.
///
///   DispatchDescriptions descriptions(module);  // flow.dispatch.workgroups
///   ...                                         // outlining, clean-up
///   descriptions.collect(module, explanation);  // flow.dispatch
class DispatchDescriptions {
public:
  /// Writes the number of each dispatch into its location.
  explicit DispatchDescriptions(mlir::ModuleOp module);
  void collect(mlir::ModuleOp module, Explanation &explanation) const;

private:
  const Explanation::Dispatch *find(mlir::Location loc) const;

  std::vector<Explanation::Dispatch> descriptions;
};

/// Descriptions of the kernels of compiled HLO, in program order. Empty if the
/// program has no fusions.
[[nodiscard]] std::vector<Explanation::Dispatch>
describeKernels(mlir::ModuleOp module);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_DISPATCHES_H
