// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `chlo` dialect: operations that clients of XLA use and that expand to StableHLO.

#ifndef MERCATOR_DIALECTS_CHLO_OPS
#define MERCATOR_DIALECTS_CHLO_OPS

include "mercator/dialects/stablehlo/StablehloBase.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mercator::chlo";
  let summary = "Functions and broadcasts that expand to StableHLO";
  let description = [{
    Operations that exported programs use together with StableHLO. Each can be
    expressed in StableHLO: `--chlo-legalize-to-stablehlo` does so.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mercator::stablehlo::StablehloDialect"];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Chlo_Enum<string className, string summaryText, list<I32EnumCase> cases>
    : I32Enum<className, summaryText, cases> {
  let cppNamespace = "::mercator::chlo";
}

def Chlo_ComparisonDirection : Chlo_Enum<"ComparisonDirection", "which comparison", [
  I32EnumCase<"EQ", 0>, I32EnumCase<"NE", 1>, I32EnumCase<"GE", 2>,
  I32EnumCase<"GT", 3>, I32EnumCase<"LE", 4>, I32EnumCase<"LT", 5>]>;
def Chlo_ComparisonDirectionAttr
    : EnumAttr<Chlo_Dialect, Chlo_ComparisonDirection, "comparison_direction">;

def Chlo_ComparisonType : Chlo_Enum<"ComparisonType", "the order of elements", [
  I32EnumCase<"NOTYPE", 0>, I32EnumCase<"FLOAT", 1>, I32EnumCase<"TOTALORDER", 2>,
  I32EnumCase<"SIGNED", 3>, I32EnumCase<"UNSIGNED", 4>]>;
def Chlo_ComparisonTypeAttr
    : EnumAttr<Chlo_Dialect, Chlo_ComparisonType, "comparison_type">;

def Chlo_Precision : Chlo_Enum<"Precision", "the precision of an operand", [
  I32EnumCase<"DEFAULT", 0>, I32EnumCase<"HIGH", 1>, I32EnumCase<"HIGHEST", 2>]>;
def Chlo_PrecisionAttr : EnumAttr<Chlo_Dialect, Chlo_Precision, "precision">;
def Chlo_PrecisionConfig : TypedArrayAttrBase<Chlo_PrecisionAttr, "one precision for each operand">;

// Written `<key = [..], ..>` with keys in any order. Empty lists may be omitted, and the printer
// omits them.
def Chlo_RaggedDotDimensionNumbersAttr : AttrDef<Chlo_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "the roles of the dimensions of a ragged dot";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
    ArrayRefParameter<"int64_t">:$rhsContractingDimensions,
    ArrayRefParameter<"int64_t">:$lhsRaggedDimensions,
    ArrayRefParameter<"int64_t">:$rhsGroupDimensions);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Functions of one operand
//===----------------------------------------------------------------------===//

// All operands and results have one shape.
def Chlo_SameShape : NativeOpTrait<"SameShape"> { let cppNamespace = "::mercator::chlo"; }

class Chlo_Op<string mnemonic, list<Trait> traits = []> : Op<Chlo_Dialect, mnemonic, traits>;

class Chlo_FunctionOp<string mnemonic, string summaryText, Type operandType,
                      Type resultType = operandType,
                      list<Trait> traits = [SameElementTypeTrait]>
    : Chlo_Op<mnemonic, !listconcat([Pure, Chlo_SameShape, InferredTrait], traits)> {
  let summary = summaryText;
  let arguments = (ins operandType:$operand);
  let results = (outs resultType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}
class RealFunction<string mnemonic, string summaryText>
    : Chlo_FunctionOp<mnemonic, summaryText, Stablehlo_FloatTensor>;
class ComplexFunction<string mnemonic, string summaryText>
    : Chlo_FunctionOp<mnemonic, summaryText, Stablehlo_FloatOrComplexTensor>;
class Predicate<string mnemonic, string summaryText>
    : Chlo_FunctionOp<mnemonic, summaryText, Stablehlo_FloatTensor, Stablehlo_PredTensor, []>;

def Chlo_AcosOp : ComplexFunction<"acos", "the arc cosine, in [0, pi]">;
def Chlo_AcoshOp : ComplexFunction<"acosh", "the inverse of cosh; NaN below 1">;
def Chlo_AsinOp : ComplexFunction<"asin", "the arc sine, in [-pi/2, pi/2]">;
def Chlo_AsinhOp : ComplexFunction<"asinh", "the inverse of sinh">;
def Chlo_AtanOp : ComplexFunction<"atan", "the arc tangent, in [-pi/2, pi/2]">;
def Chlo_AtanhOp : ComplexFunction<"atanh", "the inverse of tanh">;
def Chlo_BesselI1eOp
    : ComplexFunction<"bessel_i1e", "exp(-|x|) times the modified Bessel function I_1">;
def Chlo_ConjOp : ComplexFunction<"conj", "the complex conjugate">;
def Chlo_CoshOp : ComplexFunction<"cosh", "the hyperbolic cosine">;
def Chlo_DigammaOp : RealFunction<"digamma", "the derivative of lgamma">;
def Chlo_ErfOp : RealFunction<"erf", "the error function">;
def Chlo_ErfInvOp : RealFunction<"erf_inv", "the inverse of erf">;
def Chlo_ErfcOp : RealFunction<"erfc", "1 - erf(x), exact where erf(x) is near 1">;
def Chlo_IsInfOp : Predicate<"is_inf", "is infinite">;
def Chlo_IsNegInfOp : Predicate<"is_neg_inf", "is minus infinity">;
def Chlo_IsPosInfOp : Predicate<"is_pos_inf", "is plus infinity">;
def Chlo_LgammaOp : RealFunction<"lgamma", "log |Gamma(x)|">;
def Chlo_SinhOp : ComplexFunction<"sinh", "the hyperbolic sine">;
def Chlo_SquareOp : ComplexFunction<"square", "x * x">;
def Chlo_TanOp : ComplexFunction<"tan", "the tangent">;

def Chlo_AsinAcosKernelOp
    : Chlo_FunctionOp<"_asin_acos_kernel", "the common part of asin, acos, asinh and acosh",
                      Stablehlo_ComplexTensor> {
  let description = [{
    For z = x + iy with y >= 0, the complex number w with

        asin(z) = atan2(x, w.real) + i w.imag
        acos(z) = atan2(w.real, x) - i w.imag

    (Hull, Fairgrieve and Tang, 1997). It occurs in partly lowered programs; do
    not write it by hand.
  }];
}

//===----------------------------------------------------------------------===//
// Functions of two operands
//===----------------------------------------------------------------------===//

class Chlo_BinaryOp<string mnemonic, string summaryText, Type type, dag operands>
    : Chlo_Op<mnemonic, [Pure, Chlo_SameShape, SameElementTypeTrait, InferredTrait]> {
  let summary = summaryText;
  let arguments = operands;
  let results = (outs type:$result);
  let assemblyFormat = "operands attr-dict `:` type(operands) `->` type($result)";
}

def Chlo_NextAfterOp : Chlo_BinaryOp<"next_after", "the next float after x in the direction of y",
  Stablehlo_FloatTensor, (ins Stablehlo_FloatTensor:$x, Stablehlo_FloatTensor:$y)>;
def Chlo_PolygammaOp : Chlo_BinaryOp<"polygamma", "the n-th derivative of digamma at x",
  Stablehlo_FloatTensor, (ins Stablehlo_FloatTensor:$n, Stablehlo_FloatTensor:$x)>;
def Chlo_ZetaOp : Chlo_BinaryOp<"zeta", "the Hurwitz zeta function: sum over k of (q + k)^-x",
  Stablehlo_FloatTensor, (ins Stablehlo_FloatTensor:$x, Stablehlo_FloatTensor:$q)>;
def Chlo_MulhiOp : Chlo_BinaryOp<"mulhi", "the upper half of the product of two integers",
  Stablehlo_IntTensor, (ins Stablehlo_IntTensor:$lhs, Stablehlo_IntTensor:$rhs)> {
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Functions of two operands with broadcasting
//===----------------------------------------------------------------------===//

// Dimension i of the operand of lower rank is dimension broadcast_dimensions[i] of the other
// operand. Without the attribute, its dimensions are the last ones. An extent of 1 is broadcast to
// any other. For operands of equal rank the attribute has no effect.
class Chlo_BroadcastOp<string mnemonic, Type operandType = Stablehlo_Tensor,
                       Type resultType = operandType,
                       list<Trait> traits = [SameElementTypeTrait]>
    : Chlo_Op<mnemonic, !listconcat([Pure, InferredTrait], traits)> {
  let summary = "elementwise, after broadcasting";
  let arguments = (ins operandType:$lhs, operandType:$rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let results = (outs resultType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Chlo_BroadcastAddOp : Chlo_BroadcastOp<"broadcast_add">;
def Chlo_BroadcastAndOp : Chlo_BroadcastOp<"broadcast_and", Stablehlo_BitsTensor>;
def Chlo_BroadcastAtan2Op : Chlo_BroadcastOp<"broadcast_atan2">;
def Chlo_BroadcastComplexOp
    : Chlo_BroadcastOp<"broadcast_complex", Stablehlo_FloatTensor, Stablehlo_ComplexTensor, []>;
def Chlo_BroadcastDivOp : Chlo_BroadcastOp<"broadcast_divide">;
def Chlo_BroadcastMaxOp : Chlo_BroadcastOp<"broadcast_maximum">;
def Chlo_BroadcastMinOp : Chlo_BroadcastOp<"broadcast_minimum">;
def Chlo_BroadcastMulOp : Chlo_BroadcastOp<"broadcast_multiply">;
def Chlo_BroadcastNextAfterOp
    : Chlo_BroadcastOp<"broadcast_next_after", Stablehlo_FloatTensor>;
def Chlo_BroadcastOrOp : Chlo_BroadcastOp<"broadcast_or", Stablehlo_BitsTensor>;
def Chlo_BroadcastPolygammaOp
    : Chlo_BroadcastOp<"broadcast_polygamma", Stablehlo_FloatTensor>;
def Chlo_BroadcastPowOp : Chlo_BroadcastOp<"broadcast_power">;
def Chlo_BroadcastRemOp : Chlo_BroadcastOp<"broadcast_remainder">;
def Chlo_BroadcastShiftLeftOp : Chlo_BroadcastOp<"broadcast_shift_left">;
def Chlo_BroadcastShiftRightArithmeticOp
    : Chlo_BroadcastOp<"broadcast_shift_right_arithmetic">;
def Chlo_BroadcastShiftRightLogicalOp
    : Chlo_BroadcastOp<"broadcast_shift_right_logical">;
def Chlo_BroadcastSubOp : Chlo_BroadcastOp<"broadcast_subtract">;
def Chlo_BroadcastXorOp : Chlo_BroadcastOp<"broadcast_xor", Stablehlo_BitsTensor>;
def Chlo_BroadcastZetaOp : Chlo_BroadcastOp<"broadcast_zeta", Stablehlo_FloatTensor>;

def Chlo_BroadcastCompareOp
    : Chlo_BroadcastOp<"broadcast_compare", Stablehlo_Tensor, Stablehlo_PredTensor, []> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
                       Chlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Chlo_ComparisonTypeAttr>:$compare_type);
}

def Chlo_BroadcastSelectOp : Chlo_Op<"broadcast_select", [Pure, InferredTrait]> {
  let summary = "on_true where pred holds, else on_false, after broadcasting";
  let arguments = (ins Stablehlo_PredTensor:$pred, Stablehlo_Tensor:$on_true,
                       Stablehlo_Tensor:$on_false);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Chlo_ConstantOp : Chlo_Op<"constant", [Pure, ConstantLike, InferredTrait]> {
  let summary = "a constant tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Stablehlo_Tensor:$output);
  let assemblyFormat = "attr-dict custom<Value>($value, type($output))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Chlo_ConstantLikeOp : Chlo_Op<"constant_like", [Pure, Chlo_SameShape, InferredTrait]> {
  let summary = "one value in the shape of the operand";
  let arguments = (ins TypedAttrInterface:$value, Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Dots, sorting, scans
//===----------------------------------------------------------------------===//

def Chlo_RaggedDotOp : Chlo_Op<"ragged_dot", [Pure]> {
  let summary = "a dot whose left operand is grouped along one dimension";
  let description = [{
    Group i is `group_sizes[i]` consecutive indices of the ragged dimension of the
    left operand. With batch dimensions b, the role of the ragged dimension
    decides the result:

      - rows (m):        [b, m, k] x [g, b, k, n] -> [b, m, n]; the rows of group i
                         are multiplied by matrix i of the right operand
      - contracting (k): [b, m, k] x [b, k, n] -> [g, b, m, n]; product i sums over
                         the indices of group i
      - batch (b):       [b, m, k] x [b, k, n] -> [b, m, n], as dot_general

    `group_sizes` is [g], or has one more dimension for each batch, row or
    contracting dimension before the ragged one. Rows beyond the last group are 0.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                       Stablehlo_IntTensor:$group_sizes,
                       Chlo_RaggedDotDimensionNumbersAttr:$ragged_dot_dimension_numbers,
                       OptionalAttr<Chlo_PrecisionConfig>:$precision_config);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}

def Chlo_TopKOp : Chlo_Op<"top_k", [Pure, InferredTrait]> {
  let summary = "the k largest elements of each row, largest first, and their indices";
  let description = [{
    A row extends along the last dimension. Of equal elements the one with the
    lower index comes first.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, I64Attr:$k,
                       DefaultValuedOptionalAttr<BoolAttr, "true">:$is_stable);
  let results = (outs Stablehlo_Tensor:$values, Stablehlo_IntTensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k (`,` `is_stable` `=` $is_stable^)? `)` attr-dict `:`
    type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
}

def Chlo_ScanOp : Chlo_Op<"scan", [AttrSizedOperandSegments, AttrSizedResultSegments,
    IsolatedFromAbove, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "runs a body along one dimension and carries values";
  let description = [{
    Step i passes to the body slice i of each input along `dimension` (a slice
    lacks this dimension) and the carries. The body returns slice i of each
    output, then the new carries. With `is_reverse` the steps run from the last to
    the first.

        %sums, %total = chlo.scan(%x) inits (%zero) dimension=0 {
        ^bb0(%input: tensor<f32>, %carry: tensor<f32>):
          %s = stablehlo.add %input, %carry : tensor<f32>
          stablehlo.return %s, %s : tensor<f32>, tensor<f32>
        } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)

    The number of steps is the inputs' extent; without inputs, `scan_dim_size`.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Variadic<Stablehlo_Tensor>:$inits,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$scan_dim_size,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
                       OptionalAttr<BoolAttr>:$is_associative);
  let results = (outs Variadic<Stablehlo_Tensor>:$outputs, Variadic<Stablehlo_Tensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of steps; ShapedType::kDynamic if no type determines it.
    int64_t getStepCount();
  }];
}

#endif // MERCATOR_DIALECTS_CHLO_OPS
