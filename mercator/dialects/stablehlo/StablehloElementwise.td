// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations in which element d of the result depends on element d of the
// operands, and the two that make a tensor from nothing.

#ifndef MERCATOR_DIALECTS_STABLEHLO_ELEMENTWISE
#define MERCATOR_DIALECTS_STABLEHLO_ELEMENTWISE

include "mercator/dialects/stablehlo/StablehloAttrs.td"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Stablehlo_ConstantOp : Stablehlo_Op<"constant", [Pure, ConstantLike,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tensor known now";
  let description = [{
    `stablehlo.constant dense<0.0> : tensor<4xf32>`. A constant whose data the
    text left out has the value `dense_resource<__elided__>`; `isElided()` tells.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Stablehlo_Tensor:$output);
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
  let results = (outs Stablehlo_Tensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

class UnaryOp<string mnemonic, Type operandType = Stablehlo_Tensor,
              list<Trait> traits = [SameElementTypeTrait]>
    : Stablehlo_Op<mnemonic, !listconcat([Pure, ElementwiseTrait], traits)> {
  let summary = "element by element";
  let arguments = (ins operandType:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = SameTypeFormat<"$operand", "type($operand), type($result)">.format;
}
class AccurateUnaryOp<string mnemonic> : UnaryOp<mnemonic, Stablehlo_FloatOrComplexTensor> {
  let arguments = (ins Stablehlo_FloatOrComplexTensor:$operand,
                       Stablehlo_OptionalAccuracy:$result_accuracy);
}

def Stablehlo_AbsOp : UnaryOp<"abs", Stablehlo_Tensor, []>; // complex -> real
def Stablehlo_CbrtOp : AccurateUnaryOp<"cbrt">;
def Stablehlo_CeilOp : UnaryOp<"ceil", Stablehlo_FloatTensor>;
def Stablehlo_ConvertOp : UnaryOp<"convert", Stablehlo_Tensor, []>;
def Stablehlo_ClzOp : UnaryOp<"count_leading_zeros", Stablehlo_IntTensor>;
def Stablehlo_CosineOp : AccurateUnaryOp<"cosine">;
def Stablehlo_ExpOp : AccurateUnaryOp<"exponential">;
def Stablehlo_Expm1Op : AccurateUnaryOp<"exponential_minus_one">;
def Stablehlo_FloorOp : UnaryOp<"floor", Stablehlo_FloatTensor>;
def Stablehlo_ImagOp : UnaryOp<"imag", Stablehlo_FloatOrComplexTensor, []>;
def Stablehlo_IsFiniteOp : UnaryOp<"is_finite", Stablehlo_FloatTensor, []>;
def Stablehlo_LogOp : AccurateUnaryOp<"log">;
def Stablehlo_Log1pOp : AccurateUnaryOp<"log_plus_one">;
def Stablehlo_LogisticOp : AccurateUnaryOp<"logistic">;
def Stablehlo_NegOp : UnaryOp<"negate">;
def Stablehlo_NotOp : UnaryOp<"not", Stablehlo_IntTensor>;
def Stablehlo_PopulationCountOp : UnaryOp<"popcnt", Stablehlo_IntTensor>;
def Stablehlo_RealOp : UnaryOp<"real", Stablehlo_FloatOrComplexTensor, []>;
def Stablehlo_RoundOp : UnaryOp<"round_nearest_afz", Stablehlo_FloatTensor>;
def Stablehlo_RoundNearestEvenOp : UnaryOp<"round_nearest_even", Stablehlo_FloatTensor>;
def Stablehlo_RsqrtOp : AccurateUnaryOp<"rsqrt">;
def Stablehlo_SignOp : UnaryOp<"sign">;
def Stablehlo_SineOp : AccurateUnaryOp<"sine">;
def Stablehlo_SqrtOp : AccurateUnaryOp<"sqrt">;
def Stablehlo_TanOp : AccurateUnaryOp<"tan">;
def Stablehlo_TanhOp : AccurateUnaryOp<"tanh">;
def Stablehlo_UniformQuantizeOp : UnaryOp<"uniform_quantize", Stablehlo_Tensor, []>;
def Stablehlo_UniformDequantizeOp : UnaryOp<"uniform_dequantize", Stablehlo_Tensor, []>;

def Stablehlo_ReducePrecisionOp
    : UnaryOp<"reduce_precision", Stablehlo_FloatTensor> {
  let summary = "round to a float with fewer bits and back";
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

class BinaryOp<string mnemonic, Type operandType = Stablehlo_Tensor,
               list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat([Pure, ElementwiseTrait, SameElementTypeTrait], traits)> {
  let summary = "element by element";
  let arguments = (ins operandType:$lhs, operandType:$rhs);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat =
    SameTypeFormat<"$lhs `,` $rhs", "type($lhs), type($rhs), type($result)">.format;
}

def Stablehlo_AddOp : BinaryOp<"add">;
def Stablehlo_Atan2Op : BinaryOp<"atan2", Stablehlo_FloatOrComplexTensor>;
def Stablehlo_DivOp : BinaryOp<"divide">;
def Stablehlo_MaxOp : BinaryOp<"maximum">;
def Stablehlo_MinOp : BinaryOp<"minimum">;
def Stablehlo_MulOp : BinaryOp<"multiply">;
def Stablehlo_PowOp : BinaryOp<"power">;
def Stablehlo_RemOp : BinaryOp<"remainder">;
def Stablehlo_ShiftLeftOp : BinaryOp<"shift_left", Stablehlo_IntTensor>;
def Stablehlo_ShiftRightArithmeticOp : BinaryOp<"shift_right_arithmetic", Stablehlo_IntTensor>;
def Stablehlo_ShiftRightLogicalOp : BinaryOp<"shift_right_logical", Stablehlo_IntTensor>;
def Stablehlo_SubtractOp : BinaryOp<"subtract">;
def Stablehlo_AndOp : BinaryOp<"and", Stablehlo_IntTensor>;
def Stablehlo_OrOp : BinaryOp<"or", Stablehlo_IntTensor>;
def Stablehlo_XorOp : BinaryOp<"xor", Stablehlo_IntTensor>;

def Stablehlo_ComplexOp : Stablehlo_Op<"complex", [Pure, ElementwiseTrait]> {
  let summary = "lhs + i rhs";
  let arguments = (ins Stablehlo_FloatTensor:$lhs, Stablehlo_FloatTensor:$rhs);
  let results = (outs Stablehlo_ComplexTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` custom<ComplexTypes>(type($lhs), type($rhs), type($result))
  }];
}

def Stablehlo_CompareOp : Stablehlo_Op<"compare", [Pure, ElementwiseTrait]> {
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

def Stablehlo_SelectOp : Stablehlo_Op<"select", [Pure, ElementwiseTrait]> {
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

def Stablehlo_ClampOp : Stablehlo_Op<"clamp", [Pure, ElementwiseTrait, SameElementTypeTrait]> {
  let summary = "minimum(maximum(operand, min), max)";
  let arguments = (ins Stablehlo_Tensor:$min, Stablehlo_Tensor:$operand, Stablehlo_Tensor:$max);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = SameTypeFormat<"$min `,` $operand `,` $max",
    "type($min), type($operand), type($max), type($result)">.format;
}

#endif // MERCATOR_DIALECTS_STABLEHLO_ELEMENTWISE
