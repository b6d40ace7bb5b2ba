// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What nodes of a graph move, and which of them the cores do not execute.
///
/// ```cpp (llvm::ArrayRef<mlir::Operation *> nodes)
/// NodeCost cost = costOf(nodes);
/// int64_t moved = cost.bytes;                  // read and written
/// int64_t inPlace = cost.bytes - cost.copied;  // without copies of operands
/// ```
///
/// The model is that of the plans of gathers (gather/Cost.h). A Const and a Reshape move nothing. Constants that are scalars or
/// vectors of at most eight elements are parameters of a node, which are not
/// counted. A gather and a slice read as much of their operand as they write. A
/// scatter reads indices and updates, and writes the rows; ScatterNdUpdate and
/// ScatterNdAdd do so in place, and the other scatters copy their operand.

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_NODECOST_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_NODECOST_H

#include "mercator/analysis/device/Device.h"
#include "mercator/targets/ascend/operators/Cost.h"

#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace mercator::ascend {

struct NodeCost : Cost {
  /// The part of `bytes` that TensorMove copies. GE may elide these copies if
  /// nothing else reads the operands.
  int64_t copied = 0;
};

/// Bytes that a node reads and writes. Saturates.
[[nodiscard]] int64_t bytesMovedBy(mlir::Operation *node);

/// The sum over the nodes. `movesOperand` stays false. Saturates.
[[nodiscard]] NodeCost costOf(llvm::ArrayRef<mlir::Operation *> nodes);

/// Whether the operation is a node that a processor executes: neither an input
/// nor an output of the graph, nor a constant, nor a reshape.
[[nodiscard]] bool isExecuted(mlir::Operation *op);

/// Nodes that the cores do not execute for the same reason.
struct BesideCores {
  std::string why;
  mlir::Location loc; ///< of the first one
  int64_t nodes = 0;
  int64_t bytes = 0; ///< that they read and write
};

/// Sorts the nodes that the cores of the device lack by the reason. A node with
/// two reasons counts for the first one. Empty if nothing is known of the device.
[[nodiscard]] std::vector<BesideCores>
besideCores(llvm::ArrayRef<mlir::Operation *> nodes, const Device &device);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_NODECOST_H
