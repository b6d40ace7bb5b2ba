// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `util` dialect: globals, as IREE names and writes them.

#ifndef MERCATOR_DIALECTS_UTIL_OPS
#define MERCATOR_DIALECTS_UTIL_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Util_Dialect : Dialect {
  let name = "util";
  let cppNamespace = "::mercator::util";
  let summary = "What a program keeps between calls";
  let description = "Names and syntax are IREE's, so that its text loads.";
  let useDefaultTypePrinterParser = 1;
}

def Util_PtrType : TypeDef<Util_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "where a global lies";
  let parameters = (ins "::mlir::Type":$targetType);
  let assemblyFormat = "`<` $targetType `>`";
}

class Util_Op<string mnemonic, list<Trait> traits = []> : Op<Util_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

def Util_GlobalOp : Util_Op<"global", [Symbol]> {
  let summary = "a value that outlives a call";
  let description = [{
        util.global private @weights = dense<0.5> : tensor<4xf32>
        util.global public mutable @state : tensor<4xf32>

    A global without an initial value begins undefined. Only a `mutable` one is
    stored to while the program runs.
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, UnitAttr:$is_mutable,
                       SymbolNameAttr:$sym_name, TypeAttr:$type,
                       OptionalAttr<TypedAttrInterface>:$initial_value);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name attr-dict
    custom<TypeOrAttr>($type, $initial_value)
  }];
}

// Operations that name a global: it exists, and has a type that agrees.
class Util_GlobalAccessOp<string mnemonic, list<Trait> traits>
    : Util_Op<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)>;

def Util_GlobalAddressOp : Util_GlobalAccessOp<"global.address", [Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "where a global lies";
  let arguments = (ins FlatSymbolRefAttr:$global);
  let results = (outs Util_PtrType:$result);
  let assemblyFormat = "$global attr-dict `:` qualified(type($result))";
}
def Util_GlobalLoadOp : Util_GlobalAccessOp<"global.load", [MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the value of a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
  let assemblyFormat = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)";
}
def Util_GlobalStoreOp : Util_GlobalAccessOp<"global.store", [MemoryEffects<[MemWrite]>]> {
  let summary = "gives a global a value";
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global);
  let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
}

def Util_GlobalLoadIndirectOp : Util_Op<"global.load.indirect", [MemoryEffects<[MemRead]>]> {
  let summary = "the value of the global that lies there";
  let arguments = (ins Util_PtrType:$global);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$global attr-dict `:` qualified(type($global)) `->` type($result)";
  let hasVerifier = 1;
}
def Util_GlobalStoreIndirectOp : Util_Op<"global.store.indirect", [MemoryEffects<[MemWrite]>]> {
  let summary = "gives the global that lies there a value";
  let arguments = (ins AnyType:$value, Util_PtrType:$global);
  let assemblyFormat = [{
    $value `,` $global attr-dict `:` type($value) `->` qualified(type($global))
  }];
  let hasVerifier = 1;
}

#endif // MERCATOR_DIALECTS_UTIL_OPS
