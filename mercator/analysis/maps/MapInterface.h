// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing maps of operations: the one bridge from MLIR to the algebra.
//
//   %0 = stablehlo.transpose %p, dims = [1, 0]
//       : (tensor<10x20xf32>) -> tensor<20x10xf32>
//
//   mapsOf(transpose, arena, OutToIn, /*operand=*/0, /*result=*/0)
//     { (d0, d1) -> (d1, d0), domain: d0 in [0, 19], d1 in [0, 9] }
//
// Operations answer through MapInterface (MapInterface.td), which
// `registerMapInterfaces` attaches to all operations of the stablehlo and hlo
// dialects, to func.call, and to what linalg, tensor, arith and math have on
// tensors. mapsOf also answers for any other operation: every element of the
// operand, with the reason that nothing is known of it.
//
// Sizes. The elements of a dynamic dimension are [0, bound - 1] where its type
// has a bound, else [0, inf]. Maps of dynamic shapes are exact where they do
// not depend on the size (elementwise, transpose), else whole reads. A value
// that is no tensor (a token, a buffer) has one element, `()`; so has a tuple,
// whose members only FusionMaps.h tells apart.
//
// Runtime variables (an offset that is read when the program runs) carry the
// value and the element they are read from: internSource gives a value its
// number, and Arena::name its name.
//
// Devices. The maps of collectives have the device as their last dimension and
// their last result (MapSet.h), numbered replica * partitions + partition; the
// module says how many there are (mhlo.num_replicas, mhlo.num_partitions), or
// the groups do.
//
// Calls, fusions, branches and loops answer through what they contain
// (FusionMaps.h); a custom call as `hlo.maps` states (maps/CustomCalls.h), else
// with every element.

#ifndef MERCATOR_ANALYSIS_MAPS_MAPINTERFACE_H
#define MERCATOR_ANALYSIS_MAPS_MAPINTERFACE_H

#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/Sources.h"
#include "mercator/indexing/map/MapSet.h"
#include "mercator/indexing/operations/TensorMaps.h"

#include "mlir/IR/OpDefinition.h"

#include "mercator/analysis/maps/MapInterface.h.inc"

namespace mercator {

/// Attaches MapInterface to the operations of stablehlo, hlo, func, linalg,
/// tensor, arith and math.
void registerMapInterfaces(mlir::DialectRegistry &registry);

/// The maps between one operand and one result of any operation. Sound; see the
/// laws of MapSet.h. Requires: both numbers are in range.
[[nodiscard]] indexing::MapSet mapsOf(mlir::Operation *op,
                                      indexing::Arena &arena,
                                      indexing::Direction direction,
                                      unsigned operand, unsigned result);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_MAPINTERFACE_H
