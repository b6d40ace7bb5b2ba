// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The current names that IREE uses for `flow.dispatch.tensor.load` and others.
///
///   !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
///   iree_tensor_ext.dispatch.tensor.load, .store
///   iree_tensor_ext.dispatch.workgroup_count_from_dag_root, .._from_slice
///   iree_tensor_ext.dispatch.workload.ordinal
///   iree_tensor_ext.compute_barrier.start, .end
///
/// The dialect has no types and no operations. Text in its name is read as the
/// `flow` equivalent and printed as `flow`; a barrier as a tensor.cast to the
/// same type.

#ifndef MERCATOR_DIALECTS_FLOW_TENSOREXT_H
#define MERCATOR_DIALECTS_FLOW_TENSOREXT_H

#include "mlir/IR/Dialect.h"

namespace mercator::flow {

class TensorExtDialect : public mlir::Dialect {
public:
  explicit TensorExtDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return llvm::StringLiteral("iree_tensor_ext");
  }
  mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
  std::optional<ParseOpHook>
  getParseOperationHook(llvm::StringRef name) const override;
};

} // namespace mercator::flow

MLIR_DECLARE_EXPLICIT_TYPE_ID(mercator::flow::TensorExtDialect)

#endif // MERCATOR_DIALECTS_FLOW_TENSOREXT_H
