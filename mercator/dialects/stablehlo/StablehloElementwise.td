// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations whose result element d depends only on element d of the operands, and the two
// operations without operands: constant and iota.

#ifndef MERCATOR_DIALECTS_STABLEHLO_ELEMENTWISE
#define MERCATOR_DIALECTS_STABLEHLO_ELEMENTWISE

include "mercator/dialects/stablehlo/StablehloAttrs.td"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Stablehlo_ConstantOp : Stablehlo_Op<"constant", [Pure, ConstantLike,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a constant tensor";
  let description = [{
    `stablehlo.constant dense<0.0> : tensor<4xf32>`. A constant without data in the
    text has the value `dense_resource<__elided__>`; `isElided()` recognizes it.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Stablehlo_QTensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
  let extraClassDeclaration = [{ bool isElided(); }];
}

def Stablehlo_IotaOp : Stablehlo_Op<"iota", [Pure]> {
  let summary = "element d is d[iota_dimension]";
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs Stablehlo_SizedNumberTensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// The traits check that operand and result agree in shape and, with SameElementTypeTrait, in
// element type: constraint C1 of most operations.
class UnaryOp<string mnemonic, Type operandType, Type resultType = operandType,
              list<Trait> traits = [SameElementTypeTrait, InferredTrait]>
    : Stablehlo_Op<mnemonic, !listconcat([Pure, ElementwiseTrait], traits)> {
  let summary = "elementwise";
  let arguments = (ins operandType:$operand);
  let results = (outs resultType:$result);
  let assemblyFormat = SameTypeFormat<"$operand", "type($operand), type($result)">.format;
}
class AccurateUnaryOp<string mnemonic> : UnaryOp<mnemonic, Stablehlo_FloatOrComplexTensor> {
  let arguments = (ins Stablehlo_FloatOrComplexTensor:$operand,
                       Stablehlo_OptionalAccuracy:$result_accuracy);
}

def Stablehlo_AbsOp // (abs C1)
    : UnaryOp<"abs", Stablehlo_SignedTensor, Stablehlo_RealTensor, [InferredTrait]> {
  let hasVerifier = 1;
}
def Stablehlo_CbrtOp : AccurateUnaryOp<"cbrt">; // (cbrt C1)
def Stablehlo_CeilOp : UnaryOp<"ceil", Stablehlo_FloatTensor>; // (ceil C1)
def Stablehlo_ConvertOp // (convert C1)
    : UnaryOp<"convert", Stablehlo_PlainTensor, Stablehlo_PlainTensor, []>;
def Stablehlo_ClzOp // (count_leading_zeros C1)
    : UnaryOp<"count_leading_zeros", Stablehlo_IntTensor>;
def Stablehlo_CosineOp : AccurateUnaryOp<"cosine">; // (cosine C1)
def Stablehlo_ExpOp : AccurateUnaryOp<"exponential">; // (exponential C1)
def Stablehlo_Expm1Op // (exponential_minus_one C1)
    : AccurateUnaryOp<"exponential_minus_one">;
def Stablehlo_FloorOp : UnaryOp<"floor", Stablehlo_FloatTensor>; // (floor C1)
def Stablehlo_ImagOp // (imag C1)
    : UnaryOp<"imag", Stablehlo_PlainFloatOrComplexTensor, Stablehlo_PlainFloatTensor, [InferredTrait]> {
  let hasVerifier = 1;
}
def Stablehlo_IsFiniteOp // (is_finite C1)
    : UnaryOp<"is_finite", Stablehlo_FloatTensor, Stablehlo_PredTensor, [InferredTrait]>;
def Stablehlo_LogOp : AccurateUnaryOp<"log">; // (log C1)
def Stablehlo_Log1pOp : AccurateUnaryOp<"log_plus_one">; // (log_plus_one C1)
def Stablehlo_LogisticOp : AccurateUnaryOp<"logistic">; // (logistic C1)
def Stablehlo_NegOp : UnaryOp<"negate", Stablehlo_NumberTensor>; // (negate C1)
def Stablehlo_NotOp : UnaryOp<"not", Stablehlo_BitsTensor>; // (not C1)
def Stablehlo_PopulationCountOp : UnaryOp<"popcnt", Stablehlo_IntTensor>; // (popcnt C1)
def Stablehlo_RealOp // (real C1)
    : UnaryOp<"real", Stablehlo_PlainFloatOrComplexTensor, Stablehlo_PlainFloatTensor, [InferredTrait]> {
  let hasVerifier = 1;
}
def Stablehlo_RoundOp // (round_nearest_afz C1)
    : UnaryOp<"round_nearest_afz", Stablehlo_FloatTensor>;
def Stablehlo_RoundNearestEvenOp // (round_nearest_even C1)
    : UnaryOp<"round_nearest_even", Stablehlo_FloatTensor>;
def Stablehlo_RsqrtOp : AccurateUnaryOp<"rsqrt">; // (rsqrt C1)
def Stablehlo_SignOp : UnaryOp<"sign", Stablehlo_SignedTensor>; // (sign C1)
def Stablehlo_SineOp : AccurateUnaryOp<"sine">; // (sine C1)
def Stablehlo_SqrtOp : AccurateUnaryOp<"sqrt">; // (sqrt C1)
def Stablehlo_TanOp : AccurateUnaryOp<"tan">; // (tan C1)
def Stablehlo_TanhOp : AccurateUnaryOp<"tanh">; // (tanh C1)
def Stablehlo_UniformQuantizeOp // (uniform_quantize C1)
    : UnaryOp<"uniform_quantize", Stablehlo_FloatOrQTensor, Stablehlo_OnlyQTensor, []> {
  let hasVerifier = 1;
}
def Stablehlo_UniformDequantizeOp // (uniform_dequantize C1)
    : UnaryOp<"uniform_dequantize", Stablehlo_OnlyQTensor, Stablehlo_PlainFloatTensor, [InferredTrait]> {
  let hasVerifier = 1;
}

def Stablehlo_ReducePrecisionOp // (reduce_precision C1)
    : UnaryOp<"reduce_precision", Stablehlo_FloatTensor> {
  let summary = "rounds to a float with fewer bits and back";
  let arguments = (ins Stablehlo_FloatTensor:$operand, I32Attr:$exponent_bits,
                       I32Attr:$mantissa_bits);
  let assemblyFormat = SameTypeFormat<
    "$operand `,` `format` `=` custom<ExponentMantissa>($exponent_bits, $mantissa_bits)",
    "type($operand), type($result)">.format;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

// The traits check that operands and result agree: constraint C1 of each operation.
class BinaryOp<string mnemonic, Type type, list<Trait> traits = [SameElementTypeTrait]>
    : Stablehlo_Op<mnemonic, !listconcat([Pure, ElementwiseTrait, InferredTrait], traits)> {
  let summary = "elementwise";
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat =
    SameTypeFormat<"$lhs `,` $rhs", "type($lhs), type($rhs), type($result)">.format;
}

def Stablehlo_AddOp : BinaryOp<"add", Stablehlo_QTensor, []> {
  let hasVerifier = 1;
}
def Stablehlo_Atan2Op : BinaryOp<"atan2", Stablehlo_FloatOrComplexTensor>; // (atan2 C1)
def Stablehlo_DivOp : BinaryOp<"divide", Stablehlo_NumberTensor>; // (divide C1)
def Stablehlo_MaxOp : BinaryOp<"maximum", Stablehlo_Tensor>; // (maximum C1)
def Stablehlo_MinOp : BinaryOp<"minimum", Stablehlo_Tensor>; // (minimum C1)
def Stablehlo_MulOp : BinaryOp<"multiply", Stablehlo_Tensor>; // (multiply C1)
def Stablehlo_PowOp : BinaryOp<"power", Stablehlo_NumberTensor>; // (power C1)
def Stablehlo_RemOp : BinaryOp<"remainder", Stablehlo_NumberTensor>; // (remainder C1)
def Stablehlo_ShiftLeftOp : BinaryOp<"shift_left", Stablehlo_IntTensor>; // (shift_left C1)
def Stablehlo_ShiftRightArithmeticOp // (shift_right_arithmetic C1)
    : BinaryOp<"shift_right_arithmetic", Stablehlo_IntTensor>;
def Stablehlo_ShiftRightLogicalOp // (shift_right_logical C1)
    : BinaryOp<"shift_right_logical", Stablehlo_IntTensor>;
def Stablehlo_SubtractOp : BinaryOp<"subtract", Stablehlo_NumberTensor>; // (subtract C1)
def Stablehlo_AndOp : BinaryOp<"and", Stablehlo_BitsTensor>; // (and C1)
def Stablehlo_OrOp : BinaryOp<"or", Stablehlo_BitsTensor>; // (or C1)
def Stablehlo_XorOp : BinaryOp<"xor", Stablehlo_BitsTensor>; // (xor C1)

def Stablehlo_ComplexOp // (complex C2)
    : Stablehlo_Op<"complex", [Pure, ElementwiseTrait, InferredTrait]> {
  let summary = "lhs + i rhs";
  let arguments = (ins Stablehlo_F32OrF64Tensor:$lhs, Stablehlo_F32OrF64Tensor:$rhs);
  let results = (outs Stablehlo_ComplexTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` custom<ComplexTypes>(type($lhs), type($rhs), type($result))
  }];
  let hasVerifier = 1;
}

def Stablehlo_CompareOp // (compare C2)
    : Stablehlo_Op<"compare", [Pure, ElementwiseTrait, InferredTrait]> {
  let summary = "true where the comparison holds";
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                       Stablehlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Stablehlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs Stablehlo_PredTensor:$result);
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

def Stablehlo_SelectOp // (select C1)
    : Stablehlo_Op<"select", [Pure, ElementwiseTrait, InferredTrait]> {
  let summary = "on_true where pred holds, else on_false";
  let arguments = (ins Stablehlo_PredTensor:$pred, Stablehlo_Tensor:$on_true,
                       Stablehlo_Tensor:$on_false);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
    custom<SelectTypes>(type($pred), type($on_true), type($on_false), type($result))
  }];
  let hasVerifier = 1;
}

def Stablehlo_ClampOp // (clamp C1, C2)
    : Stablehlo_Op<"clamp", [Pure, ElementwiseTrait, InferredTrait]> {
  let summary = "minimum(maximum(operand, min), max)";
  let arguments = (ins Stablehlo_Tensor:$min, Stablehlo_Tensor:$operand, Stablehlo_Tensor:$max);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = SameTypeFormat<"$min `,` $operand `,` $max",
    "type($min), type($operand), type($max), type($result)">.format;
  let hasVerifier = 1;
}

#endif // MERCATOR_DIALECTS_STABLEHLO_ELEMENTWISE
