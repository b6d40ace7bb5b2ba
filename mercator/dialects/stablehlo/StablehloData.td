// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements and compute nothing.

#ifndef MERCATOR_DIALECTS_STABLEHLO_DATA
#define MERCATOR_DIALECTS_STABLEHLO_DATA

include "mercator/dialects/stablehlo/StablehloAttrs.td"

class DataOp<string mnemonic, string operands = "operands", Type type = Stablehlo_Tensor,
             list<Trait> traits = [InferredTrait]>
    : Stablehlo_Op<mnemonic, !listconcat([Pure], traits)> {
  let results = (outs type:$result);
  let assemblyFormat = SignatureFormat<operands>.format;
  let hasVerifier = 1;
}

def Stablehlo_BitcastConvertOp : DataOp<"bitcast_convert", "operands", Stablehlo_QTensor, []> {
  let summary = "the same bits as elements of another type";
  let description = [{
    Elements of the same width keep the shape. A wide element becomes narrow ones
    along an additional last dimension, least significant first, and vice versa.
  }];
  let arguments = (ins Stablehlo_QTensor:$operand);
}

def Stablehlo_BroadcastInDimOp
    : DataOp<"broadcast_in_dim", "$operand `,` `dims` `=` $broadcast_dimensions",
             Stablehlo_SizedQTensor, []> {
  let summary = "dimension i of the operand becomes dimension broadcast_dimensions[i]";
  let description = "An operand dimension of extent 1 is read at 0 throughout.";
  let arguments = (ins Stablehlo_QTensor:$operand, Stablehlo_I64Array:$broadcast_dimensions);
}

def Stablehlo_BroadcastOp : DataOp<"broadcast", "$operand `,` `sizes` `=` $broadcast_sizes",
                                Stablehlo_QTensor> {
  let summary = "adds leading dimensions";
  let arguments = (ins Stablehlo_QTensor:$operand, Stablehlo_I64Array:$broadcast_sizes);
}

def Stablehlo_ReshapeOp : DataOp<"reshape", "operands", Stablehlo_SizedQTensor, []> {
  let summary = "the same elements, in row-major order, in another shape";
  let arguments = (ins Stablehlo_QTensor:$operand);
}

def Stablehlo_TransposeOp : DataOp<"transpose", "$operand `,` `dims` `=` $permutation",
                                Stablehlo_QTensor> {
  let summary = "dimension i of the result is dimension permutation[i] of the operand";
  let arguments = (ins Stablehlo_QTensor:$operand, Stablehlo_I64Array:$permutation);
}

def Stablehlo_ReverseOp : DataOp<"reverse"> {
  let summary = "reverses the listed dimensions";
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_I64Array:$dimensions);
  let assemblyFormat = SameTypeFormat<"$operand `,` `dims` `=` $dimensions",
                                      "type($operand), type($result)">.format;
}

def Stablehlo_SliceOp
    : DataOp<"slice",
             "$operand custom<SliceRanges>($start_indices, $limit_indices, $strides)"> {
  let summary = "every strides-th element from start up to limit";
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_I64Array:$start_indices,
                       Stablehlo_I64Array:$limit_indices, Stablehlo_I64Array:$strides);
}

def Stablehlo_DynamicSliceOp
    : DataOp<"dynamic_slice",
             "$operand `,` custom<OperandsThenComma>($start_indices)"
             " `sizes` `=` $slice_sizes"> {
  let summary = "a window at a position that is known at run time";
  let description = [{
    Start index i is first clamped to [0, dim(i) - slice_sizes[i]], so the whole
    window lies within the operand.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Variadic<Stablehlo_ScalarInt>:$start_indices,
                       Stablehlo_I64Array:$slice_sizes);
}

def Stablehlo_DynamicUpdateSliceOp : DataOp<"dynamic_update_slice"> {
  let summary = "the operand with a window replaced by update";
  let description = "Start indices are clamped as those of dynamic_slice.";
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$update,
                       Variadic<Stablehlo_ScalarInt>:$start_indices);
}

def Stablehlo_PadOp
    : DataOp<"pad", "$operand `,` $padding_value `,` `low` `=` $edge_padding_low `,`"
                    " `high` `=` $edge_padding_high `,` `interior` `=` $interior_padding"> {
  let summary = "padding_value around and between the elements";
  let description = "Negative low or high padding removes elements.";
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_ScalarTensor:$padding_value,
                       Stablehlo_I64Array:$edge_padding_low,
                       Stablehlo_I64Array:$edge_padding_high,
                       Stablehlo_I64Array:$interior_padding);
}

