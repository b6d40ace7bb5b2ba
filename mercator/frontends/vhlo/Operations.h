// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The operations of VHLO, as one table.
///
/// VHLO is the versioned copy of StableHLO that portable artifacts are written
/// in. Each operation has a version in its name: `vhlo.gather_v1` until StableHLO
/// 1.0, `vhlo.gather_v2` since 1.1. A new version adds or removes attributes; what
/// it lacks has its default in StableHLO. So the table needs one row for an
/// operation, not one for a version:
///
///   operation   newest version   attributes
///   gather      2                .. operand_batching_dims@2 slice_sizes ..
///
/// `@2` marks an attribute that exists from version 2 on, `@1` one that only
/// version 1 has. The attributes are in the order of their names, which is the
/// order in which MLIR's bytecode stores them.

#ifndef MERCATOR_FRONTENDS_VHLO_OPERATIONS_H
#define MERCATOR_FRONTENDS_VHLO_OPERATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mercator::vhlo {

struct OperationRow {
  llvm::StringLiteral name; ///< without the version: `gather`
  unsigned newest;          ///< the newest version
  llvm::StringLiteral attributes;
};

/// All operations, in the order of their names.
[[nodiscard]] llvm::ArrayRef<OperationRow> operations();

/// Calls `f` with the names of the attributes of a version, in the order of
/// bytecode.
void forEachAttribute(const OperationRow &operation, unsigned version,
                      llvm::function_ref<void(llvm::StringRef)> f);

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_OPERATIONS_H
