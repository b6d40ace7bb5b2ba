// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Names of operations of chlo for diagnostics about what they become.
///
/// GE has operators for some operations of chlo. The others are rewritten in
/// StableHLO and converted then. If that fails, the diagnostic names the
/// operation that the program has, found by its location.

#ifndef MERCATOR_TARGETS_ASCEND_RULES_CHLONAMES_H
#define MERCATOR_TARGETS_ASCEND_RULES_CHLONAMES_H

#include "mercator/targets/ascend/operators/Unsupported.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace mercator::ascend {

class ChloNames {
public:
  /// Collects the operations of chlo in the functions of the module. Those in the
  /// regions of other operations of StableHLO belong to these.
  explicit ChloNames(mlir::ModuleOp module);

  [[nodiscard]] bool empty() const { return names.empty(); }
  /// Makes the reasons about operations that replaced one of chlo name the
  /// latter.
  void restore(std::vector<Unconverted> &left) const;

private:
  llvm::DenseMap<mlir::Location, llvm::StringRef> names;
};

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_RULES_CHLONAMES_H
