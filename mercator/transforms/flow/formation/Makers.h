// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which operation of the text computes a value. Fusion makes one linalg operation
/// of several, with the location of the last; those in its body keep their own.
///
///   %1:2 = linalg.generic ... {
///     %p = arith.maximumf ...      loc "%3"     %1#0 is %3 of the text
///     %q = arith.addf ...          loc "%4"     %1#1 is %4 of the text
///     linalg.yield %p, %q
///   } loc "%4"

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_MAKERS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_MAKERS_H

#include "mlir/IR/Value.h"

namespace mercator::flow {

/// The location of the operation that computes the elements of `value`: the one in
/// the body of a linalg operation of several results, if that has a name; else that
/// of the value. Of one result, the location of the last operation is the right one.
[[nodiscard]] mlir::Location makerLocation(mlir::Value value);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAKERS_H
