// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces of `util`, `flow` and `hal`.

#ifndef MERCATOR_DIALECTS_UTIL_INTERFACES
#define MERCATOR_DIALECTS_UTIL_INTERFACES

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"

// For each result that may be tied: the operand it is tied to, counted from the first operand that
// may be tied, or -1. Without the attribute no result is tied.
def Util_TiedOpStorageAttr
    : TypedArrayAttrBase<IndexAttr, "the operand that each result is tied to">;

def Util_TiedOpInterface : OpInterface<"TiedOpInterface"> {
  let cppNamespace = "::mercator::util";
  let description = [{
    An operation whose results may use the storage of its operands. A tie is a
    request: operand and result remain separate values, and a copy is made if both
    are needed.

    An operation keeps its ties in the attribute `tied_operands`, declared as
    `OptionalAttr<Util_TiedOpStorageAttr>:$tied_operands`. An operation with fixed
    ties has no attribute and defines `getTiedResultOperandIndices`.
    `setTiedResultOperandIndex` is only for the attribute.
  }];
  let methods = [
    InterfaceMethod<
      "The first operand that may be tied, and how many may.",
      "std::pair<unsigned, unsigned>", "getTiedOperandsIndexAndLength", (ins), "",
      "return {0u, $_op->getNumOperands()};">,
    InterfaceMethod<[{
        For each result the operand it is tied to, as an index into all
        operands; `kUntied` where there is none.
      }],
      "::llvm::SmallVector<int64_t>", "getTiedResultOperandIndices", (ins), "",
      "return ::mercator::util::detail::readTies($_op);">,
  ];
  let extraClassDeclaration = [{
    static constexpr int64_t kUntied = -1;
    static constexpr ::llvm::StringLiteral kStorageAttrName = "tied_operands";
  }];
  let extraSharedClassDeclaration = [{
    /// The operand that the result is tied to, as an index into all operands.
    std::optional<unsigned> getTiedResultOperandIndex(unsigned resultIndex) {
      return ::mercator::util::detail::getTie($_op, resultIndex);
    }
    /// Ties the result to an operand, an index into all operands, or unties it.
    void setTiedResultOperandIndex(unsigned resultIndex,
                                   std::optional<unsigned> operandIndex) {
      ::mercator::util::detail::setTie($_op, resultIndex, operandIndex);
    }
    /// The operand that the result is tied to, or null.
    ::mlir::Value getTiedResultOperand(::mlir::Value result) {
      std::optional<unsigned> index = getTiedResultOperandIndex(
          ::llvm::cast<::mlir::OpResult>(result).getResultNumber());
      return index ? $_op->getOperand(*index) : ::mlir::Value();
    }
    /// The results that are tied to the operand.
    ::llvm::SmallVector<::mlir::Value> getOperandTiedResults(unsigned operandIndex) {
      return ::mercator::util::detail::getTiedTo($_op, operandIndex);
    }
    bool isOperandTied(unsigned operandIndex) {
      return !getOperandTiedResults(operandIndex).empty();
    }
  }];
  let verify = "return ::mercator::util::detail::verifyTies($_op);";
}

def Util_ShapeAwareOpInterface : OpInterface<"ShapeAwareOpInterface"> {
  let cppNamespace = "::mercator::util";
  let description = [{
    An operation that has the dynamic extents of its operands and results as
    operands: one for each `?`, in order. The queries create no IR.
  }];
  let methods = [
    InterfaceMethod<
      "The extents of an operand, an index into all operands.",
      "::mlir::ValueRange", "getOperandDynamicDims", (ins "unsigned":$index)>,
    InterfaceMethod<
      "The extents of a result.",
      "::mlir::ValueRange", "getResultDynamicDims", (ins "unsigned":$index)>,
  ];
}

// The meaning of the program does not depend on the operation. (UtilTraits.h)
def Util_DebugOnly : NativeOpTrait<"DebugOnly"> {
  let cppNamespace = "::mercator::util";
}

#endif // MERCATOR_DIALECTS_UTIL_INTERFACES
