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
// number, and sourceName its name.
//
// Devices. The maps of collectives have the device as their last dimension and
// their last result (MapSet.h), numbered replica * partitions + partition; the
// module says how many there are (mhlo.num_replicas, mhlo.num_partitions), or
// the groups do.
//
// Calls, fusions, branches and loops answer through what they contain
// (FusionMaps.h); a custom call as `hlo.maps` states (maps/CustomCalls.h), else
// with every element.

#ifndef MERCATOR_DIALECTS_MAPINTERFACE_H
#define MERCATOR_DIALECTS_MAPINTERFACE_H

#include "mercator/indexing/MapSet.h"
#include "mercator/indexing/TensorMaps.h"

#include "mlir/IR/OpDefinition.h"

#include "mercator/dialects/MapInterface.h.inc"

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

/// The number of elements along each dimension of a value of this type, as far
/// as known: a dynamic dimension has its bound, or the largest int64.
[[nodiscard]] llvm::SmallVector<int64_t> sizesOf(mlir::Type type);

/// "computation/instruction" for a value: the name of the function or of the
/// computation that a fusion calls, and the name the instruction has in its
/// location, or its line and column, or its number in its block.
/// Two values of a function may have one name: after inlining or cloning they
/// have one location. So a name is for printing; internSource tells them apart.
struct SourceName {
  std::string name;
  int32_t element = -1; ///< which result, where the operation has several
};
[[nodiscard]] SourceName sourceName(mlir::Value value);

/// A value as the source of a runtime variable, in one arena.
/// Ensures: different for different values, also where they have one name; the
/// second of them is then called `name#1` (Arena::internSource).
struct Source {
  uint32_t id;          ///< RuntimeVariable::source
  int32_t element = -1; ///< RuntimeVariable::element
};
[[nodiscard]] Source internSource(indexing::Arena &arena, mlir::Value value);

/// Which modules an operation is in, outermost first: "inner/" in
/// `module { module @inner { .. } }`, where the outermost one is not named. A
/// module without a name is "module#1", by its place.
[[nodiscard]] std::string modulePath(mlir::Operation *op);

/// Its two halves: the name of the computation that a region is, and what an
/// operation is called within its block.
[[nodiscard]] std::string computationName(mlir::Region *region);
[[nodiscard]] std::string instructionName(mlir::Operation *op);
/// What follows the name of the computation in the name of one of its values.
[[nodiscard]] llvm::StringRef nameWithin(llvm::StringRef source,
                                         mlir::Region *region);
/// What the text calls one result of an operation that it calls "%a,%b" (see
/// mercator/frontends/stablehlo/Names.h). Empty if it has no name of its own.
[[nodiscard]] llvm::StringRef resultName(llvm::StringRef instruction,
                                         unsigned result);
/// The name that a location carries: of the first NameLoc in it, or none.
[[nodiscard]] llvm::StringRef nameIn(mlir::Location location);

} // namespace mercator

#endif // MERCATOR_DIALECTS_MAPINTERFACE_H
