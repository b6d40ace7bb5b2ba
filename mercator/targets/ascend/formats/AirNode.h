// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Creates an operation for one node of an `.air` file, checked against the
/// registry: its inputs, attributes, types and shape.
///
///   FailureOr<Operation *> op = buildNode(b, def, {x, ids, axis}, place);

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_AIRNODE_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_AIRNODE_H

#include "mercator/targets/ascend/formats/GeModel.pb.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

namespace mercator::ascend {

/// The place of an error in a file: the file, and possibly a node.
class AirPlace {
public:
  explicit AirPlace(mlir::Location file) : file(file) {}

  [[nodiscard]] AirPlace node(const ge::OpDef &def) const {
    AirPlace out(file);
    out.def = &def;
    return out;
  }
  /// The message begins with the node's name.
  [[nodiscard]] mlir::InFlightDiagnostic error() const;
  /// The name of the node in the file. Requires: the name is UTF-8.
  [[nodiscard]] mlir::Location location() const;

private:
  mlir::Location file;
  const ge::OpDef *def = nullptr;
};

/// The `index` of a Data node.
[[nodiscard]] llvm::FailureOr<int64_t> dataIndex(const ge::OpDef &def,
                                                 const AirPlace &place);

/// Requires: `inputs` has the node's inputs, without control edges. Moves the
/// elements of a constant out of the message. Fails after an error.
[[nodiscard]] llvm::FailureOr<mlir::Operation *>
buildNode(mlir::OpBuilder &b, ge::OpDef &def,
          llvm::ArrayRef<mlir::Value> inputs, const AirPlace &place);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_AIRNODE_H
