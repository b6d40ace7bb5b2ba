// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Calls by name: what `custom_call @NAME` computes, where that is known.
///
///   static LogicalResult evaluateTopK(CustomCallOp op, Step &step);
///   void addTopKCalls(CustomCalls &calls) { calls["TopK"] = evaluateTopK; }

#ifndef MERCATOR_REFERENCE_STABLEHLO_CUSTOMCALLS_H
#define MERCATOR_REFERENCE_STABLEHLO_CUSTOMCALLS_H

#include "mercator/reference/stablehlo/Rules.h"

#include "llvm/ADT/StringMap.h"

namespace mercator::reference {

/// By target.
using CustomCalls = llvm::StringMap<llvm::LogicalResult (*)(
    stablehlo::CustomCallOp op, Step &step)>;

/// The rules of the calls, and those of operations that calls stand for, too.
void addCheckCalls(CustomCalls &calls);
void addShardingCalls(CustomCalls &calls);
void addDynamicCalls(CustomCalls &calls);
void addTopKCalls(CustomCalls &calls);

//===--- For those who compute them ---------------------------------------===//

/// Fails unless the call has at least so many operands, and all are tensors.
llvm::LogicalResult expectTensors(Step &step, size_t count);

/// The types of what a call gives: of its results, or of the members of the
/// tuple that is its one result, as HLO has it.
[[nodiscard]] llvm::SmallVector<mlir::Type> givenTypes(mlir::Operation *op);
/// Makes these the results, or the members of the one. Fails where they are not
/// of the types that the call declares.
llvm::LogicalResult giveCall(Step &step, std::vector<Value> values);
llvm::LogicalResult giveCall(Step &step,
                             llvm::FailureOr<std::vector<Value>> values);

/// The body of the function that a call names, which takes so many tensors of
/// rank 0 and gives so many.
llvm::FailureOr<mlir::Region *> calledBody(Step &step, size_t takes,
                                           size_t gives);

/// An attribute of the call: its own, or one in a dictionary of `also`.
[[nodiscard]] mlir::Attribute
callAttribute(mlir::Operation *op, llvm::StringRef name, llvm::StringRef also);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_CUSTOMCALLS_H
