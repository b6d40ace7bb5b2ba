// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of HLO that StableHLO lacks: fusions, layouts, and instructions of any opcode.

#ifndef MERCATOR_DIALECTS_HLO_OPS
#define MERCATOR_DIALECTS_HLO_OPS

include "mercator/dialects/stablehlo/StablehloBase.td"

def Hlo_Dialect : Dialect {
  let name = "hlo";
  let cppNamespace = "::mercator::hlo";
  let summary = "The parts of HLO that StableHLO lacks";
  let description = [{
    An HLO instruction with a StableHLO equivalent is always a StableHLO
    operation; this dialect holds the others.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mercator::stablehlo::StablehloDialect"];
}

def Hlo_OpaqueType : TypeDef<Hlo_Dialect, "Opaque"> {
  let mnemonic = "opaque";
  let summary = "HLO's `opaque[]`: a value that only the target understands";
}

def Hlo_LayoutAttr
    : AttrDef<Hlo_Dialect, "Layout", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "the memory layout of a tensor, as the encoding of its type";
  let description = [{
    `tensor<4x8xf32, #hlo.layout<[0, 1]>>` is HLO's `f32[4,8]{0,1}`: dimension 0
    is the fastest. A tensor type without an encoding is row-major, so the default
    layout is never written. `rest` is the text after the colon in HLO: tiles and
    memory space. `bounds` are those of `#stablehlo.bounds`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$minorToMajor,
                        StringRefParameter<"", "\"\"">:$rest,
                        ArrayRefParameter<"int64_t">:$bounds);
  let hasCustomAssemblyFormat = 1;
}

class Hlo_Op<string mnemonic, list<Trait> traits = []> : Op<Hlo_Dialect, mnemonic, traits>;

def Hlo_ReturnOp : Hlo_Op<"return", [Pure, Terminator, HasParent<"FusionOp">]> {
  let summary = "the results of a fusion";
  let arguments = (ins Variadic<Stablehlo_Value>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def Hlo_FusionOp
    : Hlo_Op<"fusion", [IsolatedFromAbove, RecursiveMemoryEffects]> {
  let summary = "a computation that a compiler turned into one kernel";
  let description = [{
    The region's arguments are the operands, its results those of `hlo.return`.
    `calls` is the name of the computation in the HLO text. A computation with two
    callers is imported twice.

    A call of a library is a fusion, too: its `kind` is `library`, `calls` is the
    target of the call, and the region computes what the library computes.

        %r = "hlo.fusion"(%a) <{calls = "f", kind = "kLoop"}> ({
        ^bb0(%p: tensor<4xf32>):
          %n = stablehlo.negate %p : tensor<4xf32>
          hlo.return %n : tensor<4xf32>
        }) : (tensor<4xf32>) -> tensor<4xf32>
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs, StrAttr:$kind, StrAttr:$calls);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let extraClassDeclaration = [{
    /// The target of a library call, such as `__cublas$gemm`; empty for the
    /// fusions of a compiler.
    llvm::StringRef getLibraryTarget();
  }];
  let hasVerifier = 1;
}

def Hlo_BitcastOp : Hlo_Op<"bitcast", [Pure]> {
  let summary = "the same bytes with another shape and layout";
  let description = [{
    Element n of the operand in memory order is element n of the result in memory
    order. The types hold the layouts.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Hlo_CopyOp : Hlo_Op<"copy", [Pure]> {
  let summary = "the same value, in another place or layout";
  let arguments = (ins Stablehlo_Value:$operand);
  let results = (outs Stablehlo_Value:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Hlo_ElementOp : Hlo_Op<"element", [Pure]> {
  let summary = "HLO's get-tuple-element of an operation with several results";
  let description = [{
    An HLO reduce or fusion yields a tuple. Here it has several results, and
    get-tuple-element is the identity on result `index`. The operation is kept so
    that the instruction keeps its name.
  }];
  let arguments = (ins Stablehlo_Value:$operand, I32Attr:$index);
  let results = (outs Stablehlo_Value:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Hlo_OpaqueOp : Hlo_Op<"opaque"> {
  let summary = "any other HLO instruction";
  let description = [{
    `opcode` is its HLO spelling. `hlo_attributes` holds every HLO attribute, under its
    HLO name, as a string in HLO's spelling. `callees` are the computations that it
    names; each is a function of the module.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs, StrAttr:$opcode,
                       OptionalAttr<DictionaryAttr>:$hlo_attributes,
                       OptionalAttr<ArrayAttr>:$callees);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let assemblyFormat = [{
    $opcode `(` $inputs `)` (`calls` $callees^)? (`with` $hlo_attributes^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MERCATOR_DIALECTS_HLO_OPS