def Stablehlo_ConcatenateOp
    : DataOp<"concatenate", "custom<OperandsThenComma>($inputs) `dim` `=` $dimension"> {
  let summary = "the inputs concatenated along a dimension";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, I64Attr:$dimension);
}

def Stablehlo_GatherOp : Stablehlo_Op<"gather", [Pure, InferredTrait]> {
  let summary = "windows of the operand at positions read from start_indices";
  let description = [{
    Start indices are clamped to [0, dim - slice_size], as for dynamic_slice.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_IntTensor:$start_indices,
                       Stablehlo_GatherDimensionNumbersAttr:$dimension_numbers,
                       Stablehlo_I64Array:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}

def Stablehlo_ScatterOp
    : Stablehlo_Op<"scatter", [SameVariadicOperandSize, RecursiveMemoryEffects, InferredTrait]> {
  let summary = "the inputs with windows combined with updates";
  let description = "Windows that would leave an input are skipped whole, not clamped.";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Stablehlo_IndexTensor:$scatter_indices,
                       Variadic<Stablehlo_Tensor>:$updates,
                       Stablehlo_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let regions = (region SizedRegion<1>:$update_computation);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}

def Stablehlo_TorchIndexSelectOp : Stablehlo_Op<"torch_index_select", [Pure]> {
  let summary = "slices of one dimension, by index";
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_IntTensor:$index, I64Attr:$dim,
                       I64Attr:$batch_dims);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// With dynamic shapes
//===----------------------------------------------------------------------===//

class DynamicOp<string mnemonic, string operands = "operands", Type type = Stablehlo_Tensor,
                list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat([Pure], traits)> {
  let results = (outs type:$result);
  let assemblyFormat = SignatureFormat<operands>.format;
  let hasVerifier = 1;
}

def Stablehlo_DynamicIotaOp
    : DynamicOp<"dynamic_iota", "$output_shape `,` `dim` `=` $iota_dimension",
                Stablehlo_NumberTensor> {
  let arguments = (ins Stablehlo_StaticDimTensor:$output_shape, I64Attr:$iota_dimension);
}
def Stablehlo_DynamicBroadcastInDimOp
    : DynamicOp<"dynamic_broadcast_in_dim",
                "$operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions",
                Stablehlo_QTensor> {
  let arguments = (ins Stablehlo_QTensor:$operand, Stablehlo_StaticDimTensor:$output_dimensions,
                       Stablehlo_I64Array:$broadcast_dimensions,
                       OptionalAttr<Stablehlo_I64Array>:$known_expanding_dimensions,
                       OptionalAttr<Stablehlo_I64Array>:$known_nonexpanding_dimensions);
}
def Stablehlo_DynamicReshapeOp : DynamicOp<"dynamic_reshape", "operands", Stablehlo_QTensor> {
  let arguments = (ins Stablehlo_QTensor:$operand, Stablehlo_StaticDimTensor:$output_shape);
}
def Stablehlo_RealDynamicSliceOp : DynamicOp<"real_dynamic_slice"> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_DimTensor:$start_indices,
                       Stablehlo_DimTensor:$limit_indices, Stablehlo_DimTensor:$strides);
}
def Stablehlo_DynamicPadOp : DynamicOp<"dynamic_pad"> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_ScalarTensor:$padding_value,
                       Stablehlo_StaticDimTensor:$edge_padding_low,
                       Stablehlo_StaticDimTensor:$edge_padding_high,
                       Stablehlo_StaticDimTensor:$interior_padding);
}
def Stablehlo_DynamicGatherOp : Stablehlo_Op<"dynamic_gather", [Pure, InferredTrait]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_IntTensor:$start_indices,
                       Stablehlo_StaticDimTensor:$slice_sizes,
                       Stablehlo_GatherDimensionNumbersAttr:$dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}
def Stablehlo_GetDimensionSizeOp
    : DynamicOp<"get_dimension_size", "$operand `,` `dim` `=` $dimension", Stablehlo_I32Tensor,
                [InferredTrait]> {
  let arguments = (ins Stablehlo_QTensor:$operand, I64Attr:$dimension);
}
def Stablehlo_SetDimensionSizeOp
    : DynamicOp<"set_dimension_size", "$operand `,` $size `,` `dim` `=` $dimension",
                Stablehlo_Tensor, [InferredTrait]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_I32Tensor:$size, I64Attr:$dimension);
}

#endif // MERCATOR_DIALECTS_STABLEHLO_DATA
