// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A region on scalars, traced by data flow: the arguments, and the values from
/// outside, that its results depend on.
///
///   ^bb0(%a, %b): %m = maximum %a, %b; return %m     mentions a and b
///   ^bb0(%a, %b): return %b                          mentions b
///
/// A region whose data flow does not depend on values (no branches, loops or
/// calls) is traced once, any other region each time with its values.

#ifndef MERCATOR_REFERENCE_PROVENANCE_BODY_H
#define MERCATOR_REFERENCE_PROVENANCE_BODY_H

#include "mercator/reference/provenance/Provenance.h"

namespace mercator::reference {

/// A scalar and its origin.
struct Cell {
  Scalar value;
  ProvenanceSets::Id set = ProvenanceSets::kNone;
};

class ProvenanceBody {
public:
  /// With `needsValues`, results have their values; otherwise only if the
  /// region is traced each time.
  ProvenanceBody(mlir::Region &region, Provenance &provenance,
                 bool needsValues = false);

  /// Requires: a cell for each argument, and room for one for each result.
  llvm::LogicalResult operator()(llvm::ArrayRef<Cell> arguments,
                                 llvm::MutableArrayRef<Cell> results);

private:
  bool isFlat() const;
  llvm::LogicalResult followOnce();
  llvm::FailureOr<Traced> tracedScalar(mlir::Type type, const Cell &cell);

  mlir::Region &region;
  Provenance &provenance;
  bool isFollowed = false, hasFailed = false;
  /// For each result: the arguments it depends on, and the united origins of
  /// the values from outside.
  std::vector<llvm::SmallVector<unsigned>> mentioned;
  std::vector<ProvenanceSets::Id> fromOutside;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_PROVENANCE_BODY_H
