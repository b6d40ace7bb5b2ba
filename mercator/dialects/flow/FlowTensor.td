// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole tensors between dispatches.

#ifndef MERCATOR_DIALECTS_FLOW_TENSOR
#define MERCATOR_DIALECTS_FLOW_TENSOR

include "mercator/dialects/flow/FlowBase.td"

class Flow_TensorOp<string mnemonic, list<Trait> traits = []>
    : Flow_Op<"tensor." # mnemonic, !listconcat([Pure, Util_ShapeAwareOpInterface], traits)> {
  let hasVerifier = 1;
}

class Flow_ElementOf<string tensor, string value>
    : TypesMatchWith<"type of '" # value # "' matches element type of '" # tensor # "'", tensor,
                     value, "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">;

def Flow_TensorConstantOp : Flow_Op<"tensor.constant", [Pure]> {
  let summary = "a constant whose shape may be hidden from the compiler";
  let description = [{
        %0 = flow.tensor.constant dense<2> : tensor<2x4xi32> -> tensor<?x?xi32>
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Flow_TensorTieShapeOp : Flow_TensorOp<"tie_shape", [
    AllTypesMatch<["operand", "result"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedResultOperandIndices"]>]> {
  let summary = "the same tensor with known extents";
  let arguments = (ins AnyRankedTensor:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?";
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::mlir::ValueRange":$dims), [{
    build($_builder, $_state, operand.getType(), operand, dims);
  }]>];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getDynamicDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getDynamicDims(); }
  }];
}

def Flow_TensorReshapeOp : Flow_TensorOp<"reshape", [
    AttrSizedOperandSegments, AllElementTypesMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedResultOperandIndices"]>]> {
  let summary = "the same elements in another shape";
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)
    (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$resultType, "::mlir::Value":$source,
                                 "::mlir::ValueRange":$resultDims), [{
    build($_builder, $_state, resultType, source,
          ::mercator::util::buildDynamicDimsForValue($_state.location, source, $_builder),
          resultDims);
  }]>];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getSourceDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getResultDims(); }
  }];
}

def Flow_TensorBitCastOp : Flow_TensorOp<"bitcast", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedResultOperandIndices"]>]> {
  let summary = "the same bits as elements of another type";
  let description = [{
        %0 = flow.tensor.bitcast %t : tensor<?xf32>{%d} -> tensor<?xi32>{%d}
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)
    (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getSourceDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getResultDims(); }
  }];
}

def Flow_TensorLoadOp : Flow_TensorOp<"load", [
    AttrSizedOperandSegments, Flow_ElementOf<"source", "result">]> {
  let summary = "an element of a tensor";
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$indices);
  let results = (outs AnyTypeOf<[Flow_PrimitiveType, AnyVectorOfAnyRank]>:$result);
  let assemblyFormat = [{
    $source (`[` $indices^ `]`)? `:` type($source) (`{` $source_dims^ `}`)?
    attr-dict-with-keyword
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$resultType, "::mlir::Value":$source,
                                 CArg<"::mlir::ValueRange", "{}">:$indices), [{
    build($_builder, $_state, resultType, source,
          ::mercator::util::buildDynamicDimsForValue($_state.location, source, $_builder),
          indices);
  }]>];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getSourceDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return {}; }
  }];
}

def Flow_TensorStoreOp : Flow_TensorOp<"store", [
    AttrSizedOperandSegments, AllTypesMatch<["target", "result"]>,
    Flow_ElementOf<"target", "value">]> {
  let summary = "the tensor with one element replaced";
  let arguments = (ins AnyTypeOf<[Flow_PrimitiveType, AnyVectorOfAnyRank]>:$value,
                       AnyRankedTensor:$target, Variadic<Index>:$target_dims,
                       Variadic<Index>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `,` $target (`[` $indices^ `]`)? `:` type($target) (`{` $target_dims^ `}`)?
    attr-dict-with-keyword
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$target,
                                 CArg<"::mlir::ValueRange", "{}">:$indices), [{
    build($_builder, $_state, target.getType(), value, target,
          ::mercator::util::buildDynamicDimsForValue($_state.location, target, $_builder),
          indices);
  }]>];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 1 ? ::mlir::ValueRange(getTargetDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getTargetDims(); }
  }];
}

