// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The nodes of a graph, each with a name that no other has: what every file
/// format asks for.
///
///   FailureOr<Nodes> nodes = Nodes::of(graph);
///   for (Operation *op : nodes->operations())
///     nodes->name(op)                    // "GatherV2_0"
///
/// A node is called what its location says, as a file's reader leaves it there;
/// else by its type and a number; a Data node by its `name`, else `input0`. A
/// name that is taken gets a number.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_NODES_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_NODES_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace mercator::ascend {

class Nodes {
public:
  /// Fails after an error at the node whose name is no UTF-8.
  [[nodiscard]] static llvm::FailureOr<Nodes> of(GraphOp graph);

  /// In the order of the graph: the NetOutput last.
  [[nodiscard]] llvm::ArrayRef<mlir::Operation *> operations() const {
    return ops;
  }
  [[nodiscard]] llvm::StringRef name(mlir::Operation *op) const {
    return names.find(op)->second;
  }
  /// The name of the node that makes the value.
  [[nodiscard]] llvm::StringRef name(mlir::Value value) const {
    return name(value.getDefiningOp());
  }

private:
  std::vector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, std::string> names;
};

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_NODES_H
