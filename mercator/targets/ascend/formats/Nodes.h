// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The nodes of a graph with unique names, as every file format requires.
///
/// ```cpp (GraphOp graph)
/// llvm::FailureOr<Nodes> nodes = Nodes::of(graph);
/// if (succeeded(nodes))
///   for (mlir::Operation *op : nodes->operations())
///     llvm::outs() << nodes->name(op) << '\n'; // "GatherV2_0"
/// ```
///
/// A node has the name of its location, as the reader of a file sets it; else
/// its type and a number. A Data node has its `name`, else `input0`. A name
/// that is already taken gets a number.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_NODES_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_NODES_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace mercator::ascend {

class Nodes {
public:
  /// Fails after an error at a node whose name is not UTF-8.
  [[nodiscard]] static llvm::FailureOr<Nodes> of(GraphOp graph);

  /// In the order of the graph: the NetOutput last.
  [[nodiscard]] llvm::ArrayRef<mlir::Operation *> operations() const {
    return ops;
  }
  [[nodiscard]] llvm::StringRef name(mlir::Operation *op) const {
    return names.find(op)->second;
  }
  /// The name of the node that defines the value.
  [[nodiscard]] llvm::StringRef name(mlir::Value value) const {
    return name(value.getDefiningOp());
  }

private:
  std::vector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, std::string> names;
};

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_NODES_H
