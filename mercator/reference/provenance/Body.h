// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A region on scalars, followed by data flow: what its results mention of its
/// arguments, and of values from outside.
///
///   ^bb0(%a, %b): %m = maximum %a, %b; return %m     mentions a and b
///   ^bb0(%a, %b): return %b                          mentions b
///
/// A region in which nothing depends on values (no branches, no loops, no
/// calls) is followed once, any other each time, with its values.

#ifndef MERCATOR_REFERENCE_PROVENANCE_BODY_H
#define MERCATOR_REFERENCE_PROVENANCE_BODY_H

#include "mercator/reference/provenance/Provenance.h"

namespace mercator::reference {

/// A scalar, and where it comes from.
struct Cell {
  Scalar value;
  ProvenanceSets::Id set = ProvenanceSets::kNone;
};

class ProvenanceBody {
public:
  /// With `needsValues`, results have their values; otherwise only where the
  /// region is followed each time.
  ProvenanceBody(mlir::Region &region, Provenance &provenance,
                 bool needsValues = false);

  /// Requires: a cell for each argument, room for one a result.
  llvm::LogicalResult operator()(llvm::ArrayRef<Cell> arguments,
                                 llvm::MutableArrayRef<Cell> results);

private:
  bool isFlat() const;
  llvm::LogicalResult followOnce();
  llvm::FailureOr<Traced> tracedScalar(mlir::Type type, const Cell &cell);

  mlir::Region &region;
  Provenance &provenance;
  bool isFollowed = false, hasFailed = false;
  /// Of each result: the arguments it mentions, and the sets of the values from
  /// outside, united.
  std::vector<llvm::SmallVector<unsigned>> mentioned;
  std::vector<ProvenanceSets::Id> fromOutside;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_PROVENANCE_BODY_H
