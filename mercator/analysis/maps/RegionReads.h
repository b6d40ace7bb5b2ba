// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a region that its results read, by data flow: an argument
// that the body ignores is not read. Internal.
//
//   ^bb0(%a, %b):  %m = maximum %a, %b;  return %m      reads a and b
//   ^bb0(%a, %b):  return %b                            reads b

#ifndef MERCATOR_ANALYSIS_MAPS_REGIONREADS_H
#define MERCATOR_ANALYSIS_MAPS_REGIONREADS_H

#include "mercator/analysis/maps/Model.h"

#include "mlir/IR/Region.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mercator::maps {

/// The set of arguments that are read; an over-approximation if not exact.
struct BodyReads {
  llvm::SmallBitVector arguments;
  bool exact = true;
};

/// The arguments that result number `result` of the body reads, through any
/// number of operations and branches.
[[nodiscard]] BodyReads bodyReads(mlir::Region &body, unsigned result);

/// The reads of one accumulator of a fold. A fold applies a region repeatedly:
///
///   accumulators = body(accumulators, values of the next step)
///
/// The accumulator may read the initial accumulators and the values. `All`: the
/// values of every step, for any number of steps. `Some`: the values of some
/// steps, or it depends on the number of steps.
struct FoldReads {
  enum class Of : uint8_t { None, Some, All };
  llvm::SmallVector<Of> initial, values;
  /// As `initial`, for a fold that may have no steps and then returns its
  /// initial accumulator.
  llvm::SmallVector<Of> initialOrNone;
  /// The first accumulators and the values that a fold of one step reads.
  llvm::SmallBitVector initialOnce, valuesOnce;
  bool exact = true; ///< false if the reads of the body are not exact
};

/// The order in which the steps are combined.
enum class FoldOrder {
  OneByOne, ///< in sequence, beginning with the initial accumulators
  AnyTree,  ///< by any tree, as in a reduce
};

/// Requires: the body has 2 * count arguments, the accumulators first, and
/// count results. With AnyTree, `None` holds for every tree, and `All` for the
/// sequential fold.
[[nodiscard]] FoldReads foldReads(mlir::Region &body, unsigned count,
                                  unsigned result, FoldOrder order);

/// The reads of a reduction, whose body is its first region. HLO text may name
/// the combiner of several operands without its body, as in `to_apply=max`. The
/// importer then combines the operands pair by pair, which is a guess. So reads
/// across pairs are `Some`, not `None`.
[[nodiscard]] FoldReads reductionReads(mlir::Operation *op, unsigned result);

/// The map of a folded operand, as far as `reads` says that it is read. The
/// reason of a map that is not exact names `operation`.
[[nodiscard]] MapSet foldedMaps(FoldReads::Of reads, Map map, const Query &q,
                                llvm::StringRef operation);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_REGIONREADS_H
