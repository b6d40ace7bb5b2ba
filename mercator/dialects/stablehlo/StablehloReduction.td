// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that combine many elements: reductions, windows, dots, transforms, normalization.

#ifndef MERCATOR_DIALECTS_STABLEHLO_REDUCTION
#define MERCATOR_DIALECTS_STABLEHLO_REDUCTION

include "mercator/dialects/stablehlo/StablehloAttrs.td"

//===----------------------------------------------------------------------===//
// With a region that combines two elements
//===----------------------------------------------------------------------===//

def Stablehlo_ReduceOp
    : Stablehlo_Op<"reduce", [SameVariadicOperandSize, RecursiveMemoryEffects, InferredTrait]> {
  let summary = "combines all elements along the dimensions";
  let description = [{
    The body takes one accumulator for each input, then one element of each input,
    and returns the new accumulators. A body of one commutative operation prints as

        stablehlo.reduce(%x init: %v) applies stablehlo.add
            across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Variadic<Stablehlo_Tensor>:$init_values,
                       Stablehlo_I64Array:$dimensions);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Stablehlo_ReduceWindowOp
    : Stablehlo_Op<"reduce_window", [SameVariadicOperandSize, RecursiveMemoryEffects, InferredTrait]> {
  let summary = "combines the elements of a window that slides over the inputs";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Variadic<Stablehlo_Tensor>:$init_values,
                       Stablehlo_I64Array:$window_dimensions,
                       OptionalAttr<Stablehlo_I64Array>:$window_strides,
                       OptionalAttr<Stablehlo_I64Array>:$base_dilations,
                       OptionalAttr<Stablehlo_I64Array>:$window_dilations,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}

def Stablehlo_SelectAndScatterOp
    : Stablehlo_Op<"select_and_scatter", [RecursiveMemoryEffects, InferredTrait]> {
  let summary = "adds each source element to the selected element of its window";
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$source,
                       Stablehlo_Tensor:$init_value,
                       OptionalAttr<Stablehlo_I64Array>:$window_dimensions,
                       OptionalAttr<Stablehlo_I64Array>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}

def Stablehlo_SortOp : Stablehlo_Op<"sort", [RecursiveMemoryEffects, InferredTrait]> {
  let summary = "the inputs sorted together along a dimension";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
                       DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}

def Stablehlo_MapOp : Stablehlo_Op<"map", [ElementwiseTrait, RecursiveMemoryEffects, InferredTrait]> {
  let summary = "a scalar computation at every element";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Stablehlo_I64Array:$dimensions);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Dots and convolutions
//===----------------------------------------------------------------------===//

def Stablehlo_DotGeneralOp : Stablehlo_Op<"dot_general", [Pure]> {
  let summary = "sum of products over the contracting dimensions";
  let description = [{
    The dimensions of the result are the batching dimensions, then the remaining
    dimensions of lhs, then the remaining dimensions of rhs.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_QTensor:$rhs,
                       Stablehlo_DotDimensionNumbersAttr:$dot_dimension_numbers,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config,
                       OptionalAttr<Stablehlo_DotAlgorithmAttr>:$algorithm);
  let results = (outs Stablehlo_QTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensions>($dot_dimension_numbers) ``
    custom<PrecisionAndAlgorithm>($precision_config, $algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Stablehlo_DotOp : Stablehlo_Op<"dot", [Pure]> {
  let summary = "the product of vectors and matrices";
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_QTensor:$rhs,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config);
  let results = (outs Stablehlo_QTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<PrecisionList>($precision_config)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

class ConvolutionLike<string mnemonic> : Stablehlo_Op<mnemonic, [Pure]> {
  let results = (outs Stablehlo_QTensor:$result);
}
def Stablehlo_ConvolutionOp : ConvolutionLike<"convolution"> {
  let summary = "sum of products over a sliding window";
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_QTensor:$rhs,
                       OptionalAttr<Stablehlo_I64Array>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding,
                       OptionalAttr<Stablehlo_I64Array>:$lhs_dilation,
                       OptionalAttr<Stablehlo_I64Array>:$rhs_dilation,
                       OptionalAttr<Stablehlo_BoolArray>:$window_reversal,
                       Stablehlo_ConvDimensionNumbersAttr:$dimension_numbers,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvolutionDimensions>($dimension_numbers) `,`
    `window` `=` `{` `` custom<WindowAttributes>($window_strides, $padding, $lhs_dilation,
                                              $rhs_dilation, $window_reversal,
                                              ref($dimension_numbers)) `}`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}
def Stablehlo_DynamicConvOp : ConvolutionLike<"dynamic_conv"> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_QTensor:$rhs, Stablehlo_IntTensor:$padding,
                       OptionalAttr<Stablehlo_I64Array>:$window_strides,
                       OptionalAttr<Stablehlo_I64Array>:$lhs_dilation,
                       OptionalAttr<Stablehlo_I64Array>:$rhs_dilation,
                       OptionalAttr<Stablehlo_BoolArray>:$window_reversal,
                       Stablehlo_ConvDimensionNumbersAttr:$dimension_numbers,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config);
  let hasVerifier = 1;
}

class EinsumLike<string mnemonic, dag inputs, string operands>
    : Stablehlo_Op<mnemonic, [Pure]> {
  let arguments = inputs;
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = SignatureFormat<operands # " `,` `config` `=` $einsum_config">.format;
  let hasVerifier = 1;
}
def Stablehlo_EinsumOp
    : EinsumLike<"einsum", (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                                StrAttr:$einsum_config), "$lhs `,` $rhs">;
def Stablehlo_UnaryEinsumOp
    : EinsumLike<"unary_einsum", (ins Stablehlo_Tensor:$operand, StrAttr:$einsum_config),
                 "$operand">;

//===----------------------------------------------------------------------===//
// Matrices and transforms
//===----------------------------------------------------------------------===//

def Stablehlo_CholeskyOp : Stablehlo_Op<"cholesky", [Pure, SameElementTypeTrait, InferredTrait]> {
  let summary = "the Cholesky factor of each matrix";
  let arguments = (ins Stablehlo_FloatOrComplexTensor:$a,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs Stablehlo_FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:`
    custom<SameTypeOrSignature>(type($a), type($result))
  }];
  let hasVerifier = 1;
}

def Stablehlo_TriangularSolveOp : Stablehlo_Op<"triangular_solve", [Pure, SameElementTypeTrait, InferredTrait]> {
  let summary = "the solution of each triangular system";
  let arguments = (ins Stablehlo_FloatOrComplexTensor:$a, Stablehlo_FloatOrComplexTensor:$b,
                       BoolAttr:$left_side, BoolAttr:$lower, BoolAttr:$unit_diagonal,
                       Stablehlo_TransposeAttr:$transpose_a);
  let results = (outs Stablehlo_FloatOrComplexTensor:$result);
  let hasVerifier = 1;
}

def Stablehlo_FftOp : Stablehlo_Op<"fft", [Pure, InferredTrait]> {
  let summary = "the Fourier transform over the last dimensions";
  let arguments = (ins Stablehlo_PlainFloatOrComplexTensor:$operand, Stablehlo_FftTypeAttr:$fft_type,
                       Stablehlo_I64Array:$fft_length);
  let results = (outs Stablehlo_PlainFloatOrComplexTensor:$result);
  let assemblyFormat = SignatureFormat<
    "$operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length">.format;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Normalization over the feature dimension
//===----------------------------------------------------------------------===//

class BatchNorm<string mnemonic, dag inputs> : Stablehlo_Op<mnemonic, [Pure, InferredTrait]> {
  let arguments = !con(inputs, (ins F32Attr:$epsilon, I64Attr:$feature_index));
  let hasVerifier = 1;
}
def Stablehlo_BatchNormInferenceOp
    : BatchNorm<"batch_norm_inference",
                (ins Stablehlo_FloatTensor:$operand, Stablehlo_FloatVector:$scale,
                     Stablehlo_FloatVector:$offset, Stablehlo_FloatVector:$mean,
                     Stablehlo_FloatVector:$variance)> {
  let summary = "normalizes with the given mean and variance";
  let results = (outs Stablehlo_FloatTensor:$result);
}
def Stablehlo_BatchNormTrainingOp
    : BatchNorm<"batch_norm_training",
                (ins Stablehlo_FloatTensor:$operand, Stablehlo_FloatVector:$scale,
                     Stablehlo_FloatVector:$offset)> {
  let summary = "normalizes with the batch's own mean and variance, and returns them";
  let results = (outs Stablehlo_FloatTensor:$output, Stablehlo_FloatVector:$batch_mean,
                      Stablehlo_FloatVector:$batch_var);
}
def Stablehlo_BatchNormGradOp
    : BatchNorm<"batch_norm_grad",
                (ins Stablehlo_FloatTensor:$operand, Stablehlo_FloatVector:$scale,
                     Stablehlo_FloatVector:$mean, Stablehlo_FloatVector:$variance,
                     Stablehlo_FloatTensor:$grad_output)> {
  let summary = "the gradients of batch_norm_training";
  let results = (outs Stablehlo_FloatTensor:$grad_operand, Stablehlo_FloatVector:$grad_scale,
                      Stablehlo_FloatVector:$grad_offset);
}

#endif // MERCATOR_DIALECTS_STABLEHLO_REDUCTION
