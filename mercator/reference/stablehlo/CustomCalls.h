// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rules of known targets of `custom_call @NAME`.
///
///   static LogicalResult evaluateTopK(CustomCallOp op, Step &step);
///   void addTopKCalls(CustomCalls &calls) { calls["TopK"] = evaluateTopK; }

#ifndef MERCATOR_REFERENCE_STABLEHLO_CUSTOMCALLS_H
#define MERCATOR_REFERENCE_STABLEHLO_CUSTOMCALLS_H

#include "mercator/reference/stablehlo/Rules.h"

#include "llvm/ADT/StringMap.h"

namespace mercator::reference {

/// The rules by target.
using CustomCalls = llvm::StringMap<llvm::LogicalResult (*)(
    stablehlo::CustomCallOp op, Step &step)>;

/// Adds the rules of the calls and of the operations that use them.
void addCheckCalls(CustomCalls &calls);
void addShardingCalls(CustomCalls &calls);
void addDynamicCalls(CustomCalls &calls);
void addTopKCalls(CustomCalls &calls);
void addLapackCalls(CustomCalls &calls);

//===--- For the rules of calls -------------------------------------------===//

/// Fails unless the call has at least `count` operands and all are tensors.
llvm::LogicalResult expectTensors(Step &step, size_t count);

/// The result types of a call: those of its results, or of the members if its
/// single result is a tuple, as in HLO.
[[nodiscard]] llvm::SmallVector<mlir::Type> givenTypes(mlir::Operation *op);
/// Sets the results, or the members of the single result. Fails if they do not
/// have the declared types.
llvm::LogicalResult giveCall(Step &step, std::vector<Value> values);
llvm::LogicalResult giveCall(Step &step,
                             llvm::FailureOr<std::vector<Value>> values);

/// The body of the function that a call names. Requires: it takes and returns
/// the given numbers of tensors of rank 0.
llvm::FailureOr<mlir::Region *> calledBody(Step &step, size_t takes,
                                           size_t gives);

/// An attribute of the call: its own, or an entry of the dictionary `also`.
[[nodiscard]] mlir::Attribute
callAttribute(mlir::Operation *op, llvm::StringRef name, llvm::StringRef also);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_CUSTOMCALLS_H
