// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common definitions of all StableHLO operations: the dialect, its types, enumerations,
// attributes and operation class.

#ifndef MERCATOR_DIALECTS_STABLEHLO_BASE
#define MERCATOR_DIALECTS_STABLEHLO_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// `(abs C1)` in a comment, here and in the sources, is constraint C1 of the section `abs` of the
// specification. docs/stablehlo-constraints.txt lists all constraints.

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mercator::stablehlo";
  let summary = "The StableHLO operation set";
  let description = [{
    Written from the public StableHLO specification. It reads and prints the text
    that JAX, PyTorch/XLA and IREE exchange. HLO text needs these extensions of
    the specification:

      - `while`, `optimization_barrier` and `custom_call` accept and return
        tuples, as in HLO;
      - integers of one bit (`si1`, `ui1`) are element types, for HLO's `s1` and
        `u1`;
      - tensor types may carry a layout (`#hlo.layout<..>`); the operations of
        this dialect ignore it.
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

def Stablehlo_FutureType : TypeDef<Stablehlo_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "the results of an operation that is still running";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
  let genVerifyDecl = 1;
}

// Element types. `s1` and `u1` are HLO's; the specification begins at two bits.
def Stablehlo_Bool : TypeAlias<I1, "boolean">;
def Stablehlo_SInt : AnyTypeOf<[SignlessIntOfWidths<[2, 4, 8, 16, 32, 64]>, SI<1>],
                               "2/4/8/16/32/64-bit signed integer">;
def Stablehlo_UInt : AnyTypeOf<[UnsignedIntOfWidths<[1, 2, 4, 8, 16, 32, 64]>],
                               "2/4/8/16/32/64-bit unsigned integer">;
def Stablehlo_Int : AnyTypeOf<[Stablehlo_SInt, Stablehlo_UInt],
                              "2/4/8/16/32/64-bit integer">;
def Stablehlo_Float
    : AnyTypeOf<[F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN,
                 F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU, F16, BF16, F32, F64],
                "4/6/8/16/32/64-bit float">;
def Stablehlo_F32OrF64 : AnyTypeOf<[F32, F64]>;
def Stablehlo_Complex : Complex<Stablehlo_F32OrF64>;
// Quantized per tensor; and quantized per tensor or per axis.
def Stablehlo_Quantized
    : Type<And<[CPred<"::llvm::isa<::mlir::quant::UniformQuantizedType>($_self)">,
                CPred<"::mercator::stablehlo::isQuantizedElement($_self)">]>,
           "per-tensor quantized element">;
def Stablehlo_AnyQuantized
    : Type<CPred<"::mercator::stablehlo::isQuantizedElement($_self)">, "quantized element">;

// Tensors. A per-axis quantization fits its dimension.
class Stablehlo_TensorOf<list<Type> elements, list<Pred> more = []>
    : RankedTensorOf<elements,
                     !listconcat([CPred<"::mercator::stablehlo::axisFits($_self)">], more)>;
def Stablehlo_PlainTensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_Bool, Stablehlo_Int, Stablehlo_Complex]>;
def Stablehlo_Tensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_Bool, Stablehlo_Int, Stablehlo_Complex,
                          Stablehlo_Quantized]>;
def Stablehlo_QTensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_Bool, Stablehlo_Int, Stablehlo_Complex,
                          Stablehlo_AnyQuantized]>;
// Every extent is known or bounded.
defvar Stablehlo_Sized = CPred<"::mercator::stablehlo::isStaticOrBounded($_self)">;
def Stablehlo_SizedQTensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_Bool, Stablehlo_Int, Stablehlo_Complex,
                          Stablehlo_AnyQuantized], [Stablehlo_Sized]>;
def Stablehlo_SizedNumberTensor
    : Stablehlo_TensorOf<[Stablehlo_Int, Stablehlo_Float, Stablehlo_Complex,
                          Stablehlo_Quantized], [Stablehlo_Sized]>;
def Stablehlo_PredTensor : RankedTensorOf<[Stablehlo_Bool]>;
def Stablehlo_IntTensor : Stablehlo_TensorOf<[Stablehlo_Int]>;
def Stablehlo_IndexTensor : Stablehlo_TensorOf<[Stablehlo_Int, Index]>;
def Stablehlo_BitsTensor
    : Stablehlo_TensorOf<[Stablehlo_Bool, Stablehlo_Int]>;
