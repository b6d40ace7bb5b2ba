// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `util` dialect: globals, initializers, hints and index arithmetic, with IREE's names and
// syntax.

#ifndef MERCATOR_DIALECTS_UTIL_OPS
#define MERCATOR_DIALECTS_UTIL_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Util_Dialect : Dialect {
  let name = "util";
  let cppNamespace = "::mercator::util";
  let summary = "The state that a program keeps between calls";
  let description = [{
    Names and syntax are IREE's, so IREE's text loads. The newer `util.func`,
    `util.return` and `util.call` are read as `func.func`, `func.return` and
    `func.call`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

def Util_PtrType : TypeDef<Util_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "the address of a global";
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

    A global without an initial value is undefined until a `util.initializer`
    stores to it. After that, only a `mutable` global is stored to. A `noinline`
    global is always loaded; its value is never propagated. Newer text spells it
    `<inlining_policy = #util.inline.never>`.
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, UnitAttr:$is_mutable,
                       SymbolNameAttr:$sym_name, TypeAttr:$type,
                       OptionalAttr<TypedAttrInterface>:$initial_value);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name
    custom<GlobalAttributes>(attr-dict) custom<TypeOrAttr>($type, $initial_value)
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "bool":$isMutable,
                                 "::mlir::Type":$type,
                                 CArg<"::mlir::TypedAttr", "{}">:$initialValue)>];
  let extraClassDeclaration = [{
    /// Whether a load may be replaced by the loaded value.
    bool isInlinable() { return !(*this)->hasAttr("noinline"); }
  }];
}

// Operations that name a global. The global exists, and its type agrees.
class Util_GlobalAccessOp<string mnemonic, list<Trait> traits>
    : Util_Op<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)>;

def Util_GlobalAddressOp : Util_GlobalAccessOp<"global.address", [Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the address of a global";
  let arguments = (ins FlatSymbolRefAttr:$global);
  let results = (outs Util_PtrType:$result);
  let assemblyFormat = "$global attr-dict `:` qualified(type($result))";
}
def Util_GlobalLoadOp : Util_GlobalAccessOp<"global.load", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the value of a global";
  let description = [{
    A load of an immutable global has no effect, and neither has a load with the
    attribute `immutable`. Any other load reads memory.
  }];
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
  let assemblyFormat = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::mercator::util::GlobalOp":$global)>];
}
def Util_GlobalStoreOp : Util_GlobalAccessOp<"global.store", [MemoryEffects<[MemWrite]>]> {
  let summary = "stores to a global";
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global);
  let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mercator::util::GlobalOp":$global)>];
  let hasCanonicalizeMethod = 1;
}

def Util_GlobalLoadIndirectOp : Util_Op<"global.load.indirect", [MemoryEffects<[MemRead]>]> {
  let summary = "loads the global at an address";
  let arguments = (ins Util_PtrType:$global);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$global attr-dict `:` qualified(type($global)) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}
def Util_GlobalStoreIndirectOp : Util_Op<"global.store.indirect", [MemoryEffects<[MemWrite]>]> {
  let summary = "stores to the global at an address";
  let arguments = (ins AnyType:$value, Util_PtrType:$global);
  let assemblyFormat = [{
    $value `,` $global attr-dict `:` type($value) `->` qualified(type($global))
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

def Util_InitializerOp : Util_Op<"initializer", [
    IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "code that runs once, before any call";
  let description = [{
        util.initializer {
          %0 = call @compute() : () -> tensor<4xf32>
          util.global.store %0, @table : tensor<4xf32>
          util.initializer.return
        }

    A function without callers. Initializers run in program order. Only they store
    to globals that are not mutable.
  }];
  let arguments = (ins OptionalAttr<SymbolNameAttr>:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs)>];
  let extraClassDeclaration = [{
    // Of FunctionOpInterface, Symbol and CallableOpInterface.
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return {}; }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return {}; }
    ::llvm::LogicalResult verifyType();
    static bool isOptionalSymbol() { return true; }
    ::mlir::StringAttr getNameAttr() {
      ::mlir::StringAttr name = getSymNameAttr();
      return name ? name : ::mlir::StringAttr::get(getContext());
    }
    ::llvm::StringRef getName() { return getNameAttr().getValue(); }
  }];
  let hasCanonicalizer = 1;
}

