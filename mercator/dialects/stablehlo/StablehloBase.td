// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every family of StableHLO operations stands on: the dialect, its types,
// its enumerations, its attributes, its operation class.

#ifndef MERCATOR_DIALECTS_STABLEHLO_BASE
#define MERCATOR_DIALECTS_STABLEHLO_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mercator::stablehlo";
  let summary = "The StableHLO operation set";
  let description = [{
    Written from the public StableHLO specification; it reads and prints the
    text that JAX, PyTorch/XLA and IREE exchange. Extensions of the
    specification, each because HLO text needs it:

      - tuples may flow through `while`, `optimization_barrier` and
        `custom_call`, as they do in HLO;
      - an elementwise operation may have rank-0 operands beside larger ones; a
        rank-0 operand is read at every element;
      - tensor types may carry a layout (`#hlo.layout<..>`); no operation of
        this dialect looks at it.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::quant::QuantDialect"];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Stablehlo_TokenType : TypeDef<Stablehlo_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "orders operations that have effects; carries no value";
}

def Stablehlo_QuantizedType
    : Type<CPred<"::llvm::isa<::mlir::quant::QuantizedType>($_self)">, "quantized type">;

def Stablehlo_Tensor : AnyTypeOf<[AnyRankedTensor], "ranked tensor", "::mlir::RankedTensorType">;
def Stablehlo_PredTensor : RankedTensorOf<[I1]>;
def Stablehlo_IntTensor : RankedTensorOf<[AnyInteger]>;
def Stablehlo_DimTensor : RankedTensorOf<[AnyInteger, Index]>;
def Stablehlo_FloatTensor : RankedTensorOf<[AnyFloat, Stablehlo_QuantizedType]>;
def Stablehlo_FloatOrComplexTensor
    : RankedTensorOf<[AnyFloat, AnyComplex, Stablehlo_QuantizedType]>;
def Stablehlo_ComplexTensor : RankedTensorOf<[AnyComplex]>;
def Stablehlo_ScalarPred : 0DTensorOf<[I1]>;
def Stablehlo_ScalarInt : 0DTensorOf<[AnyInteger]>;

// Anything an HLO instruction can produce: `memref` is HLO's buffer.
def Stablehlo_Value
    : AnyTypeOf<[AnyRankedTensor, Stablehlo_TokenType, AnyTuple, AnyMemRef,
                 Type<CPred<"$_self.getDialect().getNamespace() == \"hlo\"">, "hlo type">],
                "tensor, token, tuple or buffer">;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// Every result has one shape; each operand has that shape or rank 0.
def ElementwiseTrait : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::mercator::stablehlo";
}
// All operands and results have one element type.
def SameElementTypeTrait : NativeOpTrait<"SameElementType"> {
  let cppNamespace = "::mercator::stablehlo";
}

class Stablehlo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stablehlo_Dialect, mnemonic, traits>;

// `op a, b {attrs} : T` where all types agree, else `: (T, ..) -> R`.
class SameTypeFormat<string operands, string types> {
  string format = operands # " attr-dict `:` custom<SameTypeOrSignature>(" # types # ")";
}
// `op a, b {attrs} : (T, ..) -> R`.
class SignatureFormat<string operands> {
  string format = operands # " attr-dict `:` functional-type(operands, results)";
}

#endif // MERCATOR_DIALECTS_STABLEHLO_BASE
