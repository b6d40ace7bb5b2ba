// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing maps of operations: the only bridge from MLIR to the algebra.
//
//   %0 = stablehlo.transpose %p, dims = [1, 0]
//       : (tensor<10x20xf32>) -> tensor<20x10xf32>
//
// ```cpp (mlir::Operation *transpose, Arena &arena)
// MapSet maps = mapsOf(transpose, arena, Direction::OutToIn, /*operand=*/0,
//                      /*result=*/0);
// // { (d0, d1) -> (d1, d0), domain: d0 in [0, 19], d1 in [0, 9] }
// ```
//
// Operations answer through MapInterface (MapInterface.td).
// `registerMapInterfaces` attaches it to all operations of the stablehlo and
// hlo dialects, to func.call, and to the operations on tensors of linalg,
// tensor, arith and math. For any other operation mapsOf gives every element of
// the operand, and the reason that the operation is unknown.
//
// Sizes. The indices of a dynamic dimension are [0, bound - 1] if its type has
// a bound, else [0, inf]. Maps of dynamic shapes are exact if they do not
// depend on the size (elementwise, transpose), else they read the whole tensor.
// A value that is not a tensor (a token, a buffer) has one element, `()`. So
// has a tuple: only FusionMaps.h tells its members apart.
//
// Runtime variables (an offset that is read when the program runs) carry the
// value and the element they are read from: internSource gives a value its
// number, and Arena::name its name.
//
// Devices. The maps of collectives have the device as their last dimension and
// their last result (MapSet.h), numbered replica * partitions + partition. The
// number of devices is an attribute of the module (mhlo.num_replicas,
// mhlo.num_partitions), or follows from the groups.
//
// Calls, fusions, branches and loops answer through their computations
// (FusionMaps.h). A custom call answers as its attribute `hlo.maps` states
// (models/CustomCalls.h), else with every element.

#ifndef MERCATOR_ANALYSIS_MAPS_MAPINTERFACE_H
#define MERCATOR_ANALYSIS_MAPS_MAPINTERFACE_H

#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/Sources.h"
#include "mercator/indexing/decide/MapSet.h"
#include "mercator/indexing/operations/TensorMaps.h"

#include "mlir/IR/OpDefinition.h"

#include "mercator/analysis/maps/MapInterface.h.inc"

namespace mercator {

/// Attaches MapInterface to the operations of stablehlo, hlo, func, linalg,
/// tensor, arith and math.
void registerMapInterfaces(mlir::DialectRegistry &registry);

/// How an operation is taken to compute its result.
enum class ReadsOf : uint8_t {
  /// It reads the elements that an element of the result depends on.
  Meaning,
  /// A choice among parts of an operand reads all parts and masks them: each row
  /// of a ragged_dot is multiplied with the matrices of all groups.
  MaskedForm
};

/// The maps between one operand and one result of any operation, simplified. A
/// dimension or a runtime variable with one value stays a variable.
/// Requires: both numbers are in range. Ensures: the laws of MapSet.h.
[[nodiscard]] indexing::MapSet mapsOf(mlir::Operation *op,
                                      indexing::Arena &arena,
                                      indexing::Direction direction,
                                      unsigned operand, unsigned result,
                                      ReadsOf reads = ReadsOf::Meaning);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_MAPINTERFACE_H
