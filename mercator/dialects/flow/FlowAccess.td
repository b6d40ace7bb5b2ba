// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of tensors in the body of a dispatch.

#ifndef MERCATOR_DIALECTS_FLOW_ACCESS
#define MERCATOR_DIALECTS_FLOW_ACCESS

include "mercator/dialects/flow/FlowBase.td"

def Flow_DispatchTieShapeOp : Flow_Op<"dispatch.tie_shape", [
    Pure, AllTypesMatch<["operand", "result"]>,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedResultOperandIndices"]>,
    Util_ShapeAwareOpInterface]> {
  let summary = "the same dispatch tensor with known extents";
  let arguments = (ins Flow_DispatchTensorType:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs Flow_DispatchTensorType:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($result)) (`{` $dynamic_dims^ `}`)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::mlir::ValueRange":$dims), [{
    build($_builder, $_state, operand.getType(), operand, dims);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getDynamicDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getDynamicDims(); }
  }];
}

// The operands have the order that OffsetSizeAndStrideOpInterface requires. The dynamic extents are
// last, because the operands before the offsets must be counted.
class Flow_SliceOp<string mnemonic, list<Trait> traits>
    : Flow_Op<mnemonic, !listconcat([AttrSizedOperandSegments, OffsetSizeAndStrideOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, AlwaysSpeculatable,
        Util_ShapeAwareOpInterface], traits)> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Flow_DispatchTensorLoadOp : Flow_SliceOp<"dispatch.tensor.load", [
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedResultOperandIndices"]>]> {
  let summary = "a slice of a tensor that the dispatch reads";
  let description = [{
        %0 = flow.dispatch.tensor.load %in, offsets = [%i, 0], sizes = [4, %n],
            strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x8xf32>>{%d}
            -> tensor<4x?xf32>

    Dimensions of size 1 may be omitted from the result. A load from a `readonly`
    tensor is a pure value; a load from a `readwrite` tensor reads the tensor at
    this point.
  }];
  let arguments = (ins Flow_ReadableDispatchTensor:$source, Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes, Variadic<Index>:$strides,
                       Variadic<Index>:$source_dims, DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes, DenseI64ArrayAttr:$static_strides);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` qualified(type($source)) (`{` $source_dims^ `}`)? `->` type($result)
  }];
  let builders = [
    // Loads the whole source.
    OpBuilder<(ins "::mlir::RankedTensorType":$resultType, "::mlir::Value":$source,
                   "::mlir::ValueRange":$sourceDims,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>,
    OpBuilder<(ins "::mlir::RankedTensorType":$resultType, "::mlir::Value":$source,
                   "::mlir::ValueRange":$sourceDims,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>,
    // The result type follows from the sizes.
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$sourceDims,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>,
  ];
  let extraClassDeclaration = [{
    static unsigned getOffsetSizeAndStrideStartOperandIndex() { return 1; }
    std::array<unsigned, 3> getArrayAttrMaxRanks();
    DispatchTensorType getSourceType() {
      return ::llvm::cast<DispatchTensorType>(getSource().getType());
    }
    ::mlir::RankedTensorType getType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getResult().getType());
    }
    static ::mlir::RankedTensorType inferResultType(
        DispatchTensorType sourceType, ::llvm::ArrayRef<::mlir::OpFoldResult> sizes);
    /// The dimensions that the result omits.
    ::llvm::SmallBitVector getDroppedDims();
    /// Whether it certainly loads the whole tensor, in order.
    bool isLoadOfWholeSource();
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getSourceDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index);
  }];
}

def Flow_DispatchTensorStoreOp : Flow_SliceOp<"dispatch.tensor.store", []> {
  let summary = "stores to a slice of a tensor that the dispatch writes";
  let description = [{
        flow.dispatch.tensor.store %0, %out, offsets = [%i, 0], sizes = [4, %n],
            strides = [1, 1] : tensor<4x?xf32>
            -> !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>{%d}

    Dimensions of size 1 may be omitted from the value.
  }];
  let arguments = (ins AnyRankedTensor:$value, Flow_WritableDispatchTensor:$target,
                       Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       Variadic<Index>:$strides, Variadic<Index>:$target_dims,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides);
  let assemblyFormat = [{
    $value `,` $target `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($value) `->` qualified(type($target)) (`{` $target_dims^ `}`)?
  }];
  let builders = [
    // Stores to the whole target.
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$target,
                   "::mlir::ValueRange":$targetDims,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>,
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$target,
                   "::mlir::ValueRange":$targetDims,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>,
  ];
  let extraClassDeclaration = [{
    static unsigned getOffsetSizeAndStrideStartOperandIndex() { return 2; }
    std::array<unsigned, 3> getArrayAttrMaxRanks();
    DispatchTensorType getTargetType() {
      return ::llvm::cast<DispatchTensorType>(getTarget().getType());
    }
    ::mlir::RankedTensorType getValueType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getValue().getType());
    }
    /// The dimensions that the value omits.
    ::llvm::SmallBitVector getDroppedDims();
    /// Whether it certainly writes the whole tensor, in order.
    bool isStoreToWholeTarget();
    ::mlir::ValueRange getOperandDynamicDims(unsigned index);
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return {}; }
  }];
}

#endif // MERCATOR_DIALECTS_FLOW_ACCESS
