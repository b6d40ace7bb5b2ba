// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The operations that GE has no operators for, and the reasons. The rules ask
/// before they begin, and `explain` shows the same reasons.

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_UNSUPPORTED_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_UNSUPPORTED_H

#include "mlir/IR/Operation.h"

#include <string>

namespace mercator::ascend {

/// An operation that stays, and the reason.
struct Unconverted {
  mlir::Operation *op;
  std::string why;
  /// The original operation of the program, if it is another one.
  llvm::StringRef name = {};
};

/// Why no rule can convert the operation; empty if one may.
[[nodiscard]] std::string whyNoConversion(mlir::Operation *op);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_UNSUPPORTED_H