// A tensor that is made from its extents, `result_dims`, alone.
class Flow_TensorSourceOp<string mnemonic, list<Trait> traits = []>
    : Flow_TensorOp<mnemonic, traits> {
  let results = (outs AnyRankedTensor:$result);
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) { return {}; }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getResultDims(); }
  }];
}

def Flow_TensorEmptyOp : Flow_TensorSourceOp<"empty"> {
  let summary = "a tensor with undefined elements";
  let arguments = (ins Variadic<Index>:$result_dims);
  let assemblyFormat = [{
    `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
}

def Flow_TensorSplatOp : Flow_TensorSourceOp<"splat", [Flow_ElementOf<"result", "value">]> {
  let summary = "a tensor whose elements are all the same";
  let arguments = (ins Flow_PrimitiveType:$value, Variadic<Index>:$result_dims);
  let assemblyFormat = [{
    $value `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasCanonicalizer = 1;
}

def Flow_TensorCloneOp : Flow_TensorOp<"clone", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "a copy of a tensor";
  let description = [{
    The result equals the operand. The operation requests separate storage for the
    two.
  }];
  let arguments = (ins AnyRankedTensor:$operand, Variadic<Index>:$argument_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $argument_dims^ `}`)? attr-dict-with-keyword
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand,
          ::mercator::util::buildDynamicDimsForValue($_state.location, operand, $_builder));
  }]>];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getArgumentDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getArgumentDims(); }
  }];
}

def Flow_TensorSliceOp : Flow_TensorOp<"slice", [
    AttrSizedOperandSegments, AllRanksMatch<["source", "result"]>,
    AllElementTypesMatch<["source", "result"]>]> {
  let summary = "a copy of a part of a tensor";
  let description = [{
        %0 = flow.tensor.slice %t[%i, %j for %n, %m] :
            tensor<8x?xf32>{%d} -> tensor<2x?xf32>{%m}
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$start_indices, Variadic<Index>:$lengths,
                       Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `[` $start_indices `for` $lengths `]` `:` type($source) (`{` $source_dims^ `}`)?
    `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) {
      return index == 0 ? ::mlir::ValueRange(getSourceDims()) : ::mlir::ValueRange();
    }
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getResultDims(); }
  }];
}

def Flow_TensorUpdateOp : Flow_TensorOp<"update", [
    AttrSizedOperandSegments, AllRanksMatch<["update", "target", "result"]>,
    AllTypesMatch<["target", "result"]>, AllElementTypesMatch<["update", "target", "result"]>,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedResultOperandIndices"]>]> {
  let summary = "the tensor with a part replaced";
  let description = [{
        %0 = flow.tensor.update %u, %t[%i] : tensor<2xf32> -> %t as tensor<?xf32>{%d}
  }];
  let arguments = (ins AnyRankedTensor:$target, Variadic<Index>:$target_dims,
                       Variadic<Index>:$start_indices, AnyRankedTensor:$update,
                       Variadic<Index>:$update_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $update `,` $target `[` $start_indices `]` `:` type($update) (`{` $update_dims^ `}`)? `->`
    custom<TiedTarget>(ref($target), type($result), $target_dims) attr-dict-with-keyword
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$target, "::mlir::ValueRange":$startIndices,
                                 "::mlir::Value":$update), [{
    build($_builder, $_state, target.getType(), target,
          ::mercator::util::buildDynamicDimsForValue($_state.location, target, $_builder),
          startIndices, update,
          ::mercator::util::buildDynamicDimsForValue($_state.location, update, $_builder));
  }]>];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index);
    ::mlir::ValueRange getResultDynamicDims(unsigned index) { return getTargetDims(); }
  }];
}

def Flow_TensorTraceOp : Flow_Op<"tensor.trace", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "prints tensors while the program runs";
  let description = [{
        flow.tensor.trace {key = "before"} %a, %b : tensor<4xf32>, tensor<?xf32>

    Without tensors the operation ends in parentheses. Otherwise the name of the next line's
    result would be read as an operand.

        flow.tensor.trace {key = "before"} ()
  }];
  let arguments = (ins StrAttr:$key, Variadic<AnyRankedTensor>:$operands);
  let assemblyFormat = [{
    attr-dict custom<TracedTensors>($operands, type($operands))
  }];
}

#endif // MERCATOR_DIALECTS_FLOW_TENSOR