def Util_InitializerReturnOp : Util_Op<"initializer.return", [
    HasParent<"::mercator::util::InitializerOp">, Pure, ReturnLike, Terminator]> {
  let summary = "terminates an initializer";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

def Util_OptimizationBarrierOp : Util_Op<"optimization_barrier", [
    RangedTypesMatchWith<"each result is of the type of its operand", "operands", "results", "$_self">
  ]> {
  let summary = "returns its operands; nothing is known about the results";
  let description = [{
        %1:2 = util.optimization_barrier %a, %b : tensor<4xf32>, index

    No optimization looks through, moves or removes it.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands)>];
}

def Util_UnfoldableConstantOp : Util_Op<"unfoldable_constant"> {
  let summary = "a constant behind a barrier";
  let description = [{
        %0 = util.unfoldable_constant dense<1.0> : tensor<4xf32>
        %1 = util.unfoldable_constant @f : (f32) -> ()
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
  let hasCanonicalizeMethod = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Util_UnreachableOp : Util_Op<"unreachable", [NoMemoryEffect, Terminator]> {
  let summary = "terminates a block that never runs to its end";
  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

def Util_Number : AnyTypeOf<[AnySignlessInteger, AnyFloat]>;
def Util_NumberOrTensor : AnyTypeOf<[Util_Number, TensorOf<[Util_Number]>]>;
def Util_NumericOptionalNarrowOp : Util_Op<"numeric.optional_narrow", [
    Pure, SameOperandsAndResultType]> {
  let summary = "the operand, whose values fit a narrower type";
  let description = [{
        %1 = util.numeric.optional_narrow %0 : tensor<4xf32> as ui7
               {min_value = 0 : ui7, max_value = 90 : ui7}

    Every element is a value of the type after `as`, which also gives the
    signedness. It lies between the two limits, if they are given.
  }];
  let arguments = (ins Util_NumberOrTensor:$operand, TypeAttr:$semantic_type,
                       OptionalAttr<APIntAttr>:$min_value, OptionalAttr<APIntAttr>:$max_value);
  let results = (outs Util_NumberOrTensor:$result);
  let assemblyFormat = "$operand `:` type($operand) `as` $semantic_type attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

// Numbers are unsigned.
class Util_RangeLimitOp<string mnemonic, string which>
    : Util_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = "the " # which # " of one or more unsigned numbers";
  let arguments = (ins Variadic<AnySignlessIntegerOrIndex>:$operands);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = "$operands attr-dict `:` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
}
def Util_RangeMinOp : Util_RangeLimitOp<"range.min", "least">;
def Util_RangeMaxOp : Util_RangeLimitOp<"range.max", "greatest">;

def Util_RangeExtentsOp : Util_Op<"range.extents", [Pure, SameVariadicOperandSize,
    AllTypesMatch<["min", "max"]>]> {
  let summary = "the first and the last number of several ranges";
  let description = [{
        %first, %last = util.range.extents [%o0 for %n0], [%o1 for %n1] : index

    The minimum of the offsets and the maximum of `offset + length - 1`, as
    unsigned numbers. No range is empty.
  }];
  let arguments = (ins Variadic<AnySignlessIntegerOrIndex>:$offsets,
                       Variadic<AnySignlessIntegerOrIndex>:$lengths);
  let results = (outs AnySignlessIntegerOrIndex:$min, AnySignlessIntegerOrIndex:$max);
  let assemblyFormat = [{
    custom<RangeList>($offsets, $lengths) attr-dict `:`
    custom<RangeTypes>(ref($offsets), type($offsets), type($lengths), type($min))
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Util_AlignOp : Util_Op<"align", [Pure, SameOperandsAndResultType]> {
  let summary = "the next multiple of a power of two";
  let description = [{
        %1 = util.align %0, %c16 : index

    The smallest multiple of the second operand that is not below the first.
  }];
  let arguments = (ins SignlessIntegerOrIndexLike:$value, SignlessIntegerOrIndexLike:$alignment);
  let results = (outs SignlessIntegerOrIndexLike:$result);
  let assemblyFormat = "$value `,` $alignment attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Util_SizeOfOp : Util_Op<"sizeof", [Pure]> {
  let summary = "the number of bytes of a value of a type";
  let description = [{
    Known for integers and floats, whose bits are rounded up to bytes. For other
    types it is known only after they are lowered.
  }];
  let arguments = (ins TypeAttr:$sizedType);
  let results = (outs Index:$size);
  let assemblyFormat = "$sizedType attr-dict-with-keyword";
  let hasFolder = 1;
}

#endif // MERCATOR_DIALECTS_UTIL_OPS
