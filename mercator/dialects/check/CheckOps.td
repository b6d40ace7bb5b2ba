// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `check` dialect: expectations that a test program states about its own values.

#ifndef MERCATOR_DIALECTS_CHECK_OPS
#define MERCATOR_DIALECTS_CHECK_OPS

include "mercator/dialects/stablehlo/StablehloBase.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::mercator::check";
  let summary = "Expectations that a test program states about its own values";
  let description = [{
    The programs that accompany the StableHLO specification state their expected
    results with these operations, and so do those of IREE. The evaluator of a
    program compares; a compiler ignores them.
  }];
}

class Check_Op<string mnemonic, string summaryText, list<Trait> traits>
    : Op<Check_Dialect, mnemonic, traits> {
  let summary = summaryText;
}

def Check_InexactTensor : RankedTensorOf<[AnyFloat, AnyComplex]>;

//===----------------------------------------------------------------------===//
// Comparison with a constant
//===----------------------------------------------------------------------===//

// The programs of StableHLO and those of IREE differ in syntax:
//
//   check.expect_eq_const %0, dense<1> : tensor<2xi32>
//   check.expect_eq_const(%0, dense<1> : tensor<2xi32>) : tensor<2xi32>
//
// Both are read. An operation is printed as StableHLO writes it, unless it has a
// tolerance that only IREE has.

class Check_ConstOp<string mnemonic, string summaryText, Type type>
    : Check_Op<mnemonic, summaryText, [AllTypesMatch<["actual", "value"]>]> {
  let arguments = (ins type:$actual, ElementsAttr:$value);
  let hasCustomAssemblyFormat = 1;
}

def Check_ExpectEqConstOp
    : Check_ConstOp<"expect_eq_const", "every element equals that of the constant", Stablehlo_Tensor>;
def Check_ExpectAlmostEqConstOp
    : Check_ConstOp<"expect_almost_eq_const", "every element is near that of the constant",
                    Check_InexactTensor> {
  let description = [{
    |actual - value| is at most `tolerance`. With `atol` or `rtol`, which IREE writes,
    it is at most `atol` + `rtol` * |value|.
  }];
  let arguments = (ins Check_InexactTensor:$actual, ElementsAttr:$value,
                       DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance,
                       OptionalAttr<F32Attr>:$atol, OptionalAttr<F32Attr>:$rtol);
}
def Check_ExpectCloseConstOp
    : Check_ConstOp<"expect_close_const", "every element is a few floats from that of the constant",
                    Check_InexactTensor> {
  let arguments = (ins Check_InexactTensor:$actual, ElementsAttr:$value,
                       DefaultValuedAttr<UI64Attr, "1">:$max_ulp_difference,
                       DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference);
  let hasCustomAssemblyFormat = 0;
  let assemblyFormat = [{
    $actual `,` $value `,` `max_ulp_difference` `=` $max_ulp_difference
    (`,` `min_ulp_difference` `=` $min_ulp_difference^)? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Comparison with another value
//===----------------------------------------------------------------------===//

class Check_PairOp<string mnemonic, string summaryText, Type type>
    : Check_Op<mnemonic, summaryText, [AllTypesMatch<["actual", "expected"]>]> {
  let arguments = (ins type:$actual, type:$expected);
  let hasCustomAssemblyFormat = 1;
}

def Check_ExpectEqOp
    : Check_PairOp<"expect_eq", "the operands have the same elements", Stablehlo_Tensor>;
def Check_ExpectAlmostEqOp
    : Check_PairOp<"expect_almost_eq", "elements of the operands are near each other",
                   Check_InexactTensor> {
  let arguments = (ins Check_InexactTensor:$actual, Check_InexactTensor:$expected,
                       DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance,
                       OptionalAttr<F32Attr>:$atol, OptionalAttr<F32Attr>:$rtol);
}
def Check_ExpectCloseOp
    : Check_PairOp<"expect_close", "elements of the operands are a few floats apart",
                   Check_InexactTensor> {
  let description = [{
    The distance of two finite numbers is the number of steps from float to next
    float between them. NaNs are at distance 0 from each other. Any other pair
    with an infinity or a NaN is infinitely far apart.
  }];
  let arguments = (ins Check_InexactTensor:$actual, Check_InexactTensor:$expected,
                       DefaultValuedAttr<UI64Attr, "1">:$max_ulp_difference,
                       DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference);
  let hasCustomAssemblyFormat = 0;
  let assemblyFormat = [{
    $actual `,` $expected `,` `max_ulp_difference` `=` $max_ulp_difference
    (`,` `min_ulp_difference` `=` $min_ulp_difference^)? attr-dict
    `:` type($actual) `,` type($expected)
  }];
}

//===----------------------------------------------------------------------===//
// Truth
//===----------------------------------------------------------------------===//

class Check_TruthOp<string mnemonic, string summaryText, Type type>
    : Check_Op<mnemonic, summaryText, []> {
  let arguments = (ins type:$operand);
  let assemblyFormat = "`(` $operand `)` attr-dict `:` type($operand)";
}
def Check_ExpectTrueOp
    : Check_TruthOp<"expect_true", "the integer is not 0", AnySignlessInteger>;
def Check_ExpectFalseOp
    : Check_TruthOp<"expect_false", "the integer is 0", AnySignlessInteger>;
def Check_ExpectAllTrueOp
    : Check_TruthOp<"expect_all_true", "no element is 0", RankedTensorOf<[AnySignlessInteger]>>;

//===----------------------------------------------------------------------===//
// Comparison with a recorded value
//===----------------------------------------------------------------------===//

def Check_ExpectSerializedEqOp
    : Check_Op<"expect_serialized_eq", "a probe has recorded the elements of the operand", []> {
  let description = [{
    The operand equals the tensor that `interpreter.probe` of this name wrote to a
    file in its `iteration`-th evaluation, counted from 0. Probes write no files
    here, and the evaluator does not support the operation.
  }];
  let arguments = (ins Stablehlo_Tensor:$expected, StrAttr:$probe_id,
                       DefaultValuedOptionalAttr<UI32Attr, "0">:$iteration);
  let assemblyFormat = [{
    $expected `,` `probe_id` `=` $probe_id (`,` `iter` `=` $iteration^)? attr-dict
    `:` type($expected)
  }];
}

#endif // MERCATOR_DIALECTS_CHECK_OPS
