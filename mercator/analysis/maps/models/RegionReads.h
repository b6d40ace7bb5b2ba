// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments of a region its results read: by data flow, so that what the
// body ignores is not read. Internal.
//
//   ^bb0(%a, %b):  %m = maximum %a, %b;  return %m      reads a and b
//   ^bb0(%a, %b):  return %b                            reads b

#ifndef MERCATOR_ANALYSIS_MAPS_MODELS_REGIONREADS_H
#define MERCATOR_ANALYSIS_MAPS_MODELS_REGIONREADS_H

#include "mercator/analysis/maps/models/Model.h"

#include "mlir/IR/Region.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mercator::maps {

/// A set of arguments, which is what is read, or contains it.
struct BodyReads {
  llvm::SmallBitVector arguments;
  bool exact = true;
};

/// What result number `result` of the body reads, through any number of
/// operations, and through the branches that it comes from.
[[nodiscard]] BodyReads bodyReads(mlir::Region &body, unsigned result);

/// Of a fold, that is a region that is applied again and again,
///
///   accumulators = body(accumulators, values of the next step)
///
/// how far one accumulator reads the first accumulators and the values. `All`:
/// of every step, however many there are. `Some`: of some steps, or it depends
/// on how many there are.
struct FoldReads {
  enum class Of : uint8_t { None, Some, All };
  llvm::SmallVector<Of> initial, values;
  /// As `initial`, of a fold that may also have no steps: what it leaves is its
  /// own accumulator.
  llvm::SmallVector<Of> initialOrNone;
  /// The first accumulators and the values that a fold of one step reads.
  llvm::SmallBitVector initialOnce, valuesOnce;
  bool exact = true; ///< what is known of the body
};

/// How the steps are put together.
enum class FoldOrder {
  OneByOne, ///< from the first accumulators on
  AnyTree,  ///< parts are folded on their own, then together, as in a reduce
};

/// Requires: the body has 2 * count arguments, the accumulators first, and
/// count results. With AnyTree, `None` holds of every tree, and `All` of the
/// fold one by one.
[[nodiscard]] FoldReads foldReads(mlir::Region &body, unsigned count,
                                  unsigned result, FoldOrder order);

/// Of a reduction; the body is its first region. A combiner of several operands
/// that HLO text names and does not write, as `to_apply=max`, is imported as
/// combining them pair by pair. That is one reading of the name, so that what
/// goes across is not said to be left out: it is `Some`.
[[nodiscard]] FoldReads reductionReads(mlir::Operation *op, unsigned result);

/// The map of a folded operand, as far as `reads` says that it is read. The
/// reason of a map that is not exact names `operation`.
[[nodiscard]] MapSet foldedMaps(FoldReads::Of reads, Map map, const Query &q,
                                llvm::StringRef operation);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_REGIONREADS_H
