// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs without tuples, before they are partitioned. Internal.
//
//   %t = tuple %a, %b ; %0 = get_tuple_element %t[1]      %0 is %b
//   return %t                                             return %a, %b

#ifndef MERCATOR_TRANSFORMS_SPMD_TUPLES_H
#define MERCATOR_TRANSFORMS_SPMD_TUPLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::spmd {

/// Takes members from where tuples are made, and returns them one by one, with the
/// shardings that a tuple has for its members. Tuples that are made elsewhere stay.
/// HLO's copies and names of members become their operands. Requires: a body of one
/// block.
void removeTuples(mlir::func::FuncOp function);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_TUPLES_H
