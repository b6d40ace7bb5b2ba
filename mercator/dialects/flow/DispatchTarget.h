// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The code that a flow.dispatch runs.
///
///   flow.executable private @f {
///     flow.executable.export public @main        targetOf(%1's dispatch) is this
///     builtin.module { func.func @main(..) }     export and this function
///   }
///   %1 = flow.dispatch @f::@main(%0)

#ifndef MERCATOR_DIALECTS_FLOW_DISPATCHTARGET_H
#define MERCATOR_DIALECTS_FLOW_DISPATCHTARGET_H

#include "mercator/dialects/flow/Flow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::flow {

struct DispatchTarget {
  ExecutableExportOp exported = {}; ///< null if there is none of that name
  mlir::func::FuncOp function = {}; ///< null if the program does not have it
};

/// `from` is the dispatch, or an operation that sees the same symbols.
[[nodiscard]] DispatchTarget targetOf(DispatchOp dispatch,
                                      mlir::Operation *from);
[[nodiscard]] inline DispatchTarget targetOf(DispatchOp dispatch) {
  return targetOf(dispatch, dispatch);
}

} // namespace mercator::flow

#endif // MERCATOR_DIALECTS_FLOW_DISPATCHTARGET_H