def Stablehlo_RealTensor
    : Stablehlo_TensorOf<[Stablehlo_SInt, Stablehlo_Float, Stablehlo_Quantized]>;
def Stablehlo_SignedTensor
    : Stablehlo_TensorOf<[Stablehlo_SInt, Stablehlo_Float, Stablehlo_Complex,
                          Stablehlo_Quantized]>;
def Stablehlo_NumberTensor
    : Stablehlo_TensorOf<[Stablehlo_Int, Stablehlo_Float, Stablehlo_Complex,
                          Stablehlo_Quantized]>;
def Stablehlo_PlainFloatTensor : Stablehlo_TensorOf<[Stablehlo_Float]>;
def Stablehlo_FloatTensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_Quantized]>;
def Stablehlo_PlainFloatOrComplexTensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_Complex]>;
def Stablehlo_FloatOrComplexTensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_Complex, Stablehlo_Quantized]>;
def Stablehlo_F32OrF64Tensor : RankedTensorOf<[Stablehlo_F32OrF64]>;
def Stablehlo_ComplexTensor : RankedTensorOf<[Stablehlo_Complex]>;
def Stablehlo_FloatOrQTensor
    : Stablehlo_TensorOf<[Stablehlo_Float, Stablehlo_AnyQuantized]>;
def Stablehlo_OnlyQTensor : Stablehlo_TensorOf<[Stablehlo_AnyQuantized]>;
def Stablehlo_ArithmeticTensor
    : Stablehlo_TensorOf<[Stablehlo_Bool, Stablehlo_Int, Stablehlo_Float]>;
def Stablehlo_IntOrFloatTensor
    : Stablehlo_TensorOf<[Stablehlo_Int, Stablehlo_Float]>;
def Stablehlo_I32Tensor : RankedTensorOf<[I32]>;
def Stablehlo_UI32Tensor : RankedTensorOf<[UI32]>;

def Stablehlo_ScalarTensor
    : 0DTensorOf<[Stablehlo_Float, Stablehlo_Bool, Stablehlo_Int, Stablehlo_Complex,
                  Stablehlo_Quantized]>;
def Stablehlo_ScalarPred : 0DTensorOf<[Stablehlo_Bool]>;
def Stablehlo_ScalarInt : 0DTensorOf<[Stablehlo_Int]>;
def Stablehlo_ScalarArithmetic : 0DTensorOf<[Stablehlo_Bool, Stablehlo_Int, Stablehlo_Float]>;
class Stablehlo_VectorOf<list<Type> elements> : 1DTensorOf<elements>;
def Stablehlo_FloatVector : Stablehlo_VectorOf<[Stablehlo_Float, Stablehlo_Quantized]>;
// Indices or extents of another tensor; the second has a static rank.
def Stablehlo_DimTensor : Stablehlo_VectorOf<[Stablehlo_Int, Index]>;
def Stablehlo_StaticDimTensor
    : RankedTensorOf<[Stablehlo_Int, Index], [HasStaticShapePred, HasAnyRankOfPred<[1]>],
                     "statically shaped 1-dimensional integer tensor">;

// Any value of an HLO instruction: `memref` is HLO's buffer.
def Stablehlo_Value
    : AnyTypeOf<[AnyRankedTensor, Stablehlo_TokenType, AnyTuple, AnyMemRef,
                 Stablehlo_FutureType, Type<CPred<"$_self.getDialect().getNamespace() == \"hlo\"">, "hlo type">],
                "tensor, token, tuple, future or buffer">;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// Every operand has the shape of the result. The pred of select and the bounds of
// clamp may have rank 0.
def ElementwiseTrait : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::mercator::stablehlo";
}
// All operands and results have one element type.
def SameElementTypeTrait : NativeOpTrait<"SameElementType"> {
  let cppNamespace = "::mercator::stablehlo";
}

// The result types are inferred: see Infer.h.
def InferredTrait : DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>;

class Stablehlo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stablehlo_Dialect, mnemonic, traits>;

// `op a, b {attrs} : T` if all types are equal, else `: (T, ..) -> R`.
class SameTypeFormat<string operands, string types> {
  string format = operands # " attr-dict `:` custom<SameTypeOrSignature>(" # types # ")";
}
// `op a, b {attrs} : (T, ..) -> R`.
class SignatureFormat<string operands> {
  string format = operands # " attr-dict `:` functional-type(operands, results)";
}

#endif // MERCATOR_DIALECTS_STABLEHLO_BASE
